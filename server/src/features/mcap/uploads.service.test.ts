// Uploads of recordings, the expiry of ingests and the quota.
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { setQuota } from '#features/videos/index';
import { createJobs } from '#platform/jobs/index';
import { createLog } from '#platform/log';
import { expireIngests } from './jobs.ts';
import { cameraRecording, type McapService, startMcapService } from './mcap.fixture.ts';

let service: McapService;
let reader: string;
beforeAll(async () => {
  service = await startMcapService();
  const { keys } = service.app.sightline;
  reader = (await keys.create({ ...service.owner, name: 'reader', scopes: ['read'] })).key;
});
afterAll(() => service.close());

test('an upload of another size or digest, a second one, and one without a valid token are rejected', async () => {
  const bytes = await cameraRecording();
  const { id, put } = await service.create(bytes, { sha256: 'ab'.repeat(32) });
  expect((await service.call('POST', `/api/mcap/${id}/process`, {})).json).toMatchObject({
    error: 'mcap_not_uploaded',
  });
  expect((await put(bytes.subarray(1))).json).toMatchObject({ error: 'mcap_size_mismatch' });
  expect((await put(bytes)).json).toMatchObject({ error: 'mcap_digest_mismatch' });
  const other = await service.create(bytes);
  expect((await other.put(bytes)).status).toBe(200);
  expect((await other.put(bytes)).json).toMatchObject({ error: 'mcap_already_uploaded' });
  expect((await service.app.api.call('PUT', `/api/mcap/${id}/file?token=not.valid`, { body: 'x' })).status).toBe(403);
  expect((await service.call('GET', '/api/mcap/019a0b1c2d3e7f008000000000000099')).json).toMatchObject({
    error: 'mcap_ingest_not_found',
  });
  expect((await service.call('POST', '/api/mcap/create-ingest', {}, reader)).status).toBe(403);
});

test('ingests are listed newest first, page by page', async () => {
  const bytes = await cameraRecording();
  const [first, second] = [await service.create(bytes), await service.create(bytes)];
  const list = async (query: string) => (await service.call('GET', `/api/mcap?${query}`, undefined, reader)).json;
  const newest = await list('limit=1');
  expect(newest).toMatchObject({
    has_more: true,
    ingests: [{ mcap_ingest_id: second.id, status: 'created', error: null }],
  });
  expect(await list(`limit=1&cursor=${newest.next_cursor}`)).toMatchObject({ ingests: [{ mcap_ingest_id: first.id }] });
  expect(await list('cursor=nothing')).toMatchObject({ error: 'cursor_invalid' });
});

test('an ingest that is not processed within two days fails, and its file is deleted', async () => {
  const bytes = await cameraRecording();
  const { id, put } = await service.create(bytes);
  expect((await put(bytes)).status).toBe(200);
  const { database, config } = service.app.sightline;
  const { storageKey: storage_key } = await database.db
    .selectFrom('mcapIngests')
    .select('storageKey')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const stored = () => readdir(join(config.dataDir, 'files', dirname(storage_key!))).catch(() => []);
  expect(await stored()).toHaveLength(1);
  await sql`update mcap_ingests set created_at = now() - interval '49 hours' where id = ${id}`.execute(database.db);
  const jobs = createJobs({ database, log: createLog('silent'), definitions: [expireIngests] });
  await database.transaction((trx) => jobs.send(trx, expireIngests, {}));
  expect(await service.waitUntilEnded(id)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/two days/),
  });
  await expect.poll(stored).toEqual([]);
  await jobs.close();
});

test('an ingest that is processed while it would expire does not expire, and keeps its file', async () => {
  const bytes = await cameraRecording();
  const { id, put } = await service.create(bytes);
  await put(bytes);
  const { database } = service.app.sightline;
  await sql`update mcap_ingests set created_at = now() - interval '49 hours' where id = ${id}`.execute(database.db);
  const jobs = createJobs({ database, log: createLog('silent'), definitions: [expireIngests] });
  await database.transaction(async (trx) => {
    // As `process` does. The job sees the previous state until this transaction ends.
    await sql`update mcap_ingests set status = 'processing' where id = ${id}`.execute(trx);
    await database.transaction((other) => jobs.send(other, expireIngests, {}));
    const blocked = sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and query like '%mcap_ingests%' and datname = current_database()`;
    await expect.poll(async () => (await blocked.execute(database.db)).rows.length).toBe(1);
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const { rows } = await sql<{
    status: string;
    key: string;
  }>`select status, storage_key as key from mcap_ingests where id = ${id}`.execute(database.db);
  expect(rows).toMatchObject([{ status: 'processing' }]);
  expect(await readdir(join(service.app.sightline.config.dataDir, 'files', dirname(rows[0]!.key)))).toHaveLength(1);
  await jobs.close();
});

test('an upload to an expired ingest is rejected with 410', async () => {
  const bytes = await cameraRecording();
  const { id, put } = await service.create(bytes);
  const expired = { status: 'failed', problem_code: 'mcap_expired' };
  await service.app.sightline.database.db.updateTable('mcapIngests').set(expired).where('id', '=', id).execute();
  const response = await put(bytes);
  expect([response.status, response.json.error]).toEqual([410, 'mcap_expired']);
});

test('any number of ingests expire', async () => {
  const { database } = service.app.sightline;
  const id = await service.upload(await cameraRecording());
  await sql`insert into mcap_ingests (id, org_id, owner_id, scope, filename, source_uri, status, created_at)
    select id || n, org_id, owner_id, scope, filename, source_uri, 'created', now() - interval '49 hours'
    from mcap_ingests, generate_series(1, 120) as n where id = ${id}`.execute(database.db);
  const jobs = createJobs({ database, log: createLog('silent'), definitions: [expireIngests] });
  await database.transaction((trx) => jobs.send(trx, expireIngests, {}));
  const listWaiting = async () => {
    const ingests = database.db.selectFrom('mcapIngests').select('id').where('id', 'like', `${id}_%`);
    return ingests.where('status', '=', 'created').execute();
  };
  await expect.poll(listWaiting).toEqual([]);
  await jobs.close();
});

describe('the quota of an organization', () => {
  // The images differ, because equal files count once.
  const recordingOf = (first: number) => cameraRecording({ first });
  const used = async () => Number((await service.call('GET', '/api/usage')).json.bytes);
  const setMaxBytes = async (maxBytes: number | null) => {
    await setQuota(service.db, service.owner.orgId, { maxBytes });
  };
  afterEach(() => setMaxBytes(null));

  test('is reserved for a recording from its creation, then used by its videos', async () => {
    const [before, bytes] = [await used(), await recordingOf(20)];
    const { id, put } = await service.create(bytes);
    expect(await used()).toBe(before + bytes.length);
    await setMaxBytes(before + bytes.length);
    const more = await service.call('POST', '/api/mcap/create-ingest', { filename: 'more.mcap', size_bytes: 1 });
    expect([more.status, more.json.error]).toEqual([403, 'quota_exceeded']);
    await setMaxBytes(null);
    await put(bytes);
    await service.call('POST', `/api/mcap/${id}/process`);
    const { video_ids } = await service.waitUntilEnded(id);
    const { json } = await service.call('GET', `/api/video/${video_ids[0]}/status`);
    expect(await used()).toBe(before + Number((json.metadata as { size_bytes: number }).size_bytes));
  });

  test('that is too small for the videos fails the ingest, and the reservation ends', async () => {
    const [before, bytes] = [await used(), await recordingOf(30)];
    const { id, put } = await service.create(bytes);
    await put(bytes);
    await setMaxBytes(before + bytes.length);
    await service.call('POST', `/api/mcap/${id}/process`);
    expect(await service.waitUntilEnded(id)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/may store/),
    });
    expect(await used()).toBe(before);
  });
});
