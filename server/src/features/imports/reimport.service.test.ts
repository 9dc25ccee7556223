// Repeated imports skip objects unless they changed, were deleted, or `force` is given.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type GcsServer, startGcsServer } from '#test/servers/gcs-server';
import { startGoogleTokens } from '#test/servers/google-tokens';
import { startHuggingFaceHub } from '#test/servers/hugging-face-hub';
import { createS3TestClient } from '#test/servers/s3-client';
import { type S3Server, startS3Server } from '#test/servers/s3-server';
import { createVideo, type ImportService, openImportService, s3Keys } from './test-service.fixture.ts';

const { s3Server, gcsServer } = inject('programs');
const TOKEN = 'hf_example';
const WAIT = { timeout: 20_000, interval: 100 };
let service: ImportService;
let hub: Awaited<ReturnType<typeof startHuggingFaceHub>>;
let integration: string;

beforeAll(async () => {
  hub = await startHuggingFaceHub({ token: TOKEN });
  hub.put('ns/fleet', 'first.mp4', await createVideo('first'));
  service = await openImportService();
  integration = await service.save('hf-bucket', { token: TOKEN, bucket: 'ns/fleet', endpoint_url: hub.endpoint });
});
afterAll(async () => {
  await service.close();
  await hub.stop();
});

const put = async (...keys: string[]) => {
  for (const key of keys) hub.put('ns/fleet', key, await createVideo(key));
};
const start = async (body: object, path = '/api/hf-buckets/upload') => {
  const { status, text, json } = await service.call('POST', path, { integration_id: integration, ...body });
  expect(status, text).toBe(200);
  return json;
};
/** Runs an import to its end; returns it with its rows. */
async function imported(body: object, path?: string) {
  const started = await start(body, path);
  const job = await service.ended(String(started.import_job_id));
  return { started, job, rows: await service.rows(String(started.import_job_id)) };
}
const videosOf = async (uriPart: string) => {
  const { rows } = await sql<{ id: string }>`
    select id from videos where source_uri like ${`%${uriPart}%`} and deleted_at is null`.execute(
    service.library.database.db,
  );
  return rows.map(({ id }) => id);
};

describe('an object that was imported', () => {
  test('is skipped with the id of its video, by name and by prefix, and counts as uploaded', async () => {
    await put('same/a.mp4', 'same/b.mp4');
    const first = await imported({ files: ['same/a.mp4'] });
    expect(first.job).toMatchObject({ uploaded: 1, skipped: 0 });
    expect(first.rows).toMatchObject([{ skipped: null }]);
    const [id] = first.started.uploaded_video_ids as string[];

    const again = await imported({ files: ['same/a.mp4', 'same/b.mp4'] });
    expect(again.started).toMatchObject({ total: 2, skipped: 1 });
    expect((again.started.uploaded_video_ids as string[])[0]).toBe(id);
    expect(again.job).toMatchObject({ status: 'completed', total: 2, objects: 2, uploaded: 2, skipped: 1, failed: 0 });
    expect(again.rows).toMatchObject([
      { video_id: id, status: 'UPLOADED', skipped: 'already imported', error: null },
      { status: 'UPLOADED', skipped: null },
    ]);

    const all = await imported({ prefix: 'same/' });
    expect(all.started).toMatchObject({ uploaded_video_ids: [] });
    expect(all.job).toMatchObject({ status: 'completed', total: 2, uploaded: 2, skipped: 2 });
    expect(all.rows.map(({ video_id }) => video_id)).toEqual(again.rows.map(({ video_id }) => video_id));
    expect(await videosOf('same/')).toHaveLength(2);

    // The cursor of a skipped row is the existing video.
    const path = `/api/import-jobs/${all.job.id}/videos?limit=1`;
    const page = (await service.call('GET', path)).json;
    expect(page.next_cursor).toBe(id);
    const next = (await service.call('GET', `${path}&cursor=${page.next_cursor}`)).json;
    expect(next).toMatchObject({ videos: [{ video_id: all.rows[1]!.video_id }], has_more: false });
  });

  test('is imported again with `force`', async () => {
    await put('forced/a.mp4');
    const [first, second] = [
      await imported({ files: ['forced/a.mp4'] }),
      await imported({ prefix: 'forced/', force: true }),
    ];
    expect(second.job).toMatchObject({ uploaded: 1, skipped: 0 });
    expect(second.rows[0]!.video_id).not.toBe(first.rows[0]!.video_id);
    expect(await videosOf('forced/')).toHaveLength(2);
    // The newer video is the existing one from now on.
    expect((await imported({ files: ['forced/a.mp4'] })).rows).toMatchObject([{ video_id: second.rows[0]!.video_id }]);
  });

  test('is imported again after a change, and when its video was deleted or failed', async () => {
    await put('changed/a.mp4');
    hub.put('ns/fleet', 'changed/broken.mp4', Buffer.from('not a video'));
    const files = ['changed/a.mp4', 'changed/broken.mp4'];
    const first = await imported({ files });
    expect(first.job).toMatchObject({ uploaded: 1, failed: 1 });
    hub.put('ns/fleet', 'changed/a.mp4', await createVideo('another'));
    const changed = await imported({ files });
    expect(changed.job).toMatchObject({ uploaded: 1, failed: 1, skipped: 0 });
    await service.call('DELETE', `/api/video/${changed.rows[0]!.video_id}`);
    const after = await imported({ files: ['changed/a.mp4'] });
    expect(after.job).toMatchObject({ uploaded: 1, skipped: 0 });
    expect(after.rows[0]!.video_id).not.toBe(changed.rows[0]!.video_id);
  });

  test('is skipped by the first run of a scheduled import, which imports new objects later', async () => {
    await put('synced/a.mp4');
    const { rows } = await imported({ files: ['synced/a.mp4'] });
    const made = await service.call('POST', '/api/import-syncs', { integration_id: integration, prefix: 'synced/' });
    const ran = async () => {
      await service.call('POST', `/api/import-syncs/${made.json.id}/run`);
      return vi.waitFor(async () => {
        const { json } = await service.call('GET', `/api/import-syncs/${made.json.id}`);
        expect(Date.parse(String(json.next_run_at))).toBeGreaterThan(Date.now());
        const job = (await service.call('GET', `/api/import-jobs/${json.last_import_job_id}`)).json;
        expect(job.completed_at).toEqual(expect.any(String));
        return job;
      }, WAIT);
    };
    const first = await ran();
    expect(first).toMatchObject({ status: 'completed', total: 1, uploaded: 1, skipped: 1 });
    expect(await service.rows(String(first.id))).toMatchObject([
      { video_id: rows[0]!.video_id, skipped: 'already imported' },
    ]);
    await put('synced/b.mp4');
    expect(await ran()).toMatchObject({ status: 'completed', total: 1, uploaded: 1, skipped: 0 });
    expect(await videosOf('synced/')).toHaveLength(2);
  });

  test.each([1, 2, 3])('is imported by exactly one of many imports at the same time, round %i', async (round) => {
    const prefix = `race/${round}/`;
    const keys = ['a', 'b', 'c'].map((name) => `${prefix}${name}.mp4`);
    await put(...keys);
    const bodies = Array.from({ length: 8 }, (_, i) => (i % 2 ? { files: keys } : { prefix }));
    const all = await Promise.all(bodies.map((body) => imported(body)));
    expect(await videosOf(prefix)).toHaveLength(3);
    expect(all.reduce((sum, { job }) => sum + Number(job.skipped), 0)).toBe(7 * 3);
    for (const { rows } of all) {
      await vi.waitFor(async () => {
        const statuses = (await service.rows(String(all[0]!.job.id))).map(({ status }) => status);
        expect(statuses).toEqual(['UPLOADED', 'UPLOADED', 'UPLOADED']);
      }, WAIT);
      expect(rows.map(({ video_id }) => video_id).sort()).toEqual((await videosOf(prefix)).sort());
    }
    // The imports take their locks in one order.
    const { rows: statistics } = await sql<{ deadlocks: number }>`
      select deadlocks from pg_stat_database where datname = current_database()`.execute(service.library.database.db);
    expect(statistics).toEqual([{ deadlocks: 0 }]);
  });

  test('is skipped only for users who can see its video', async () => {
    await put('seen/own.mp4', 'seen/shared.mp4');
    const own = await imported({ files: ['seen/own.mp4'], scope: 'user' });
    const shared = await imported({ files: ['seen/shared.mp4'], scope: 'org' });
    const other = await service.library.addUser(service.library.owner.orgId);
    const { key } = await service.library.keyOf(other, ['read', 'write']);
    const body = { integration_id: integration, files: ['seen/own.mp4', 'seen/shared.mp4'], scope: 'user' };
    const { json } = await service.call('POST', '/api/hf-buckets/upload', body, key);
    const [mine, theirs] = json.uploaded_video_ids as string[];
    expect(mine).not.toBe(own.rows[0]!.video_id);
    expect(theirs).toBe(shared.rows[0]!.video_id);
    // An import for the organization does not skip an object whose video is personal.
    expect((await imported({ files: ['seen/own.mp4'], scope: 'org' })).job).toMatchObject({ skipped: 0 });
  });

  test('forms a set with new objects', async () => {
    await put('sets/front.mp4', 'sets/left.mp4');
    const front = (await imported({ files: ['sets/front.mp4'] })).rows[0]!.video_id;
    const sets = [{ views: { front: 'sets/front.mp4', left: 'sets/left.mp4' } }];
    const { job, rows } = await imported({ sets });
    expect(job).toMatchObject({ status: 'completed', total: 1, objects: 2, uploaded: 2, skipped: 1 });
    expect(rows).toMatchObject([{ video_id: front, status: 'UPLOADED', views: { front: { video_id: front } } }]);
    expect((await imported({ sets })).job).toMatchObject({ uploaded: 2, skipped: 2 });
  });
});

test('ten thousand existing objects are skipped page by page', async () => {
  const { db } = service.library.database;
  await put('many/0.mp4');
  const { rows, job } = await imported({ prefix: 'many/' });
  const video = String(rows[0]!.video_id);
  const clip = await createVideo('many/0.mp4');
  const keys = Array.from({ length: 10_000 }, (_, i) => `many/${i}.mp4`);
  for (const key of keys.slice(1)) hub.put('ns/fleet', key, clip);
  // Simulate an earlier import of all objects: a row and a video for each.
  await sql`insert into videos (id, org_id, owner_id, scope, name, source, source_uri, status, storage_key, size_bytes)
    select ${video} || '-' || n, org_id, owner_id, scope, name, source, source_uri, status, storage_key, size_bytes
    from videos, generate_series(1, 9999) n where id = ${video}`.execute(db);
  await sql`insert into import_rows (video_id, job_id, object_key, object_id, version, size_bytes, status, record_created)
    select ${video} || '-' || n, job_id, 'many/' || n || '.mp4', encode(sha256(convert_to(concat(
        j.org_id, E'\\n', j.provider, E'\\n', j.endpoint, E'\\n', j.bucket, E'\\n', 'many/' || n || '.mp4'), 'UTF8')), 'hex'),
      version, r.size_bytes, r.status, record_created
    from import_rows r join import_jobs j on j.id = r.job_id, generate_series(1, 9999) n where video_id = ${video}`.execute(
    db,
  );
  const all = await imported({ prefix: 'many/' });
  expect(all.job).toMatchObject({ total: 10_000, uploaded: 10_000, skipped: 10_000 });
  expect(job.id).not.toBe(all.job.id);
});

describe.skipIf(!s3Server || !gcsServer)('from S3 and Google Cloud Storage', () => {
  let s3: S3Server;
  let gcs: GcsServer;
  let tokens: Awaited<ReturnType<typeof startGoogleTokens>>;
  beforeAll(async () => {
    [s3, gcs, tokens] = await Promise.all([startS3Server(s3Server!), startGcsServer(gcsServer!), startGoogleTokens()]);
  });
  afterAll(async () => {
    for (const server of [s3, gcs, tokens]) await server.stop();
  });

  test('an object is identified by its ETag', async () => {
    const filler = createS3TestClient(s3.endpoint);
    await filler.makeBucket('fleet');
    await filler.put('fleet', 'a.mp4', await createVideo('s3'));
    const from = { integration_id: await service.save('s3', s3Keys(s3.endpoint, 'fleet')) };
    const first = await imported({ ...from, keys: ['a.mp4'] }, '/api/s3/upload');
    const again = await imported({ ...from, keys: ['a.mp4'] }, '/api/s3/upload');
    expect(again.rows).toMatchObject([{ video_id: first.rows[0]!.video_id, skipped: 'already imported' }]);
    await filler.put('fleet', 'a.mp4', await createVideo('s3, changed'));
    expect((await imported({ ...from, prefix: 'a' }, '/api/s3/upload')).job).toMatchObject({ uploaded: 1, skipped: 0 });
    filler.close();
  });

  test('an object is identified by its generation', async () => {
    await gcs.makeBucket('fleet');
    await gcs.put('fleet', 'a.mp4', await createVideo('gcs'));
    const account = { type: 'gcs', service_account: tokens.account, bucket: 'fleet', endpoint_url: gcs.endpoint };
    const from = { integration_id: await service.save('gcs', account), files: ['a.mp4'] };
    const first = await imported(from, '/api/gcs/upload');
    const again = await imported(from, '/api/gcs/upload');
    expect(again.rows).toMatchObject([{ video_id: first.rows[0]!.video_id, skipped: 'already imported' }]);
    await gcs.put('fleet', 'a.mp4', await createVideo('gcs, changed'));
    expect((await imported(from, '/api/gcs/upload')).job).toMatchObject({ uploaded: 1, skipped: 0 });
  });
});
