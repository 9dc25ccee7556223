// The whole way over HTTP: recordings made by code become videos, views, telemetry and answers.
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { changeQuota } from '#features/videos/index';
import { createJobs } from '#platform/jobs/index';
import { createLog } from '#platform/log';
import { startTestApp, type TestApp } from '#test/app';
import { type CallOptions, client } from '#test/http';
import {
  afterNs,
  json,
  type Kind,
  levelOf,
  type RecordingPlan,
  recordingBytes,
  ros1Stamp,
  ros2,
  ros2Stamp,
  stillPicture,
} from '#test/recordings';
import { expireIngests } from './jobs.ts';
import { assignRoles } from './roles.ts';
import { NO_ROLES } from './types.ts';

let app: TestApp;
let key: string;
let reader: string;
beforeAll(async () => {
  app = await startTestApp({ SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8' });
  const { keys, accounts } = app.sightline;
  const owner = (await accounts.owner())!;
  key = (await keys.create({ ...owner, name: 'writer', scopes: ['read', 'write'] })).key;
  reader = (await keys.create({ ...owner, name: 'reader', scopes: ['read'] })).key;
});
afterAll(() => app.close());

const call = (method: string, path: string, options: CallOptions = {}) =>
  app.api.call(method, path, { key, ...options });

type Derived = Record<string, unknown> & { channel: string; status: string; video_id: string };
type Ingest = Record<string, unknown> & { status: string; derived_videos: Derived[]; views: Record<string, string> };

async function created(bytes: Buffer, more: object = {}) {
  const { status, json } = await call('POST', '/api/mcap/create-ingest', {
    json: { filename: 'drive.mcap', size_bytes: bytes.length, folder_id: null, scope: 'user', ...more },
  });
  expect(status).toBe(200);
  const url = new URL(json.upload_url as string);
  const put = (body: Buffer) =>
    app.api.call('PUT', url.pathname + url.search, {
      body: new Uint8Array(body),
      headers: json.upload_headers as Record<string, string>,
    });
  return { id: json.mcap_ingest_id as string, put };
}

async function ended(id: string): Promise<Ingest> {
  for (;;) {
    const { json } = await call('GET', `/api/mcap/${id}`);
    if (['completed', 'partial', 'failed'].includes(String(json.status))) return json as Ingest;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function ingested(bytes: Buffer, more: object = {}, roles: object = {}): Promise<Ingest> {
  const { id, put } = await created(bytes, more);
  expect((await put(bytes)).json).toEqual({ mcap_ingest_id: id, status: 'uploaded' });
  expect((await call('POST', `/api/mcap/${id}/process`, { json: roles })).status).toBe(200);
  return ended(id);
}

const camera = json('foxglove.CompressedImage');
const imu = ros2('sensor_msgs/msg/Imu');
const frame = (i: number, timeS: number) =>
  camera.encode({ timestamp: ros1Stamp(afterNs(timeS)), format: 'jpeg', data: stillPicture(levelOf(i)) });

/** Two cameras at different rates, the second a quarter of a second later and with a gap from 4 to 7 s; an IMU that feels braking from 5 to 7 s; a camera that sends rubbish. */
function drive(): RecordingPlan {
  const messages: { channel: number; logNs: bigint; data: Uint8Array }[] = [];
  const add = (channel: number, timeS: number, data: Uint8Array) =>
    messages.push({ channel, logNs: afterNs(timeS + 0.01), data });
  for (let i = 0; i < 100; i++) add(0, i / 10, frame(i, i / 10));
  for (let i = 0; i < 50; i++) {
    const timeS = 0.25 + i / 5;
    if (timeS < 4 || timeS > 7) add(1, timeS, frame(i, timeS));
  }
  for (let i = 0; i < 1000; i++) {
    const timeS = i / 100;
    const zero = { x: 0, y: 0, z: 0 };
    const felt = { x: timeS >= 5 && timeS < 7 ? -6 : 0, y: 0, z: 9.8 };
    const header = { stamp: ros2Stamp(afterNs(timeS)), frame_id: 'imu' };
    add(2, timeS, imu.encode({ header, angular_velocity: zero, linear_acceleration: felt }));
  }
  for (let i = 0; i < 5; i++) add(3, i, camera.encode({ format: 'jpeg', data: Buffer.from('rubbish') }));
  messages.sort((a, b) => Number(a.logNs - b.logNs));
  return {
    channels: [
      { topic: '/camera/front/image', ...camera },
      { topic: '/camera/rear/image', ...camera },
      { topic: '/imu', ...imu },
      { topic: '/camera/left/image', ...camera },
    ],
    messages,
  };
}

describe('a recording', () => {
  let bytes: Buffer;
  let ingest: Ingest;
  beforeAll(async () => {
    bytes = await recordingBytes(drive());
    ingest = await ingested(bytes, { sha256: createHash('sha256').update(bytes).digest('hex') });
  });

  const derived = (channel: string) => ingest.derived_videos.find((each) => each.channel === channel)!;

  test('becomes videos, each with its times; a channel that fails fails by name', () => {
    expect(ingest).toMatchObject({
      status: 'partial',
      error: expect.stringMatching(/\/camera\/left\/image: None of its frames could be read/),
      recording: {
        indexed: true,
        telemetry: { accelerationMps2: '/imu' },
        lost: [],
        start_time: '2025-06-15T15:06:40.010Z',
      },
    });
    expect(derived('/camera/front/image')).toMatchObject({
      ...{
        status: 'completed',
        role: 'front',
        offset_s: 0,
        frame_count: 100,
        gaps: [],
        duration_s: 9.9,
        drift_ppm: null,
      },
    });
    expect(derived('/camera/rear/image')).toMatchObject({
      ...{ status: 'completed', role: 'rear', offset_s: 0.25, duration_s: 9.8 },
      gaps: [{ start_s: 3.6, end_s: 6.8 }],
    });
    expect(derived('/camera/left/image')).toMatchObject({ status: 'failed', video_id: null });
    const [front, rear] = [derived('/camera/front/image').video_id, derived('/camera/rear/image').video_id];
    expect(ingest).toMatchObject({
      ...{ views: { front, rear }, primary_view_id: front, primary_video_id: front, video_id: front },
      ...{ video_ids: [front, rear], videos_by_channel: { '/camera/front/image': front }, videos_by_role: { rear } },
    });
  });

  test('its videos lie in the library, with their telemetry', async () => {
    const { json: status } = await call('GET', `/api/video/${ingest.primary_view_id}/status`);
    expect(status).toMatchObject({ status: 'uploaded', video_name: 'drive.mcap /camera/front/image' });
    const { json } = await call('GET', `/api/videos?source=mcap`);
    expect((json.videos as object[]).length).toBeGreaterThanOrEqual(2);
  });

  test('is asked in words of what was measured, from all sides at once, and answers each happening once', async () => {
    const asked = await call('POST', `/api/multi-view/${ingest.primary_view_id}/query`, {
      json: { query: 'braking harder than 4 m/s²' },
    });
    expect(asked.json).toMatchObject({ total: 2, status: 'processing' });
    for (;;) {
      const { json } = await call('GET', `/api/batch/${asked.json.batch_id}/status`);
      if (json.status !== 'processing') break;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    const { json } = await call('POST', '/api/fuse_multiview_results', {
      json: { batch_ids: [asked.json.batch_id], view_keys: ['front', 'rear'] },
    });
    expect(json).toMatchObject({ view_types: ['front', 'rear'], unmatched_results: [] });
    const [{ events }] = json.results as [{ events: { start_s: number; end_s: number; views: { role: string }[] }[] }];
    const asDocument = await call('POST', `/api/batch/${asked.json.batch_id}/analyses/bulk`, {
      json: { video_ids: [ingest.primary_view_id] },
    });
    const [document] = asDocument.json.analyses as { events: object[]; analysis: { events: object[] } }[];
    expect(document!.events[0]).toMatchObject({ overlay: { frame_acceleration_mps2: { start: expect.any(Number) } } });
    expect(document!.analysis.events[0]).toMatchObject({ data: { frame_acceleration_mps2_end: expect.any(Number) } });
    expect(events).toHaveLength(1);
    expect(events[0]!.start_s).toBeCloseTo(5, 0);
    expect(events[0]!.end_s).toBeCloseTo(7, 0);
    expect(events[0]!.views.map(({ role }) => role)).toContain('front');
  });

  test('is played from all sides', async () => {
    const { json } = await call('POST', `/api/multi-view/${ingest.views.rear}/signed-urls`, { key: reader });
    const views = json.views as { role: string; offset_s: number; url: string }[];
    expect(views.map(({ role, offset_s }) => [role, offset_s])).toEqual([
      ['front', 0],
      ['rear', 0.25],
    ]);
    const url = new URL(views[1]!.url);
    expect((await client(app.api.base).call('HEAD', url.pathname + url.search)).status).toBe(200);
  });

  test('is stitched again with other roles', async () => {
    const stitch = (body: object) => call('POST', `/api/mcap/${ingest.mcap_ingest_id}/stitch`, { json: body });
    const again = await stitch({
      front_channel: 'camera/rear/image',
      channel_roles: { '/camera/front/image': 'roof' },
      channel_labels: { '/camera/front/image': 'On the roof' },
    });
    const { front, rear } = ingest.views;
    expect(again.json).toMatchObject({ views: { front: rear, roof: front }, primary_view_id: rear, status: 'partial' });
    expect((await call('GET', `/api/multi-view/${front}`)).json).toMatchObject({
      primary_view_id: rear,
      details: [
        { role: 'front', offset_s: 0 },
        { role: 'roof', offset_s: -0.25, label: 'On the roof' },
      ],
    });
    for (const [body, error] of [
      [{ front_channel: '/camera/top' }, 'mcap_channel_unknown'],
      [{ front_channel: '/imu' }, 'mcap_channel_unknown'],
      [{ channel_roles: { '/camera/front/image': 'a', '/camera/rear/image': 'A' } }, 'mcap_role_repeated'],
      [
        { front_channel: '/camera/front/image', channel_roles: { '/camera/rear/image': 'front' } },
        'mcap_role_repeated',
      ],
      [{ channel_roles: { '/camera/front/image': 'über' } }, 'mcap_role_invalid'],
    ] as const) {
      expect((await stitch(body)).json).toMatchObject({ error });
    }
    await stitch({});
    expect((await call('GET', `/api/multi-view/${front}`)).json).toMatchObject({
      primary_view_id: front,
      details: [{ label: 'On the roof' }, { label: null }],
    });
    await stitch({ channel_labels: { 'camera/front/image': '' } });
    expect((await call('GET', `/api/multi-view/${front}`)).json.details).toMatchObject([
      { label: null },
      { label: null },
    ]);
  });

  test('is cut into stretches, each a set of views', async () => {
    const cut = await ingested(bytes, { chunk_size: 10 });
    expect(cut.chunk_size).toBe(10);
    const long = await recordingBytes({
      channels: [{ topic: '/cam', ...camera }],
      messages: Array.from({ length: 50 }, (_, i) => ({ channel: 0, logNs: afterNs(i / 2), data: frame(i, i / 2) })),
    });
    const { derived_videos, video_ids } = await ingested(long, { chunk_size: 10 });
    expect(derived_videos.map(({ part, frame_count, duration_s }) => [part, frame_count, duration_s])).toEqual([
      [0, 20, 9.5],
      [1, 20, 9.5],
      [2, 10, 4.5],
    ]);
    expect(video_ids).toHaveLength(3);
  });
});

describe('what is refused', () => {
  const small = (options: RecordingPlan['options'] = {}) =>
    recordingBytes({
      channels: [{ topic: '/cam', ...camera }],
      messages: Array.from({ length: 5 }, (_, i) => ({ channel: 0, logNs: afterNs(i), data: frame(i, i) })),
      options,
    });

  test('bad channels among ten thousand fail by name, and cost no other one anything', async () => {
    const ros = ros2('sensor_msgs/msg/CompressedImage');
    const wrong = { ...ros, schema: { ...ros.schema, data: Buffer.from('no definition at all !') } };
    const stray = Buffer.alloc(40, 0xff);
    const bad: [topic: string, kind: Kind, data: Uint8Array, reason: RegExp][] = [
      ['/bad/schema', wrong, stray, /schema does not parse/],
      ['/bad/messages', ros, stray, /None of its frames/],
    ];
    const good = ['/cam', '/cam', '/back'].map((topic) => ({ topic, ...camera }));
    const others = Array.from({ length: 10_000 }, (_, i) => ({ topic: `/t${i}`, ...json('test.Number') }));
    const bytes = await recordingBytes({
      channels: [...good, ...bad.map(([topic, kind]) => ({ topic, ...kind })), ...others],
      messages: Array.from({ length: 10 }, (_, i) => [
        // The third camera's time goes backwards once.
        ...[i, i, i === 5 ? 4 : i].map((at, channel) => ({
          channel,
          logNs: afterNs(i),
          data: frame(channel * 40 + i, at),
        })),
        ...bad.map(([, , data], n) => ({ channel: good.length + n, logNs: afterNs(i), data })),
        { channel: good.length + bad.length + i * 1_000, logNs: afterNs(i), data: stray },
      ]).flat(),
    });
    const ingest = await ingested(bytes);
    expect(ingest.status).toBe('partial');
    const of = (channel: string) => ingest.derived_videos.find((each) => each.channel === channel);
    for (const [topic, , , reason] of bad) {
      expect(of(topic)).toMatchObject({ status: 'failed', video_id: null, error: expect.stringMatching(reason) });
    }
    expect(['/cam#0', '/cam#1'].map((name) => of(name)?.frame_count)).toEqual([10, 10]);
    expect(of('/back')).toMatchObject({ status: 'completed', frame_count: 9 });
    expect(ingest.derived_videos).toHaveLength(good.length + bad.length);
    expect((ingest.recording as { channels: object[] }).channels).toHaveLength(10_005);
  }, 60_000);

  test('a file of another size or digest; twice; a token of another', async () => {
    const bytes = await small();
    const { id, put } = await created(bytes, { sha256: 'ab'.repeat(32) });
    expect((await call('POST', `/api/mcap/${id}/process`, { json: {} })).json).toMatchObject({
      error: 'mcap_not_uploaded',
    });
    expect((await put(bytes.subarray(1))).json).toMatchObject({ error: 'mcap_size_mismatch' });
    expect((await put(bytes)).json).toMatchObject({ error: 'mcap_digest_mismatch' });
    const other = await created(bytes);
    expect((await other.put(bytes)).status).toBe(200);
    expect((await other.put(bytes)).json).toMatchObject({ error: 'mcap_already_uploaded' });
    expect((await app.api.call('PUT', `/api/mcap/${id}/file?token=no.thing`, { body: 'x' })).status).toBe(403);
    expect((await call('GET', '/api/mcap/019a0b1c2d3e7f008000000000000099')).json).toMatchObject({
      error: 'mcap_ingest_not_found',
    });
    expect((await call('POST', '/api/mcap/create-ingest', { key: reader, json: {} })).status).toBe(403);
  });

  test('what nobody has processed for two days is given up, and its file goes', async () => {
    const bytes = await small();
    const { id, put } = await created(bytes);
    expect((await put(bytes)).status).toBe(200);
    const { database, config } = app.sightline;
    const { storage_key } = await database.db
      .selectFrom('mcap_ingests')
      .select('storage_key')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const stored = () => readdir(join(config.dataDir, 'files', dirname(storage_key!))).catch(() => []);
    expect(await stored()).toHaveLength(1);
    await sql`update mcap_ingests set created_at = now() - interval '49 hours' where id = ${id}`.execute(database.db);
    const jobs = createJobs({ database, log: createLog('silent'), definitions: [expireIngests] });
    await database.transaction((trx) => jobs.send(trx, expireIngests, {}));
    expect(await ended(id)).toMatchObject({ status: 'failed', error: expect.stringMatching(/two days/) });
    await expect.poll(stored).toEqual([]);
    await jobs.close();
  });

  test('what is had processed just when it would be given up is not given up, and keeps its file', async () => {
    const bytes = await small();
    const { id, put } = await created(bytes);
    await put(bytes);
    const { database } = app.sightline;
    await sql`update mcap_ingests set created_at = now() - interval '49 hours' where id = ${id}`.execute(database.db);
    const jobs = createJobs({ database, log: createLog('silent'), definitions: [expireIngests] });
    await database.transaction(async (trx) => {
      // As `process` does; the other sees what was before until this is done.
      await sql`update mcap_ingests set status = 'processing' where id = ${id}`.execute(trx);
      await database.transaction((other) => jobs.send(other, expireIngests, {}));
      const held = sql`select from pg_stat_activity
        where wait_event_type = 'Lock' and query like '%mcap_ingests%' and datname = current_database()`;
      await expect.poll(async () => (await held.execute(database.db)).rows.length, { timeout: 20_000 }).toBe(1);
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { rows } = await sql<{
      status: string;
      key: string;
    }>`select status, storage_key as key from mcap_ingests where id = ${id}`.execute(database.db);
    expect(rows).toMatchObject([{ status: 'processing' }]);
    expect(await readdir(join(app.sightline.config.dataDir, 'files', dirname(rows[0]!.key)))).toHaveLength(1);
    await jobs.close();
  });

  test('a file that comes after it was given up is told so', async () => {
    const bytes = await small();
    const { id, put } = await created(bytes);
    const expired = { status: 'failed', problem_code: 'mcap_expired' };
    await app.sightline.database.db.updateTable('mcap_ingests').set(expired).where('id', '=', id).execute();
    const late = await put(bytes);
    expect([late.status, late.json.error]).toEqual([410, 'mcap_expired']);
  });

  test.each<[string, () => Promise<Buffer>, string, RegExp]>([
    ['no recording', async () => Buffer.from('this is no recording'), 'failed', /not an MCAP recording/],
    [
      'one without pictures',
      () => recordingBytes({ channels: [{ topic: '/imu', ...imu }], messages: [] }),
      'failed',
      /no channel of pictures|no picture and no measurement/,
    ],
    [
      'one of a compression that is not known',
      async () => await small({ compressChunk: (data) => ({ compression: 'snappy', compressedData: data }) }),
      'failed',
      /unsupported compression snappy/i,
    ],
    [
      'one without chunks and with a wrong checksum',
      async () => {
        const bytes = await small({ useChunks: false });
        bytes[bytes.indexOf('"nsec":0') + 7] = '1'.charCodeAt(0);
        return bytes;
      },
      'partial',
      /checksum/,
    ],
    ['one that is cut off', async () => (await small()).subarray(0, -400), 'partial', /middle of the recording|index/],
  ])('%s ends in a clean state', async (_, make, status, error) => {
    const ingest = await ingested(await make());
    expect(ingest).toMatchObject({ status, error: expect.stringMatching(error) });
  });
});

describe('the space of an organisation', () => {
  // Bytes that the library has already take up nothing more.
  const recordingOf = (level: number) =>
    recordingBytes({
      channels: [{ topic: '/cam', ...camera }],
      messages: Array.from({ length: 5 }, (_, i) => ({ channel: 0, logNs: afterNs(i), data: frame(level + i, i) })),
    });
  const used = async () => Number((await call('GET', '/api/usage')).json.bytes);
  const most = async (maxBytes: number | null) => {
    const { orgId } = (await app.sightline.accounts.owner())!;
    await changeQuota(app.sightline.database.db, orgId, { maxBytes });
  };
  afterEach(() => most(null));

  test('is held for a recording from its first word on, and then taken by its videos', async () => {
    const [before, bytes] = [await used(), await recordingOf(20)];
    const { id, put } = await created(bytes);
    expect(await used()).toBe(before + bytes.length);
    await most(before + bytes.length);
    const more = await call('POST', '/api/mcap/create-ingest', { json: { filename: 'more.mcap', size_bytes: 1 } });
    expect([more.status, more.json.error]).toEqual([403, 'quota_exceeded']);
    await most(null);
    await put(bytes);
    await call('POST', `/api/mcap/${id}/process`);
    const { video_ids } = await ended(id);
    const { json } = await call('GET', `/api/video/${(video_ids as string[])[0]}/status`);
    expect(await used()).toBe(before + Number((json.metadata as { size_bytes: number }).size_bytes));
  });

  test('that videos do not fit into is said, and what was held is free again', async () => {
    const [before, bytes] = [await used(), await recordingOf(30)];
    const { id, put } = await created(bytes);
    await put(bytes);
    await most(before + bytes.length);
    await call('POST', `/api/mcap/${id}/process`);
    expect(await ended(id)).toMatchObject({ status: 'failed', error: expect.stringMatching(/may store/) });
    expect(await used()).toBe(before);
  });
});

describe('views of uploaded videos', () => {
  test('are linked, described and ended', async () => {
    const upload = async (level: number) => {
      const bytes = await recordingBytes({
        channels: [{ topic: '/cam', ...camera }],
        messages: Array.from({ length: 5 }, (_, i) => ({ channel: 0, logNs: afterNs(i), data: frame(level + i, i) })),
      });
      return String((await ingested(bytes)).primary_view_id);
    };
    const [a, b] = [await upload(0), await upload(1)];
    const linked = await call('POST', '/api/multi-view/stitch', {
      json: { primary_view_id: a, views: { Front: a, rear: b }, offsets: { rear: 1.5 }, labels: null },
    });
    expect(linked.json).toMatchObject({ primary_view_id: a, views: { front: a, rear: b } });
    expect((await call('GET', `/api/multi-view/${b}`)).json.details).toMatchObject([
      { offset_s: 0 },
      { offset_s: 1.5 },
    ]);
    for (const views of [{ rear: a }, { rear: b, left: b }, {}]) {
      const { json } = await call('POST', '/api/multi-view/stitch', { json: { primary_view_id: a, views } });
      expect(json).toMatchObject({ error: 'views_invalid' });
    }
    expect((await call('DELETE', `/api/multi-view/${b}`)).json).toMatchObject({
      status: 'unlinked',
      primary_view_id: a,
    });
    expect((await call('GET', `/api/multi-view/${a}`)).json).toMatchObject({ error: 'views_not_found' });
  });
});

test('roles are guessed from topics, never against what is said', () => {
  const rolesOf = (channels: string[], said = NO_ROLES) =>
    Object.fromEntries(assignRoles(channels, said).map(({ channel, role }) => [channel, role]));
  expect(rolesOf(['/cam/front', '/cam/constructor'])).toMatchObject({ '/cam/constructor': 'constructor' });
  const topics = ['/cam/rear/image_raw', '/cam/front_left/compressed', '/cam/forward/h264', '/cam_2/image'];
  expect(rolesOf(topics)).toEqual({
    '/cam/forward/h264': 'front',
    '/cam/rear/image_raw': 'rear',
    '/cam/front_left/compressed': 'front_left',
    '/cam_2/image': '2',
  });
  expect(rolesOf(topics, { ...NO_ROLES, channelRoles: { '/cam_2/image': 'front' } })).toMatchObject({
    '/cam_2/image': 'front',
    '/cam/forward/h264': 'front_2',
  });
  expect(rolesOf(['/usb_cam/image_raw'])).toEqual({ '/usb_cam/image_raw': 'front' });
});
