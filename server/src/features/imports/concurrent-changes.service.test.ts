import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Fault, startFaultyProxy } from '#test/servers/faulty-proxy';
import { startHuggingFaceHub } from '#test/servers/hugging-face-hub';
import { createVideo, type ImportService, openImportService } from './test-service.fixture.ts';

/** Changes while an import runs: of its integration, provider, rows, videos and of the database. */
const TOKEN = 'hf_example';
let service: ImportService;
let hub: Awaited<ReturnType<typeof startHuggingFaceHub>>;
let proxy: Awaited<ReturnType<typeof startFaultyProxy>>;

beforeAll(async () => {
  hub = await startHuggingFaceHub({ token: TOKEN, pageSize: 2 });
  proxy = await startFaultyProxy(hub.endpoint);
  service = await openImportService();
});
afterEach(() => proxy.heal());
afterAll(async () => {
  await service.close();
  await proxy.stop();
  await hub.stop();
});

/** An integration for a bucket with these objects. */
async function bucketOf(bucket: string, ...names: string[]): Promise<string> {
  for (const name of names) await put(bucket, name);
  return service.save('hf-bucket', { token: TOKEN, bucket, endpoint_url: proxy.endpoint });
}
const put = async (bucket: string, name: string) => hub.put(bucket, name, await createVideo(`${bucket} ${name}`));

async function begin(integration: string, body: object): Promise<string> {
  const { json, text } = await service.call('POST', '/api/hf-buckets/upload', { integration_id: integration, ...body });
  if (typeof json.import_job_id !== 'string') throw new Error(text);
  return json.import_job_id;
}
async function retry(id: string): Promise<void> {
  const { status, text } = await service.call('POST', `/api/import-jobs/${id}/retry`);
  expect(status, text).toBe(200);
}

const busy: Pick<Fault & { kind: 'answer' }, 'kind' | 'status' | 'headers' | 'times'> = {
  kind: 'answer',
  times: 1,
  // Longer than a single request waits.
  status: 429,
  headers: { 'retry-after': '60' },
};
const isPage: Fault['hits'] = ({ url }) => url!.includes('/tree') && url!.includes('cursor=');

test('an import does not read another bucket if its integration was changed', async () => {
  const integration = await bucketOf('ns/one', 'here.mp4');
  await put('ns/two', 'later.mp4');
  const id = await begin(integration, { files: ['here.mp4', 'later.mp4'] });
  await service.ended(id);
  const changeBucket = async (bucket: string) =>
    expect((await service.call('PATCH', `/api/cloud-integrations/${integration}`, { bucket })).status).toBe(200);
  await changeBucket('ns/two');
  await retry(id);
  expect(await service.ended(id)).toMatchObject({ status: 'partial', uploaded: 1, failed: 1, bucket: 'ns/one' });
  expect((await service.rows(id))[1]).toMatchObject({
    error: 'import_bucket_changed',
    message: expect.stringMatching(/now opens the bucket "ns\/two", but this import reads "ns\/one"/),
  });
  await changeBucket('ns/one');
  await put('ns/one', 'later.mp4');
  await retry(id);
  expect(await service.ended(id)).toMatchObject({ status: 'completed', uploaded: 2 });
});

test('objects that a busy provider could not check are retried, and the request fails if that concerns all', async () => {
  const integration = await bucketOf('ns/busy', 'a.mp4', 'b.mp4');
  proxy.inject({ hits: ({ url }) => url!.includes('/resolve/b.mp4'), ...busy });
  const id = await begin(integration, { files: ['a.mp4', 'b.mp4'] });
  expect(await service.ended(id)).toMatchObject({ status: 'completed', uploaded: 2, failed: 0 });
  proxy.inject({ hits: ({ url }) => url!.includes('/resolve/b.mp4'), ...busy });
  const refused = await service.call('POST', '/api/hf-buckets/upload', {
    integration_id: integration,
    files: ['b.mp4'],
  });
  expect([refused.status, refused.json.error]).toEqual([502, 'bucket_busy']);
});

test('a listing resumes after failed pages, and imports each object once', async () => {
  const names = Array.from({ length: 6 }, (_, i) => `in/${i}.mp4`);
  const integration = await bucketOf('ns/pages', ...names);
  // The first is retried by the request, the second by the next attempt of the job.
  proxy.inject({ hits: isPage, kind: 'answer', times: 1, status: 500 }, { hits: isPage, ...busy });
  const id = await begin(integration, { prefix: 'in/' });
  expect(await service.ended(id)).toMatchObject({ status: 'completed', total: 6, uploaded: 6, error: null });
  const uris = (await service.rows(id)).map((row) => row.import_source_uri);
  expect(uris).toEqual(names.map((name) => `hf://buckets/ns/pages/${name}`));
});

test('while a bucket is listed, totals count the rows so far, and the integration cannot change its bucket', async () => {
  const integration = await bucketOf('ns/long', ...Array.from({ length: 6 }, (_, i) => `in/${i}.mp4`));
  // The last page fails for a while.
  const last: Fault['hits'] = ({ url }) => url!.includes('/tree') && url!.includes('cursor=4');
  proxy.inject({ hits: last, kind: 'answer', status: 429, headers: { 'retry-after': '60' } });
  const id = await begin(integration, { prefix: 'in/' });
  const page = async (query: string) => (await service.call('GET', `/api/import-jobs/${id}/videos${query}`)).json;
  await expect.poll(async () => (await page('')).total).toBe(4);
  expect(await page('?limit=3')).toMatchObject({ total: 4, video_count: 3, has_more: true });
  expect(await page('?offset=3')).toMatchObject({ total: 4, video_count: 1, has_more: false });
  expect((await service.call('GET', `/api/import-jobs/${id}`)).json).toMatchObject({
    listed: false,
    status: 'importing',
  });
  const patch = (changes: object) => service.call('PATCH', `/api/cloud-integrations/${integration}`, changes);
  await put('ns/other', 'in/5.mp4');
  const moved = await patch({ bucket: 'ns/other' });
  expect([moved.status, moved.json.error]).toEqual([409, 'integration_in_use']);
  expect((await patch({ name: 'Renamed' })).status).toBe(200);
  proxy.heal();
  expect(await service.ended(id)).toMatchObject({ status: 'completed', listed: true, total: 6 });
  expect(await page('')).toMatchObject({ total: 6, video_count: 6, has_more: false });
});

test('a retried import continues a failed listing at its cursor', async () => {
  const integration = await bucketOf('ns/refused', ...Array.from({ length: 4 }, (_, i) => `in/${i}.mp4`));
  proxy.inject({ hits: isPage, kind: 'answer', status: 403 });
  const id = await begin(integration, { prefix: 'in/' });
  expect(await service.ended(id)).toMatchObject({
    status: 'partial',
    total: 2,
    uploaded: 2,
    failed: 0,
    error: 'bucket_access_denied',
    message: expect.stringMatching(/does not allow these credentials to list/),
  });
  proxy.heal();
  await retry(id);
  expect(await service.ended(id, 15_000)).toMatchObject({ status: 'completed', total: 4, uploaded: 4, error: null });
});

test('a page shows no rows beyond its total while rows are inserted', async () => {
  const integration = await bucketOf('ns/growing', 'a.mp4');
  const id = await begin(integration, { prefix: '' });
  await service.ended(id);
  const { db } = service.library.database;
  const page = await db.transaction().execute(async (trx) => {
    // Requests for the rows wait until another one is inserted.
    await sql`lock table import_rows in access exclusive mode`.execute(trx);
    const pending = service.call('GET', `/api/import-jobs/${id}/videos`);
    const waits = async () =>
      (await sql`select from pg_locks where not granted and relation = 'import_rows'::regclass`.execute(trx)).rows
        .length;
    await expect.poll(waits, { interval: 10 }).toBeGreaterThan(0);
    await sql`
      insert into import_rows (video_id, object_id, job_id, position, object_key, status, record_created)
      values ('one-more', 'one-more', ${id}, 2, 'b.mp4', 'UPLOADED', false)`.execute(trx);
    await sql`update import_jobs set total = 2, objects = 2, uploaded = 2 where id = ${id}`.execute(trx);
    return { pending };
  });
  const { json } = await page.pending;
  expect([json.total, json.video_count, (json.videos as unknown[]).length]).toEqual([2, 2, 2]);
});

test('an internal error does not fail rows', async () => {
  const integration = await bucketOf('ns/ours', 'a.mp4');
  const id = await begin(integration, { files: ['a.mp4', 'b.mp4'] });
  await service.ended(id);
  await put('ns/ours', 'b.mp4');
  const { db } = service.library.database;
  const row = () =>
    db.selectFrom('importRows').selectAll().where('jobId', '=', id).where('position', '=', 2).executeTakeFirst();
  await sql`alter table integrations rename to renamed`.execute(db);
  try {
    await retry(id);
    await expect.poll(async () => (await row())!.attempts).toBeGreaterThan(1);
    expect(await row()).toMatchObject({ status: 'PROCESSING', problemCode: null });
  } finally {
    await sql`alter table renamed rename to integrations`.execute(db);
  }
  expect(await service.ended(id)).toMatchObject({ status: 'completed', uploaded: 2 });
});

test('a completed set is published without a view that was erased meanwhile', async () => {
  const published: unknown[] = [];
  service.library.events.subscribe('views.linked', async (_, { views }) => {
    published.push(views.map(({ role, videoId }) => `${role} ${videoId}`));
  });
  const integration = await bucketOf('ns/views', 'front.mp4', 'left.mp4');
  const views = { front: 'front.mp4', left: 'left.mp4', right: 'right.mp4' };
  const id = await begin(integration, { sets: [{ views }] });
  await service.ended(id);
  const { front, left, right } = (await service.rows(id))[0]!.views as Record<string, { video_id: string }>;
  expect((await service.call('DELETE', `/api/video/${left!.video_id}`)).status).toBe(200);
  const erased = async () =>
    (await service.library.database.db.selectFrom('videos').select('id').where('id', '=', left!.video_id).execute())
      .length === 0;
  await expect.poll(erased).toBe(true);
  await put('ns/views', 'right.mp4');
  await retry(id);
  expect(await service.ended(id)).toMatchObject({ status: 'completed', uploaded: 3 });
  expect(published).toEqual([[`front ${front!.video_id}`, `right ${right!.video_id}`]]);
});
