// What becomes of recordings when something is wrong with them, with what is said of them, or with us.
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeQuota } from '#features/videos/index';
import { createJobs } from '#platform/jobs/index';
import { createLog } from '#platform/log';
import { startTestApp, type TestApp } from '#test/app';
import { afterNs, json, levelOf, type RecordingPlan, recordingBytes, ros1Stamp, stillPicture } from '#test/recordings';
import { BOMBS } from '../../engine/recording/bombs.fixture.ts';
import { expireIngests } from './jobs.ts';

let app: TestApp;
let key: string;
beforeAll(async () => {
  app = await startTestApp({ SIGHTLINE_RESTORE_HOURS: '0' });
  const { keys, accounts } = app.sightline;
  const owner = (await accounts.owner())!;
  key = (await keys.create({ ...owner, name: 'writer', scopes: ['read', 'write'] })).key;
});
afterAll(() => app.close());

const call = (method: string, path: string, body?: object) => app.api.call(method, path, { key, json: body });

type Derived = {
  channel: string;
  part: number;
  status: string;
  video_id: string | null;
  start_time: string | null;
  error: string | null;
};
type Ingest = Record<string, unknown> & {
  mcap_ingest_id: string;
  status: string;
  error: string | null;
  derived_videos: Derived[];
  video_ids: string[];
};

const camera = json('foxglove.CompressedImage');

/** `seconds` of one picture a second of each topic; no two recordings have the same pictures. */
let made = 0;
function recording(topics: readonly string[], seconds = 3): Promise<Buffer> {
  const first = 7 * ++made;
  const frame = (i: number, timeS: number) =>
    camera.encode({
      timestamp: ros1Stamp(afterNs(timeS)),
      format: 'jpeg',
      data: stillPicture(levelOf(i) + (first % 16)),
    });
  const plan: RecordingPlan = {
    channels: topics.map((topic) => ({ topic, ...camera })),
    messages: Array.from({ length: seconds }, (_, i) =>
      topics.map((_, channel) => ({ channel, logNs: afterNs(i), data: frame(first + i + channel, i) })),
    ).flat(),
  };
  return recordingBytes(plan);
}

async function uploaded(bytes: Buffer, more: object = {}): Promise<string> {
  const { json } = await call('POST', '/api/mcap/create-ingest', {
    ...{ filename: 'drive.mcap', size_bytes: bytes.length, ...more },
  });
  const url = new URL(String(json.upload_url));
  const put = await app.api.call('PUT', url.pathname + url.search, { body: new Uint8Array(bytes) });
  expect(put.status, put.text).toBe(200);
  return String(json.mcap_ingest_id);
}

async function ended(id: string): Promise<Ingest> {
  for (;;) {
    const { json, status, text } = await call('GET', `/api/mcap/${id}`);
    expect(status, text).toBe(200);
    if (['completed', 'partial', 'failed'].includes(String(json.status))) return json as Ingest;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function ingested(bytes: Buffer, more: object = {}, roles: object = {}): Promise<Ingest> {
  const id = await uploaded(bytes, more);
  expect((await call('POST', `/api/mcap/${id}/process`, roles)).status).toBe(200);
  return ended(id);
}

test('roles that do not fit are told, cost no video, and can be said again', async () => {
  const topics = ['/camera/front', '/camera/rear'];
  const ingest = await ingested(await recording(topics), {}, { front_channel: '/camera/fornt' });
  expect(ingest).toMatchObject({
    status: 'partial',
    error: 'The recording has no channel of pictures "/camera/fornt"; its channels are /camera/front, /camera/rear.',
    derived_videos: [{ status: 'completed' }, { status: 'completed' }],
    views: { front: expect.any(String), rear: expect.any(String) },
  });
  const again = await call('POST', `/api/mcap/${ingest.mcap_ingest_id}/stitch`, { front_channel: '/camera/rear' });
  expect(again.json).toMatchObject({ status: 'completed', error: null });
});

test('views are those of the videos that are there', async () => {
  const topics = ['/camera/front', '/camera/left', '/camera/rear'];
  const ingest = await ingested(await recording(topics));
  const [front, left, rear] = ingest.video_ids;
  expect((await call('DELETE', `/api/video/${front}`)).status).toBe(200);
  const { database } = app.sightline;
  await expect.poll(() => database.db.selectFrom('videos').select('id').where('id', '=', front!).execute()).toEqual([]);
  const told = { video_ids: [left, rear], primary_view_id: left, views: { left, rear } };
  const stitched = await call('POST', `/api/mcap/${ingest.mcap_ingest_id}/stitch`, {});
  expect(stitched.json, stitched.text).toMatchObject(told);
  expect((await call('GET', `/api/multi-view/${rear}`)).json).toMatchObject({ primary_view_id: left });
});

test('a stretch that does not fit into the space fails alone', async () => {
  const bytes = await recording(['/camera/front'], 30);
  const whole = await ingested(bytes, { chunk_size: 10 });
  expect(whole.derived_videos.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
  const { json: usage } = await call('GET', '/api/usage');
  const { database, accounts } = app.sightline;
  const { orgId } = (await accounts.owner())!;
  const id = await uploaded(await recording(['/camera/front'], 30), { chunk_size: 10 });
  const { size_bytes } = (await call('GET', `/api/mcap/${id}`)).json;
  const { bytes: each } = await database.db
    .selectFrom('videos')
    .select(({ fn }) => fn.max('size_bytes').as('bytes'))
    .where('id', 'in', whole.video_ids)
    .executeTakeFirstOrThrow();
  await changeQuota(database.db, orgId, { maxBytes: Number(usage.bytes) + Number(size_bytes) + 1.5 * Number(each) });
  await call('POST', `/api/mcap/${id}/process`, {});
  const ingest = await ended(id);
  await changeQuota(database.db, orgId, { maxBytes: null });
  expect(ingest.status).toBe('partial');
  expect(ingest.derived_videos.map(({ part, status }) => [part, status])).toEqual([
    [0, 'completed'],
    [1, 'failed'],
    [2, 'failed'],
  ]);
  expect(ingest.video_ids).toHaveLength(1);
});

test('a recording that cannot be processed leaves no video that is forever on its way', async () => {
  const { config, database } = app.sightline;
  const bytes = await recording(['/camera/front']);
  const id = await uploaded(bytes);
  const before = (await call('GET', '/api/usage')).json.bytes;
  // Nothing can be written where the files of videos lie.
  const folder = join(config.dataDir, 'files', 'contents');
  await rename(folder, `${folder}-aside`);
  await writeFile(folder, '');
  const hurry = setInterval(
    () => void sql`update pgboss.job set start_after = now() where state = 'retry'`.execute(database.db),
    100,
  );
  const over = async () => {
    const { rows } = await sql`select from pgboss.job where name = 'mcap.process' and data->>'ingestId' = ${id}
      and state in ('failed', 'completed')`.execute(database.db);
    return rows.length;
  };
  await call('POST', `/api/mcap/${id}/process`, {});
  await expect.poll(over, { timeout: 30_000 }).toBe(1);
  await rm(folder);
  await rename(`${folder}-aside`, folder);
  const ingest = await ended(id);
  clearInterval(hurry);
  expect(ingest).toMatchObject({ status: 'failed', derived_videos: [{ status: 'failed' }] });
  const video = await call('GET', `/api/video/${ingest.derived_videos[0]!.video_id}/status`);
  expect(video.json).toMatchObject({ status: 'uploading_failed' });
  expect((await call('GET', '/api/usage')).json.bytes).toBe(Number(before) - bytes.length);
});

test('names of channels may be anything', async () => {
  const topics = ['/camera/\0front', `/${'x'.repeat(6_000)}`, '/same', '/same', '/same#2'];
  const ingest = await ingested(await recording(topics));
  expect(ingest, String(ingest.error)).toMatchObject({ status: 'completed' });
  expect(new Set(ingest.derived_videos.map(({ channel }) => channel)).size).toBe(topics.length);
});

test.each([
  'a chunk of zeros, zstd',
  '7 million empty messages in small chunks of foxglove.CompressedImage, without an index',
  'empty messages in one chunk',
])('%s: the ingest fails and says why', async (name) => {
  const { bytes, reason } = BOMBS[name]!;
  const { status, error } = await ingested(bytes());
  expect([status, error]).toEqual(['failed', expect.stringMatching(reason)]);
});

describe('a recording that measured a minute', () => {
  const speed = json('test.Number');
  const minute = (pictures: number): Promise<Buffer> =>
    recordingBytes({
      channels: [
        { topic: '/camera/front', ...camera },
        { topic: '/vehicle/speed_kmh', ...speed },
      ],
      messages: [
        ...Array.from({ length: pictures }, (_, i) => ({
          channel: 0,
          logNs: afterNs(i),
          data: camera.encode({ format: 'jpeg', data: stillPicture(levelOf(i)) }),
        })),
        ...Array.from({ length: 601 }, (_, i) => ({
          channel: 1,
          logNs: afterNs(i / 10),
          data: speed.encode({ data: i > 300 && i < 400 ? 90 : 30 }),
        })),
      ],
    });
  async function asked(videoId: string, query: string) {
    const { json } = await call('POST', '/api/router/v2/query/start', { query, video_ids: [videoId], mode: 'fast' });
    const batch = String(json.batch_id);
    await expect
      .poll(async () => (await call('GET', `/api/batch/${batch}/status`)).json.status, { timeout: 60_000 })
      .toBe('completed');
    const { analyses } = (await call('POST', `/api/batch/${batch}/analyses/bulk`, { video_ids: [videoId] })).json;
    return (analyses as { events: Record<string, unknown>[]; analysis: Record<string, unknown> }[])[0]!;
  }

  test.each([
    ['with one picture of a camera', 1, 'partial', [['/camera/front', 'failed', /holds one picture/]]],
    ['without any picture', 0, 'completed', []],
  ] as const)('%s is kept, and what it measured can be searched', async (_, pictures, status, failed) => {
    const ingest = await ingested(await minute(pictures));
    expect(ingest, String(ingest.error)).toMatchObject({ status });
    for (const [channel, outcome, reason] of failed) {
      const film = ingest.derived_videos.find((each) => each.channel === channel);
      expect(film).toMatchObject({ status: outcome, video_id: null, error: expect.stringMatching(reason) });
      expect(ingest.error).toMatch(reason);
    }
    const kept = ingest.derived_videos.filter((each) => each.status === 'completed');
    expect(kept).toMatchObject([{ channel: '(telemetry)', duration_s: 60, notes: [expect.stringMatching(/empty/)] }]);
    expect(ingest).toMatchObject({ video_ids: [kept[0]!.video_id], video_id: kept[0]!.video_id });

    const fast = await asked(kept[0]!.video_id!, 'speed above 80 km/h');
    expect(fast.events, JSON.stringify(fast)).toHaveLength(1);
    const cars = await asked(kept[0]!.video_id!, 'a red car');
    expect(cars.events).toEqual([]);
    expect(JSON.stringify(cars.analysis)).toMatch(/has no camera that could be read/);
  });
});

test('times may be anything', async () => {
  const at = (sec: number) => ({ timestamp: { sec, nsec: 0 }, format: 'jpeg', data: stillPicture(levelOf(1)) });
  const startOf = async (logNs: (i: number) => bigint) => {
    const bytes = await recordingBytes({
      channels: [{ topic: '/camera/front', ...camera }],
      messages: [0, 1, 2].map((i) => ({ channel: 0, logNs: logNs(i), data: camera.encode(at(10 ** 14 + i)) })),
    });
    const ingest = await ingested(bytes);
    expect(ingest).toMatchObject({
      status: 'completed',
      derived_videos: [{ frame_count: 3, duration_s: expect.closeTo(2, 1) }],
    });
    return ingest.derived_videos[0]!.start_time;
  };
  expect(await startOf(afterNs)).toBe(new Date(Number(afterNs(0) / 1_000_000n)).toISOString());
  // Counted from when the recorder started.
  expect(await startOf((i) => BigInt(i) * 1_000_000_000n)).toBeNull();
});

test('all that nobody has processed for two days is given up, however much that is', async () => {
  const { database } = app.sightline;
  const id = await uploaded(await recording(['/camera/front']));
  await sql`insert into mcap_ingests (id, org_id, owner_id, scope, filename, source_uri, status, created_at)
    select id || n, org_id, owner_id, scope, filename, source_uri, 'created', now() - interval '49 hours'
    from mcap_ingests, generate_series(1, 120) as n where id = ${id}`.execute(database.db);
  const jobs = createJobs({ database, log: createLog('silent'), definitions: [expireIngests] });
  await database.transaction((trx) => jobs.send(trx, expireIngests, {}));
  const waiting = () => database.db.selectFrom('mcap_ingests').select('id').where('status', '=', 'created').execute();
  await expect.poll(waiting, { timeout: 15_000 }).toEqual([]);
  await jobs.close();
});
