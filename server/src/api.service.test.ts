import { afterAll, beforeAll, expect, test } from 'vitest';
import { CATALOG, createModelFolder } from '#engine/index';
import { createAccounts, type Owner } from '#features/accounts/index';
import { createEvents } from '#features/events/index';
import { createFolders, foldersRoutes } from '#features/folders/index';
import { createKeys, type Keys, keysRoutes } from '#features/keys/index';
import { createModels, createSystem, createWorkload, systemRoutes } from '#features/system/index';
import type { Database } from '#platform/db/index';
import { type App, createIdempotencyStore, renderOpenApi } from '#platform/http/index';
import { createLog } from '#platform/log';
import { createWalkKeys, walkAuthentication } from '#test/api/auth-walk';
import { openTestDatabase } from '#test/database/test-database';
import { type ApiClient, type CallOptions, listen } from '#test/http';
import { createApi } from './api.ts';

type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: object[];
  parameters?: { name: string; description?: string; schema: object }[];
  responses: Record<string, { description: string; content?: object }>;
};

const log = createLog('silent');
let database: Database;
let keys: Keys;
let owner: Owner;
let app: App;
let api: ApiClient;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ database, close } = await openTestDatabase());
  keys = createKeys({ database, log });
  owner = await database.transaction((trx) => createAccounts({ database }).bootstrap(trx));
  const models = createModels({
    database,
    log,
    catalog: CATALOG,
    folder: createModelFolder('no models'),
    mirror: null,
    downloadsAllowed: false,
    operatorOrg: async () => owner.orgId,
    // Requests about models that do not exist reach none of these.
    storage: {} as never,
    jobs: {} as never,
    net: {} as never,
    engine: {} as never,
  });
  const system = createSystem({
    version: '1.2.3',
    engine: {
      version: 'e1',
      observers: async () => [],
      detectors: async () => [],
      visionProfiles: () => [],
      languageModel: () => null,
    },
    checks: [{ name: 'database', check: database.ping }],
    limits: {
      uploadBytes: 1,
      jsonBytes: 1,
      queryLength: 1,
      videosPerQuery: 1,
      videoSeconds: 1,
      writesPerMinute: 1,
      writesPerDay: 1,
      readsPerMinute: 1,
      waitingJobs: 1,
      openUploads: 1,
    },
    storage: 'file',
    pendingIncidents: async () => 0,
    vectorSearch: async () => ({
      method: 'exact',
      version: null,
      stored: 0,
      indexed: 0,
      memory: 1,
      reason: null,
    }),
    operatorOrg: async () => owner.orgId,
    runsAs: { user: 'sightline', isRoot: false },
    sandbox: { level: 'isolated', hasOwnUser: true, missing: [] },
    models,
    workload: createWorkload({
      jobs: { queues: async () => [], workers: async () => [] },
      operatorOrg: async () => owner.orgId,
    }),
    housekeeping: [],
    jobs: { handle() {}, schedule() {} },
    log,
  });
  app = createApi({
    log,
    bodyBytes: 1 << 20,
    authenticate: keys.authenticate,
    idempotency: createIdempotencyStore(database),
    rooms: [
      (app) => keysRoutes(app, keys),
      (app) => foldersRoutes(app, createFolders({ database, events: createEvents({ database }) })),
      (app) => systemRoutes(app, system),
    ],
  });
  api = await listen(app);
});
afterAll(async () => {
  await app.close();
  await keys.close();
  await close();
});

const documentOf = async () => (await api.call('GET', '/openapi.json')).json as never;

test('each response states the version of the interface, also an error', async () => {
  for (const path of ['/health', '/nowhere']) {
    expect((await api.call('GET', path)).headers.get('api-version')).toBe('1.0.0');
  }
});

test('every route refuses every key that is not enough', async () => {
  const walk = await walkAuthentication(api, await documentOf(), await createWalkKeys(database, keys, owner));
  expect(walk.wrong).toEqual([]);
  expect(walk.walked).toBeGreaterThanOrEqual(5);
});

test('verify says whose key it is, from either header, with or without a body', async () => {
  const { key, record } = await keys.create({ ...owner, name: 'mine', scopes: ['admin'] });
  const expected = {
    valid: true,
    user_id: owner.userId,
    uid: owner.userId,
    email: owner.email,
    org_id: owner.orgId,
    key_id: record.keyId,
    scope: ['admin'],
    permissions: ['read', 'write', 'admin'],
    expires_at: record.expiresAt.toISOString(),
  };
  const attempts: CallOptions[] = [
    { headers: { 'x-api-key': key } },
    { headers: { authorization: `Bearer ${key}` } },
    {
      headers: {
        authorization: `Bearer ${key}`,
        'x-api-key': key,
        'idempotency-key': 'a',
        'content-type': 'application/json',
      },
    },
    { key, json: { collection: 'videos' } },
  ];
  for (const attempt of attempts) {
    expect(await api.call('POST', '/api/keys/verify', attempt)).toMatchObject({ status: 200, json: expected });
  }
});

test('every operation is described, with every status', async () => {
  const { paths, components } = (await documentOf()) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, unknown> };
  };
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  expect(components.schemas).toMatchObject({ ErrorResponse: {}, Plan: {}, Folder: {} });
  expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(operations.length);
  for (const operation of operations) {
    const name = operation.operationId;
    expect(operation.summary, name).toBeTruthy();
    expect(operation.description, name).toMatch(/Needs /);
    expect(operation.tags, name).toHaveLength(1);
    expect(operation.responses['200'], name).toBeDefined();
    expect(operation.responses['500'], name).toBeDefined();
    for (const parameter of operation.parameters ?? [])
      expect(parameter.description, `${name} ${parameter.name}`).toBeTruthy();
    for (const [status, response] of Object.entries(operation.responses)) {
      expect(response.description, `${name} ${status}`).not.toBe('Default Response');
    }
    if (operation.security.length > 0)
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['400', '401', '403', '429']));
  }
  const create = paths['/api/folders']!.post!;
  expect(Object.keys(create.responses)).toEqual(expect.arrayContaining(['409', '413', '415']));
  expect(create.parameters?.map((p) => p.name)).toEqual(['idempotency-key']);
  expect(paths['/health']!.get!.security).toEqual([]);
});

test('a union of constants is one enum with one description', async () => {
  const { paths } = (await documentOf()) as { paths: Record<string, Record<string, Operation>> };
  const scope = paths['/api/folders/get']!.get!.parameters!.find((parameter) => parameter.name === 'scope');
  expect(scope).toMatchObject({ schema: { type: 'string', enum: ['user', 'org'] } });
  expect(JSON.stringify(scope).match(/Scope to search/g)).toHaveLength(1);
});

test('the document renders the same each time and ends with a newline', async () => {
  const text = renderOpenApi(app);
  expect(text).toBe(renderOpenApi(app));
  expect(text.endsWith('}\n')).toBe(true);
  const paths = Object.keys(JSON.parse(text).paths);
  expect(paths).toEqual([...paths].sort());
});

test('the drawn documentation needs no network beyond this server', async () => {
  const page = await api.call('GET', '/docs/');
  expect(page.status).toBe(200);
  const sources = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
  expect(sources.length).toBeGreaterThan(3);
  for (const source of sources) {
    expect(source).not.toMatch(/^(https?:)?\/\//);
    const { pathname } = new URL(source, `${api.base}/docs/`);
    expect((await api.call('GET', pathname)).status, pathname).toBe(200);
  }
});
