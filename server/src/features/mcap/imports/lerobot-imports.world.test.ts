// Datasets that LeRobot's own library wrote, in directories of third-party S3 and Google Cloud Storage servers.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startTestApp, type TestApp } from '#test/app';
import { type GcsServer, startGcsServer } from '#test/servers/gcs-server';
import { startGoogleTokens } from '#test/servers/google-tokens';
import { createS3TestClient } from '#test/servers/s3-client';
import { type S3Server, startS3Server } from '#test/servers/s3-server';

const { s3Server, gcsServer, lerobotReader, ffmpeg } = inject('programs');
const WRITER = fileURLToPath(new URL('./lerobot-writer.fixture.py', import.meta.url));
const LENGTHS = [20, 25, 30];
const CAMERAS = ['observation.images.front', 'observation.images.wrist'];
const ids = (video: Derived) => video.video_id;

type Json = Record<string, unknown>;
type Derived = {
  video_id: string;
  part: number;
  channel: string;
  role: string;
  notes: string[];
  frame_count: number;
  reencoded: boolean;
};
type Ingest = Json & { derived_videos: Derived[] };

describe.skipIf(!s3Server || !lerobotReader || !ffmpeg)('datasets of LeRobot', () => {
  let app: TestApp;
  let key: string;
  let server: S3Server;
  let google: GcsServer | null = null;
  let tokens: Awaited<ReturnType<typeof startGoogleTokens>>;
  let folder: string;
  let filler: ReturnType<typeof createS3TestClient>;
  /** Files of the datasets by path: `v2/meta/info.json`. */
  const files = new Map<string, Buffer>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sightline-lerobot-test-'));
    await promisify(execFile)(lerobotReader!, [WRITER, folder], {
      env: { ...process.env, HF_HOME: join(folder, 'hf') },
    });
    for (const name of ['v2', 'v3']) {
      const found = await readdir(join(folder, name), { recursive: true, withFileTypes: true });
      for (const file of found.filter((each) => each.isFile())) {
        const path = join(file.parentPath, file.name);
        files.set(relative(folder, path), await readFile(path));
      }
    }
    server = await startS3Server(s3Server!);
    filler = createS3TestClient(server.endpoint);
    await filler.makeBucket('robots');
    tokens = await startGoogleTokens();
    google = gcsServer ? await startGcsServer(gcsServer) : null;
    app = await startTestApp({
      SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8',
      ...(google ? { STORAGE_EMULATOR_HOST: google.endpoint } : {}),
    });
    key = app.sightline.firstKey!;
    const s3 = { type: 's3', access_key_id: 'test', secret_access_key: 'test', region: 'us-east-1' };
    const saved = await post('/api/cloud-integrations/s3', {
      ...s3,
      name: 'Robots',
      endpoint_url: server.endpoint,
      bucket: 'robots',
    });
    expect(saved.status, saved.text).toBe(200);
  });
  afterAll(async () => {
    await app.close();
    filler.close();
    await tokens.stop();
    await google?.stop();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const post = (path: string, json: object) => app.api.call('POST', path, { key, json });
  const get = async (path: string) => (await app.api.call('GET', path, { key })).json as Json;
  const start = (name: string, scheme = 's3') =>
    post('/api/import-jobs', {
      source_format: 'lerobot',
      scope: 'user',
      inputs: [{ source_uri: `${scheme}://robots/${name}/`, name: 'Arm', folder_id: null }],
    });
  /** Stores a dataset under another name, with some of its files replaced (null: left out). */
  async function store(name: string, from: string, replaced: Record<string, string | Buffer | null> = {}) {
    for (const [path, bytes] of files) {
      if (!path.startsWith(`${from}/`)) continue;
      const short = path.slice(from.length + 1);
      const content = short in replaced ? replaced[short] : bytes;
      if (content !== null) await filler.put('robots', `${name}/${short}`, content!);
    }
  }
  async function ended(id: unknown): Promise<Json> {
    const job = () => get(`/api/import-jobs/${id}`);
    await expect.poll(async () => (await job()).terminal, { timeout: 120_000, interval: 300 }).toBe(true);
    return job();
  }
  /** The ingests of a started import, once it has ended. */
  async function imported(started: { status: number; json: Json; text: string }): Promise<Ingest[]> {
    expect(started.status, started.text).toBe(202);
    const job = await ended(started.json.import_job_id);
    expect(job).toMatchObject({ status: 'completed', source_format: 'lerobot' });
    const videos = started.json.videos as { video_id: string }[];
    return Promise.all(videos.map(async ({ video_id }) => (await get(`/api/mcap/${video_id}`)) as Ingest));
  }

  /** Each episode has its frames, its task, its states and actions, and its cameras as views of one scene. */
  async function expectEpisodes(derived: Derived[]) {
    expect(derived.map(({ part, channel }) => `${part} ${channel}`).sort()).toEqual(
      [0, 1, 2].flatMap((part) => CAMERAS.map((camera) => `${part} ${camera}`)),
    );
    for (const video of derived) {
      const { part, frame_count: frames, notes, video_id: id } = video;
      expect({ frames, notes }).toEqual({ frames: LENGTHS[part], notes: [`Task: task ${part}`] });
      const status = await get(`/api/video/${id}/status`);
      const camera = video.channel.split('.').at(-1);
      expect(status).toMatchObject({ status: 'uploaded', video_name: `Arm episode ${part} ${camera}` });
      expect((status.metadata as Json).duration_s).toBeCloseTo(LENGTHS[part]! / 10, 1);
      const trajectory = await get(`/api/videos/${id}/trajectory_artifact/manipulator_trajectory`);
      const { t_sec: times, tracks } = trajectory as { t_sec: number[]; tracks: Record<string, Json> };
      expect(times).toHaveLength(LENGTHS[part]!);
      const joints = (track: string) => tracks[track]!.joints_rad as Record<string, number[]>;
      for (const [i, timeS] of times.entries()) {
        expect(timeS).toBeCloseTo(i / 10, 3);
        expect(joints('observation_state').elbow![i]).toBeCloseTo(part + i / 10, 3);
        expect(joints('action').elbow![i]).toBeCloseTo((part + i / 10) / 2, 3);
        expect(joints('observation_speed')['0']![i]).toBeCloseTo(i, 3);
      }
    }
    for (const [front, wrist] of [0, 1, 2].map((part) => derived.filter((video) => video.part === part))) {
      const views = await app.api.call('POST', `/api/multi-view/${ids(front!)}/signed-urls`, { key });
      expect(
        Object.values(views.json.views as Record<string, Json>)
          .map(({ video_id }) => video_id)
          .sort(),
      ).toEqual([ids(front!), ids(wrist!)].sort());
    }
  }

  /** Mean luminance of the right edge of the first frame, where the script shows the number of the episode. */
  async function shownLevel(id: string): Promise<number> {
    const { json } = await app.api.call('POST', `/api/video/${id}/signed-url`, { key, json: { expires_in: 60 } });
    const path = join(folder, `${id}.mp4`);
    const { pathname, search } = new URL(String(json.url));
    await writeFile(path, Buffer.from(await (await fetch(app.api.base + pathname + search)).arrayBuffer()));
    const args = ['-v', 'error', '-i', path, '-frames:v', '1', '-vf', 'crop=8:64:118:16', '-f', 'rawvideo', '-pix_fmt'];
    const { stdout } = await promisify(execFile)(ffmpeg!, [...args, 'gray', '-'], { encoding: 'buffer' });
    return stdout.reduce((sum, value) => sum + value, 0) / stdout.length;
  }

  test('of version 2.1 become a recording for each episode', async () => {
    await store('arm2', 'v2');
    const started = await start('arm2');
    const ingests = await imported(started);
    expect(ingests.map(({ filename }) => filename)).toEqual([0, 1, 2].map((i) => `Arm episode_00000${i}`));
    await expectEpisodes(ingests.flatMap(({ derived_videos }) => derived_videos));
    const recording = ingests[0]!.recording as { telemetry: Json; channels: Json[] };
    expect(recording.telemetry).toMatchObject({ speedMps: 'observation.speed' });
    expect(recording.channels.map(({ name }) => name)).toEqual([
      ...CAMERAS,
      'observation.state',
      'action',
      'observation.speed',
    ]);
    const again = await start('arm2');
    expect(again.json).toMatchObject({ status: 'completed', skipped: 3 });
  }, 180_000);

  test('that grow add the new recordings only', async () => {
    const info = JSON.parse(String(files.get('v2/meta/info.json')));
    const smaller = { ...info, total_episodes: 2, splits: { train: '0:2' } };
    await store('growing', 'v2', { 'meta/info.json': JSON.stringify(smaller) });
    expect(await imported(await start('growing'))).toHaveLength(2);
    await store('growing', 'v2');
    const later = await start('growing');
    expect(await ended(later.json.import_job_id)).toMatchObject({ status: 'completed', total: 3, skipped: 2 });
  }, 180_000);

  test('of version 3 become a recording for the episodes of each file, and each video shows its episode', async () => {
    await store('arm3', 'v3');
    const ingests = await imported(await start('arm3'));
    expect(ingests).toHaveLength(1);
    const { derived_videos: derived } = ingests[0]!;
    await expectEpisodes(derived);
    for (const { part, video_id: id } of derived) {
      expect(Math.abs((await shownLevel(id)) - (40 + 60 * part))).toBeLessThan(12);
    }
  }, 180_000);

  test('of version 3 are copied where episodes begin and end at keyframes, and otherwise encoded', async () => {
    const [front, wrist] = CAMERAS.map((camera) => `videos/${camera}/chunk-000/file-000.mp4`) as [string, string];
    /** The video with a keyframe at every `distance` frames. */
    async function withKeyframes(video: string, distance: number): Promise<Buffer> {
      const [source, target] = ['source', 'target'].map((name) => join(folder, `${name}-${distance}.mp4`)) as [
        string,
        string,
      ];
      await writeFile(source, files.get(`v3/${video}`)!);
      const gop = ['-g', String(distance), '-keyint_min', String(distance), '-sc_threshold', '0'];
      await promisify(execFile)(ffmpeg!, ['-v', 'error', '-i', source, '-c:v', 'libx264', ...gop, target]);
      return readFile(target);
    }
    // Episodes begin at the frames 0, 20 and 45.
    await store('keyframes', 'v3', {
      [front]: await withKeyframes(front, 5),
      [wrist]: await withKeyframes(wrist, 1000),
    });
    const [ingest] = await imported(await start('keyframes'));
    const { derived_videos: derived } = ingest!;
    await expectEpisodes(derived);
    for (const { part, channel, reencoded, video_id: id } of derived) {
      expect({ part, channel, reencoded }).toEqual({ part, channel, reencoded: channel === CAMERAS[1] });
      expect(Math.abs((await shownLevel(id)) - (40 + 60 * part))).toBeLessThan(12);
    }
  }, 180_000);

  test('measurements named as such answer prompts', async () => {
    await store('fast', 'v2');
    const [, , last] = await imported(await start('fast'));
    const id = ids(last!.derived_videos[0]!);
    const started = await post('/api/router/v2/query/start', { video_ids: [id], query: 'speed above 20 m/s' });
    const batch = (started.json as Json).batch_id;
    await expect
      .poll(async () => (await get(`/api/batch/${batch}/status`)).status, { timeout: 60_000, interval: 300 })
      .toBe('completed');
    const found = await get(`/api/events?video_id=${id}`);
    const events = found.events as { start_s: number }[];
    expect(events).toHaveLength(1);
    expect(events[0]!.start_s).toBeCloseTo(2, 0);
  }, 180_000);

  test.skipIf(!gcsServer)(
    'are read from Google Cloud Storage',
    async () => {
      await google!.makeBucket('robots');
      for (const [path, bytes] of files) await google!.put('robots', path, bytes);
      const saved = await post('/api/cloud-integrations/gcs', {
        name: 'Google',
        type: 'gcs',
        service_account: tokens.account,
        bucket: 'robots',
        prefix: null,
      });
      expect(saved.status, saved.text).toBe(200);
      const ingests = await imported(await start('v3', 'gs'));
      await expectEpisodes(ingests.flatMap(({ derived_videos }) => derived_videos));
    },
    180_000,
  );

  const info = (change: (info: Json) => void) => {
    const parsed = JSON.parse(String(files.get('v3/meta/info.json'))) as Json;
    change(parsed);
    return JSON.stringify(parsed);
  };
  const table = 'meta/episodes/chunk-000/file-000.parquet';
  test.each<[string, () => Record<string, string | Buffer | null>, RegExp]>([
    ['has no meta/info.json', () => ({ 'meta/info.json': null }), /no meta\/info\.json/],
    ['has no JSON there', () => ({ 'meta/info.json': '{"fps": ' }), /not JSON/],
    [
      'has a version that is unknown',
      () => ({ 'meta/info.json': info((i) => (i.codebase_version = 'v1.6')) }),
      /2\.0 to 3/,
    ],
    [
      'states a million episodes',
      () => ({ 'meta/info.json': info((i) => (i.total_episodes = 1e6)) }),
      /more than 10000/,
    ],
    [
      'has a large meta/info.json',
      () => ({ 'meta/info.json': ' '.repeat(2 ** 21) + info(() => {}) }),
      /larger than the limit/,
    ],
    [
      'points out of its directory',
      () => ({ 'meta/info.json': info((i) => (i.data_path = '../arm2/meta/info.json')) }),
      /is missing/,
    ],
    ['has no videos', () => ({ 'meta/info.json': info((i) => (i.features = {})) }), /no videos/],
    ['has a table that is no Parquet', () => ({ [table]: 'PAR1 nothing PAR1' }), /cannot be read/],
    [
      'has a truncated table',
      () => ({ [table]: files.get(`v3/${table}`)!.subarray(9_000) }),
      /cannot be read|no usable/,
    ],
    ['lacks its data', () => ({ 'data/chunk-000/file-000.parquet': null }), /file-000\.parquet is missing/],
  ])('are refused with a reason if a directory %s', async (name, replace, message) => {
    const directory = name.replaceAll(/\W+/g, '-');
    await store(directory, 'v3', replace());
    const refused = await start(directory);
    expect(refused, refused.text).toMatchObject({
      status: 400,
      json: { error: 'dataset_unreadable', message: expect.stringMatching(message) },
    });
  });

  test('fail or are partial with a reason if a file is damaged, after the transfer', async () => {
    const data = 'data/chunk-000/file-000.parquet';
    await store('damaged', 'v3', {
      [data]: Buffer.concat([Buffer.alloc(2_000), files.get(`v3/${data}`)!.subarray(2_000)]),
    });
    expect(await ended((await start('damaged')).json.import_job_id)).toMatchObject({ status: 'failed' });
    const video = 'videos/observation.images.wrist/chunk-000/file-000.mp4';
    await store('one-camera', 'v3', { [video]: 'no video' });
    const started = await start('one-camera');
    await ended(started.json.import_job_id);
    const ingest = (await get(`/api/mcap/${started.json.video_id}`)) as Ingest;
    expect(ingest).toMatchObject({ status: 'partial', error: expect.stringMatching(/wrist/) });
    expect((ingest.video_ids as string[]).length).toBe(3);
  }, 180_000);
});
