import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { RECORDED } from '#features/audit/operations';
import { KEYED_OPERATIONS, type OperationContext, type PreparedRequest } from './api/keyed-operations.ts';
import { type Operations, openOperations } from './api/operation-context.ts';
import { fetchDocument, listOperations } from './api/operations.ts';
import { appCode } from './authenticator.ts';
import type { ApiResponse } from './http.ts';
import { createBrowser, PASSWORD, tokenFromUrl } from './people.ts';

/** Calls each operation that the audit log records, and looks for its entries. */
const { s3Server, gcsServer } = inject('programs');

/** The answer of a recipient of mail, with a link from a mail, in `messaging.service.test.ts`. */
const BY_LINK = ['answerMailRecipient'];
/** They download or store model files, which `models.service.test.ts` does. */
const MODELS = ['downloadModel', 'cancelModelDownload', 'provideModelFile', 'removeModel'];

const post = async ({ app, key }: OperationContext, path: string, json: object = {}) => {
  const answer = await app.api.call('POST', path, { key, json });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.json as Record<string, string>;
};
const dataset = async (ground: OperationContext) =>
  (await post(ground, '/api/data-curation/datasets', { name: 'Night', video_ids: [ground.videoId] })).id!;
const direct = async (ground: OperationContext) =>
  (await post(ground, '/api/direct-uploads', { size_bytes: ground.clip.length })).upload_id!;
const session = async (ground: OperationContext) =>
  (await post(ground, '/api/live/start-session', { source_url: 'rtsp://camera.example/1', name: 'Gate' })).session_id!;
const views = async (ground: OperationContext) => {
  const prepared = await KEYED_OPERATIONS.unlinkViews!(ground);
  return prepared.params!;
};

type Prepared = (ground: OperationContext) => PreparedRequest | Promise<PreparedRequest>;

/** Recorded operations that take no `Idempotency-Key`, with a key. */
const OTHERS: Record<string, Prepared> = {
  exportAuditEvents: () => ({ query: '?format=csv' }),
  signVideoUrl: (g) => ({ params: [g.videoId], json: {} }),
  signVideoUrls: (g) => ({ json: { requests: [{ request_id: 'a', video_id: g.videoId }] } }),
  signViews: async (g) => ({ params: await views(g), json: {} }),
  testIntegration: async (g) => {
    const { params } = await KEYED_OPERATIONS.changeIntegration!(g);
    return { params };
  },
  downloadDataset: async (g) => ({ params: [await dataset(g)] }),
  downloadDatasetVersion: async (g) => {
    const id = await dataset(g);
    await post(g, `/api/datasets/${id}/versions`);
    await sql`update dataset_versions set status = 'ready' where dataset_id = ${id}`.execute(
      g.app.sightline.database.db,
    );
    return { params: [id, '1'] };
  },
  refreshDatasetExport: async (g) => ({
    params: [(await post(g, '/api/exports/dataset', { video_ids: [g.videoId], event_ids: [] })).export_id!],
  }),
  testCameraSource: () => ({ json: { source_url: 'rtsp://camera.example/1' } }),
  testCamera: async (g) => {
    const json = { name: 'Gate', source_url: 'rtsp://camera.example/1', enabled: false };
    return { params: [(await post(g, '/api/cameras', json)).camera_id!] };
  },
  signLiveManifest: async (g) => ({ params: [await session(g)] }),
  endDirectUpload: async (g) => ({ params: [await direct(g)] }),
};

type Browser = ReturnType<typeof createBrowser>;

/** Sets a second factor up. Returns a recovery code. */
async function setSecondFactor(browser: Browser) {
  const { key } = (await browser.post('/api/auth/second-factor', { password: PASSWORD })).json as { key: string };
  const confirmed = await browser.post('/api/auth/second-factor/confirm', { code: appCode(key) });
  return { confirmed, code: (confirmed.json.recovery_codes as string[])[0]! };
}

/** Recorded operations of signed-in users, each on a new session. */
const IN_SESSION: Record<
  string,
  (browser: Browser, user: { email: string; sessionId: string }) => Promise<ApiResponse>
> = {
  signIn: (browser, { email }) => browser.signIn(email),
  changeProfile: (browser) => browser.send('PATCH', '/api/auth/profile', { json: { name: 'Ada' } }),
  changePassword: (browser) =>
    browser.post('/api/auth/password', { current_password: PASSWORD, new_password: `${PASSWORD} 2` }),
  confirmSecondFactor: (browser) => setSecondFactor(browser).then(({ confirmed }) => confirmed),
  turnOffSecondFactor: async (browser) => {
    const { code } = await setSecondFactor(browser);
    return browser.post('/api/auth/second-factor/turn-off', { password: PASSWORD, code });
  },
  replaceRecoveryCodes: async (browser) => {
    const { code } = await setSecondFactor(browser);
    return browser.post('/api/auth/second-factor/recovery-codes', { password: PASSWORD, code });
  },
  endSession: (browser, { sessionId }) => browser.send('DELETE', `/api/auth/sessions/${sessionId}`),
  signOut: (browser) => browser.post('/api/auth/sign-out'),
  signOutEverywhere: (browser) => browser.post('/api/auth/sign-out-everywhere'),
};

describe.skipIf(!s3Server || !gcsServer)('the audit log', () => {
  let operations: Operations;
  let described: Map<string, ReturnType<typeof listOperations>[number]>;
  let last = '';

  beforeAll(async () => {
    operations = await openOperations({ logLevel: 'silent' });
    described = new Map(listOperations(await fetchDocument(operations.app.api)).map((each) => [each.id, each]));
  });
  afterAll(() => operations.close());

  const db = () => operations.app.sightline.database.db;
  /** Entries since the last call. */
  async function newEntries() {
    const rows = await db().selectFrom('auditEvents').selectAll().where('id', '>', last).orderBy('id').execute();
    last = rows.at(-1)?.id ?? last;
    return rows;
  }
  async function send(id: string, { params = [], query = '', ...request }: PreparedRequest, key: string) {
    const { path, method } = described.get(id)!;
    const left = [...params];
    const url = path.replace(/\{\w+\}/g, () => left.shift()!) + query;
    return operations.app.api.call(method, url, { key, ...request, headOfStream: id === 'streamQuery' });
  }
  const keyId = async (key: string) => (await operations.app.sightline.keys.authenticate(key)).keyId;

  /** A signed-in browser of a new member. */
  async function signedIn() {
    const { people } = operations.app.sightline;
    const email = `${Math.random().toString(36).slice(2)}@example.com`;
    const { url } = await people.links.invite(operations.ground.owner.orgId, { email, role: 'member' }, null);
    const browser = createBrowser(operations.app.api);
    const accepted = await browser.post('/api/auth/accept', { token: tokenFromUrl(url), password: PASSWORD });
    expect(accepted.status, accepted.text).toBe(200);
    const { session_id, user_id } = accepted.json as Record<string, string>;
    return { browser, email, sessionId: session_id!, userId: user_id! };
  }

  test('is tested with each operation that it records', () => {
    const tested = [KEYED_OPERATIONS, OTHERS, IN_SESSION].flatMap((table) => Object.keys(table));
    const missing = Object.keys(RECORDED).filter(
      (id) => ![...tested, ...MODELS, ...BY_LINK, 'acceptLink'].includes(id),
    );
    expect(missing).toEqual([]);
  });

  test.each(Object.entries({ ...KEYED_OPERATIONS, ...OTHERS }).filter(([id]) => id in RECORDED))(
    'has an entry for %s',
    async (id, prepare) => {
      const request = await prepare(operations.ground);
      await newEntries();
      const { status, text } = await send(id, request, operations.ground.key);
      expect(status, text).toBeLessThan(300);
      const entries = (await newEntries()).filter(({ operation }) => operation === id);
      expect(entries.length).toBeGreaterThan(0);
      expect(entries.map(({ action }) => action)).toContain(RECORDED[id]!.action);
      for (const entry of entries) {
        expect(entry).toMatchObject({
          outcome: 'succeeded',
          orgId: operations.ground.owner.orgId,
          userId: operations.ground.owner.userId,
          keyId: await keyId(operations.ground.key),
          address: expect.stringMatching(/127\.0\.0\.1/),
        });
        expect(entry.subjectId).toMatch(/^[\w.-]+$/);
      }
    },
  );

  test.each(Object.entries(IN_SESSION))('has an entry for %s', async (id, request) => {
    const { browser, ...user } = await signedIn();
    await newEntries();
    const { status, text } = await request(browser, user);
    expect(status, text).toBeLessThan(300);
    const entry = (await newEntries()).find(({ operation }) => operation === id);
    expect(entry).toMatchObject({
      action: RECORDED[id]!.action,
      outcome: 'succeeded',
      userId: user.userId,
      keyId: null,
    });
    expect(entry!.sessionId).not.toBeNull();
  });

  test('has an entry for acceptLink', async () => {
    await newEntries();
    const { userId } = await signedIn();
    const entries = (await newEntries()).filter(({ operation }) => operation === 'acceptLink');
    expect(entries.map(({ action }) => action)).toContain('session.created');
    expect(entries.at(-1)).toMatchObject({ userId, keyId: null });
  });

  test('has an entry for each object of one request, and one for a repeated request', async () => {
    const { ground, keyOf } = operations;
    const request = await KEYED_OPERATIONS.deleteVideos!(ground);
    const { video_ids: ids } = request.json as { video_ids: string[] };
    await newEntries();
    for (let n = 0; n < 2; n++) {
      const headers = { 'idempotency-key': 'twice' };
      await send('deleteVideos', { ...request, headers }, keyOf.write!);
    }
    const entries = await newEntries();
    expect(entries.map(({ subjectId }) => subjectId).sort()).toEqual([...ids].sort());
    const json = await operations.app.api.call('GET', `/api/audit-events?subject_id=${ids[0]}`, { key: ground.key });
    expect(json.json.events).toMatchObject([
      {
        action: 'video.deleted',
        operation: 'deleteVideos',
        outcome: 'succeeded',
        detail: { video_name: expect.any(String) },
      },
    ]);
  });

  test('has no entry if the change fails, and neither has the change if its entry fails', async () => {
    const { ground, app } = operations;
    await newEntries();
    expect((await app.api.call('DELETE', '/api/folders/none', { key: ground.key })).status).toBe(404);
    expect(await newEntries()).toEqual([]);
    await sql`alter table audit_events add constraint broken check (action <> 'folder.created') not valid`.execute(
      db(),
    );
    try {
      const { status } = await app.api.call('POST', '/api/folders', { key: ground.key, json: { name: 'Unrecorded' } });
      expect(status).toBe(500);
      const { json } = await app.api.call('GET', '/api/folders?limit=100', { key: ground.key });
      expect(JSON.stringify(json)).not.toContain('Unrecorded');
    } finally {
      await sql`alter table audit_events drop constraint broken`.execute(db());
    }
  });

  test('has an entry for a refusal, once a minute', async () => {
    const { ground, keyOf, app } = operations;
    const [stranger] = (await KEYED_OPERATIONS.deleteVideo!(ground)).params!;
    await newEntries();
    for (let n = 0; n < 3; n++) await app.api.call('DELETE', `/api/video/${stranger}`, { key: keyOf.read });
    expect(await newEntries()).toMatchObject([
      {
        action: 'video.deleted',
        operation: 'deleteVideo',
        outcome: 'refused',
        subjectId: stranger,
        keyId: await keyId(keyOf.read!),
        detail: { reason: 'scope_missing' },
      },
    ]);
  });
});
