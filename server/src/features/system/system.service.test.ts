import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ObservationKind, ObserverStatus } from '#engine/index';
import { type App, createHttp, type HttpDeps } from '#platform/http/index';
import { createLog } from '#platform/log';
import { type ApiClient, listen } from '#test/http';
import { createSystem, systemRoutes } from './index.ts';

const parts = { database: async () => true, storage: async () => true };
const observers: ObserverStatus<ObservationKind>[] = [
  { kind: 'signals', depth: 'dense', version: 'signals-1' },
  { kind: 'objects', depth: 'dense', unavailable: 'No weights.' },
];
const LICENSES = [{ name: 'm', title: 'M', task: 'sounds', license: { name: 'MIT', url: 'https://x.example' } }];
const deps: Parameters<typeof createSystem>[0] = {
  version: '1.2.3',
  engine: {
    version: 'e1',
    observers: async () => observers,
    visionProfiles: () => [],
    languageModel: () => null,
    detectors: async () => [
      { name: 'd', title: 'D', isDefault: true, reason: null },
      { name: 'e', title: 'E', isDefault: false, reason: 'No weights.' },
    ],
  },
  checks: [
    { name: 'database', check: () => parts.database() },
    { name: 'storage', check: () => parts.storage() },
  ],
  limits: {
    uploadBytes: 1,
    jsonBytes: 2,
    queryLength: 3,
    videosPerQuery: 4,
    videoSeconds: 5,
    writesPerMinute: 6,
    writesPerDay: 7,
    readsPerMinute: 8,
    waitingJobs: 9,
    openUploads: 10,
  },
  storage: 'file',
  pendingIncidents: async () => 3,
  vectorSearch: async () => ({ method: 'exact', version: null, stored: 7, indexed: 0, memory: 5, reason: 'Too many.' }),
  operatorOrg: async () => operatorOrg,
  runsAs: { user: 'sightline', isRoot: false },
  sandbox: { level: 'isolated', hasOwnUser: true, missing: [] },
  housekeeping: [],
  models: { work() {}, licenses: () => LICENSES } as unknown as Parameters<typeof createSystem>[0]['models'],
  workload: { queues: unused, workers: unused },
  jobs: { handle() {}, schedule() {} },
  log: createLog('silent'),
};
let operatorOrg = 'o';
let app: App;
let api: ApiClient;

beforeAll(async () => {
  const system = createSystem(deps);
  app = createHttp({
    log: createLog('silent'),
    bodyBytes: 1_000,
    authenticate: async () => ({
      keyId: 'k',
      userId: 'u',
      orgId: 'o',
      email: 'e',
      scopes: ['read'],
      expiresAt: new Date(),
    }),
    // None of these routes writes, so nothing is ever claimed.
    idempotency: new Proxy({} as HttpDeps['idempotency'], { get: () => unused }),
  });
  app.register(async (scope) => systemRoutes(scope as unknown as App, system));
  api = await listen(app);
});
afterAll(() => app.close());

async function unused(): Promise<never> {
  throw new Error('not to be called');
}

test.each(['/health', '/api/health'])('%s answers whatever else is down', async (path) => {
  parts.database = async () => false;
  expect(await api.call('GET', path)).toMatchObject({ status: 200, json: { status: 'ok', version: '1.2.3' } });
  parts.database = async () => true;
});

test('ready says what is missing, whether it fails, throws or hangs', async () => {
  expect(await api.call('GET', '/ready')).toMatchObject({
    status: 200,
    json: { status: 'ready', checks: { database: 'ok', storage: 'ok' } },
  });
  const failings = [async () => false, () => Promise.reject(new Error('secret')), () => new Promise<boolean>(() => {})];
  for (const failing of failings) {
    parts.storage = failing;
    const answer = await api.call('GET', '/ready');
    expect(answer).toMatchObject({
      status: 503,
      json: { error: 'not_ready', detail: { checks: { database: 'ok', storage: 'failed' } } },
    });
    expect(answer.json.message).toContain('storage');
    expect(answer.text).not.toContain('secret');
    expect(answer.headers.get('retry-after')).toBe('5');
  }
  parts.storage = async () => true;
});

test('the system says what it can observe, why not the rest, and every limit', async () => {
  expect((await api.call('GET', '/api/system')).status).toBe(403);
  const { json } = await api.call('GET', '/api/system', { key: 'k' });
  expect(json).toEqual({
    version: '1.2.3',
    runs_as: { user: 'sightline', is_root: false },
    sandbox: { level: 'isolated', has_own_user: true, missing: [] },
    engine: { version: 'e1', media: 'node-av' },
    observers: [
      { kind: 'signals', available: true, version: 'signals-1', reason: null },
      { kind: 'objects', available: false, version: null, reason: 'No weights.' },
    ],
    models: LICENSES,
    detectors: [
      { name: 'd', title: 'D', available: true, is_default: true, reason: null },
      { name: 'e', title: 'E', available: false, is_default: false, reason: 'No weights.' },
    ],
    vision_model: null,
    vision: null,
    vision_profiles: [],
    language_model: null,
    storage: 'file',
    incidents: { pending: 3 },
    vector_search: { method: 'exact', version: null, stored: 7, indexed: 0, memory: 5, reason: 'Too many.' },
    limits: {
      upload_bytes: 1,
      json_bytes: 2,
      query_length: 3,
      videos_per_query: 4,
      video_seconds: 5,
      writes_per_minute: 6,
      writes_per_day: 7,
      reads_per_minute: 8,
      waiting_jobs: 9,
      open_uploads: 10,
    },
  });
});

test('the number of vectors of all organizations is for that of the operator', async () => {
  operatorOrg = 'another';
  const { vector_search, incidents } = (await api.call('GET', '/api/system', { key: 'k' })).json;
  expect(incidents).toEqual({ pending: null });
  expect(vector_search).toEqual({
    method: 'exact',
    version: null,
    stored: null,
    indexed: null,
    memory: 5,
    reason: null,
  });
  operatorOrg = 'o';
});

test('a failed housekeeping task does not prevent the others and is tried again', async () => {
  const purged: string[] = [];
  let run = async () => {};
  const purge = (name: string) => async () => purged.push(name);
  createSystem({
    ...deps,
    housekeeping: [purge('first'), () => Promise.reject(new Error('locked')), purge('last')],
    jobs: {
      handle(_, handler) {
        run = handler as never;
      },
      schedule() {},
    },
  }).work();
  await expect(run()).rejects.toThrow('locked');
  expect(purged).toEqual(['first', 'last']);
});
