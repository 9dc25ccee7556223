import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createAudit } from '#features/audit/index';
import { startHuggingFaceHub } from '#test/servers/hugging-face-hub';
import { createVideo, type ImportService, openImportService } from './test-service.fixture.ts';

/** Scheduled imports whose creator loses permissions. */
const WAIT = { timeout: 20_000, interval: 100 };
const TOKEN = 'hf_example';
let service: ImportService;
let hub: Awaited<ReturnType<typeof startHuggingFaceHub>>;

beforeAll(async () => {
  hub = await startHuggingFaceHub({ token: TOKEN });
  hub.put('ns/drives', 'one.mp4', await createVideo('one.mp4'));
  service = await openImportService();
});
afterAll(async () => {
  await service.close();
  await hub.stop();
});

const bucket = () => ({ token: TOKEN, bucket: 'ns/drives', endpoint_url: hub.endpoint });

async function colleague() {
  const user = await service.library.addUser(service.library.owner.orgId);
  return { ...user, ...(await service.library.keyOf(user, ['read', 'write'])) };
}

const syncOf = async (key: string, integration: string) =>
  (await service.call('POST', '/api/import-syncs', { integration_id: integration, scope: 'org' }, key)).json.id;

const jobOf = async (id: unknown) => (await service.call('GET', `/api/import-jobs/${id}`)).json;

/** The scheduled import after another run, or once it has stopped. */
async function ran(id: unknown) {
  const response = await service.call('POST', `/api/import-syncs/${id}/run`);
  expect(response.status, response.text).toBe(200);
  return vi.waitFor(async () => {
    const { json } = await service.call('GET', `/api/import-syncs/${id}`);
    if (json.error !== null) return json;
    expect(Date.parse(String(json.next_run_at))).toBeGreaterThan(Date.now());
    expect((await jobOf(json.last_import_job_id)).completed_at).toEqual(expect.any(String));
    return json;
  }, WAIT);
}

test('a scheduled import stops with a reason when its creator is removed', async () => {
  const integration = await service.save('hf-bucket', bucket());
  const { key, userId } = await colleague();
  const id = await syncOf(key, integration);
  const running = await ran(id);
  expect(running).toMatchObject({ error: null, message: null, next_run_at: expect.any(String) });
  const { db } = service.library.database;
  await db.updateTable('users').set({ removedAt: new Date() }).where('id', '=', userId).execute();
  expect(await ran(id)).toMatchObject({
    error: 'sync_owner_left',
    message: expect.stringMatching(/create a new one/),
    next_run_at: null,
    last_import_job_id: running.last_import_job_id,
  });
});

test('it stops when its creator may no longer use the integration, and restarts when they may again', async () => {
  const integration = await service.save('hf-bucket', bucket());
  const id = await syncOf((await colleague()).key, integration);
  expect(await ran(id)).toMatchObject({ error: null });
  const share = (scope: string) => service.call('PATCH', `/api/cloud-integrations/${integration}`, { scope });
  expect((await share('user')).json).toMatchObject({ scope: 'user' });
  expect(await ran(id)).toMatchObject({ error: 'integration_forbidden', next_run_at: null });
  await share('org');
  expect(await ran(id)).toMatchObject({ error: null, next_run_at: expect.any(String) });
});

test('it stops when its folder is deleted, even when it is run manually', async () => {
  const integration = await service.save('hf-bucket', bucket());
  const folder = (await service.call('POST', '/api/folders', { name: 'Scheduled', scope: 'org' })).json.id;
  const made = await service.call('POST', '/api/import-syncs', { integration_id: integration, folder_id: folder });
  const running = await ran(made.json.id);
  expect(running).toMatchObject({ error: null, folder_id: folder });
  expect((await service.call('DELETE', `/api/folders/${folder}?videos=move_to_root`)).status).toBe(200);
  for (let times = 0; times < 2; times++) {
    expect(await ran(made.json.id)).toMatchObject({
      error: 'folder_not_found',
      next_run_at: null,
      last_import_job_id: running.last_import_job_id,
    });
  }
});

test('actions on a scheduled import are recorded in the audit log', async () => {
  const integration = await service.save('hf-bucket', bucket());
  const { key, userId, orgId } = await colleague();
  const id = await syncOf(key, integration);
  for (const [method, path] of [
    ['POST', `/api/import-syncs/${id}/run`],
    ['DELETE', `/api/import-syncs/${id}`],
  ] as const) {
    expect((await service.call(method, path, undefined, key)).status).toBe(200);
  }
  expect((await service.call('DELETE', `/api/import-syncs/${id}`, undefined, key)).status).toBe(404);
  const { events } = await createAudit(service.library).list(orgId, { limit: 1_000 });
  const detail = { integration_id: integration, prefix: '', folder_id: null, scope: 'org', every_minutes: 60 };
  const entry = (action: string) => ({ action, userId, keyId: expect.any(String), address: '127.0.0.1', detail });
  expect(events.filter(({ subjectId }) => subjectId === id)).toMatchObject([
    entry('import_sync.deleted'),
    entry('import_sync.run'),
    entry('import_sync.created'),
  ]);
});

test('a personal integration cannot be read or used by other users', async () => {
  const integration = await service.save('hf-bucket', { ...bucket(), scope: 'user' });
  const other = await colleague();
  const as = (method: string, path: string, json?: object) => service.call(method, path, json, other.key);
  const body = { integration_id: integration, files: ['one.mp4'] };
  for (const [method, path, json] of [
    ['GET', `/api/cloud-integrations/${integration}`],
    ['POST', `/api/cloud-integrations/${integration}/test`],
    ['DELETE', `/api/cloud-integrations/${integration}`],
    ['POST', '/api/hf-buckets/upload', body],
    ['POST', '/api/import-jobs/preview', { integration_id: integration }],
    ['POST', '/api/import-syncs', { integration_id: integration }],
  ] as const) {
    const response = await as(method, path, json);
    expect([path, response.status, response.json.error]).toEqual([path, 403, 'integration_forbidden']);
  }
  expect((await as('GET', '/api/cloud-integrations')).text).not.toContain(integration);
  hub.put('ns/own', 'one.mp4', await createVideo('own.mp4'));
  await service.save('hf-bucket', { ...bucket(), bucket: 'ns/own', scope: 'user' });
  const named = { bucket: 'ns/own', files: ['one.mp4'] };
  const mine = await service.call('POST', '/api/hf-buckets/upload', named);
  expect(mine.status, mine.text).toBe(200);
  // Without an integration the request is for a public bucket of the hub itself, which is not there.
  const publicly = await as('POST', '/api/hf-buckets/upload', named);
  expect([publicly.status, publicly.json.error], publicly.text).toEqual([502, 'bucket_unavailable']);

  const { key: admin } = await service.library.keyOf(await service.library.addUser(service.library.owner.orgId), [
    'admin',
  ]);
  const seen = await service.call('GET', `/api/cloud-integrations/${integration}`, undefined, admin);
  expect(seen.json).toMatchObject({ id: integration, scope: 'user', is_owner: false });
  expect((await service.call('POST', '/api/hf-buckets/upload', body, admin)).json.error).toBe('integration_forbidden');
});
