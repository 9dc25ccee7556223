import { execFile } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createCanvas } from '@napi-rs/canvas';
import { createSightline, type FrameMatches, type Sightline } from '@sightline/sdk';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { CATALOG } from '#engine/index';
import { hasFootage, MODELS } from '#test/footage';
import { openLibrary, type TestLibrary } from '#test/library';

const { ffmpeg } = inject('programs');
const PATH = '/api/search/frames';
const COLORS = ['red', 'green', 'blue'] as const;
type Color = (typeof COLORS)[number];

describe.skipIf(!hasFootage || ffmpeg === null)('search among frames', () => {
  const catalog = CATALOG.filter(({ task }) => task === 'embeddings');
  let dir: string;
  let library: TestLibrary;
  let key: string;
  let client: Sightline;
  let folderId: string;
  const videos = {} as Record<Color, string>;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'frames '));
    const env = { SIGHTLINE_MODELS_DIR: join(dir, 'models'), SIGHTLINE_RESTORE_HOURS: '1', SIGHTLINE_DETECTOR: '' };
    library = await openLibrary(env, { worker: true, overrides: { catalog } });
    key = (await library.keyOf(library.owner, ['read', 'write'])).key;
    client = createSightline({ baseUrl: library.api.base, apiKey: key });
    folderId = (await client.api.POST('/api/folders', { body: { name: 'Colors', scope: 'user' } })).data!.id;
    for (const color of COLORS) {
      const path = join(dir, `${color}.mp4`);
      const source = ['-f', 'lavfi', '-i', `color=c=${color}:s=320x180:r=5:d=3`];
      await promisify(execFile)(ffmpeg!, ['-v', 'error', ...source, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', path]);
      const options = { name: `${color}.mp4`, ...(color === 'blue' ? {} : { folderId }) };
      videos[color] = (await client.upload(await openAsBlob(path), options)).video_id;
      await client.ready(videos[color]);
    }
  });
  afterAll(async () => {
    await library?.close();
    await rm(dir, { recursive: true, force: true });
  });

  const colorsOf = ({ matches }: FrameMatches) =>
    matches.map(({ video_id: id }) => COLORS.find((color) => videos[color] === id));
  const post = (json: object, as = key) => library.api.call('POST', PATH, { key: as, json });
  const pictureOf = async (color: Color) => {
    const canvas = createCanvas(64, 64);
    const context = canvas.getContext('2d');
    context.fillStyle = color;
    context.fillRect(0, 0, 64, 64);
    return canvas.encode('png');
  };
  const rows = () =>
    library.database.db
      .selectFrom('frameVectors')
      .select(['videoId', 'frames', 'version'])
      .orderBy('videoId')
      .execute();

  test('without the weights, nothing is found and the reason is stated', async () => {
    expect(await client.searchFrames({ text: 'red' })).toMatchObject({
      matches: [],
      model: null,
      searched_videos: 0,
      total_videos: 3,
      reason: expect.stringMatching(/image search's weights are missing.*models fetch clip_vit_b32/),
    });
    expect((await client.searchFrames({ picture: await pictureOf('red') })).reason).toContain('are missing');
  });

  test('observed videos are found by words, an image and a frame', async () => {
    const files = catalog[0]!.files.map(({ name }) => join(dir, 'models', name));
    await mkdir(dirname(files[0]!), { recursive: true });
    for (const [at, name] of ['vision_model.onnx', 'text_model.onnx', 'bpe_simple_vocab_16e6.txt.gz'].entries())
      await copyFile(join(MODELS!, 'clip-toy', name), files[at]!);

    expect(await client.searchFrames({ text: 'red' })).toMatchObject({
      matches: [],
      model: 'clip_vit_b32',
      searched_videos: 0,
      total_videos: 3,
      reason: expect.stringContaining('3 of 3 videos were not searched'),
    });
    const two = [videos.red, videos.blue];
    expect(await client.observe({ observers: ['embeddings'], video_ids: two })).toMatchObject({ completed: 2 });
    expect(await rows()).toMatchObject(two.toSorted().map((videoId) => ({ videoId, frames: 1 })));
    const found = await client.searchFrames({ text: 'red' });
    expect(found).toMatchObject({
      model: 'clip_vit_b32',
      searched_videos: 2,
      searched_frames: 2,
      total_videos: 3,
      reason: expect.stringContaining('1 of 3 videos was not searched'),
    });
    expect(colorsOf(found)).toEqual(['red', 'blue']);

    await client.observe({ observers: ['embeddings'], video_ids: [videos.green] });
    for (const color of COLORS) {
      const queries = [
        { text: color },
        { picture: await pictureOf(color) },
        { frame: { video_id: videos[color], time_s: 2 } },
      ];
      for (const query of queries) {
        const { reason, matches } = await client.searchFrames({ ...query, limit: 1 });
        expect(reason).toBeNull();
        expect(matches).toMatchObject([{ video_id: videos[color], video_name: `${color}.mp4`, time_s: 0 }]);
        expect(matches[0]!.score).toBeGreaterThan(0.8);
      }
    }
  });

  test('the picture of a match is served without a key', async () => {
    const { matches } = await client.searchFrames({ text: 'green', limit: 1 });
    const { pathname, search } = new URL(matches[0]!.image_url);
    const picture = await fetch(`${library.api.base}${pathname}${search}`);
    expect(picture.headers.get('content-type')).toBe('image/jpeg');
    const [match] = (await client.searchFrames({ picture: new Uint8Array(await picture.arrayBuffer()) })).matches;
    expect(match!.video_id).toBe(videos.green);
  });

  test('filters and the access of the caller limit what is searched', async () => {
    const search = async (filter: object) => colorsOf((await post({ text: 'blue', ...filter })).json as never);
    expect(await search({ folder_id: folderId })).not.toContain('blue');
    expect(await search({ video_ids: [videos.red] })).toEqual(['red']);
    expect(await search({ min_score: 0.8 })).toEqual(['blue']);
    const later = new Date(Date.now() + 60_000).toISOString();
    expect(await search({ created_after: later })).toEqual([]);
    expect(await search({ created_before: later })).toHaveLength(3);
    expect(await search({ limit: 2 })).toHaveLength(2);

    const colleague = await library.addUser(library.owner.orgId);
    const theirs = (await library.keyOf(colleague, ['read'])).key;
    const limited = await library.keys.create({ ...library.owner, name: 'folder', scopes: ['read'], folderId });
    expect((await post({ text: 'blue' }, theirs)).json).toMatchObject({ matches: [], total_videos: 0 });
    expect((await post({ text: 'blue' }, limited.key)).json).toMatchObject({ total_videos: 2, searched_videos: 2 });
    for (const json of [{ frame: { video_id: videos.red, time_s: 0 } }, { text: 'x', video_ids: [videos.red] }])
      expect((await post(json, theirs)).json.error).toBe('video_forbidden');
    expect((await post({ text: 'x', folder_id: folderId }, theirs)).json.error).toBe('folder_forbidden');
  });

  test('a query is one of words, an image and a frame', async () => {
    const both = { text: 'red', frame: { video_id: videos.red, time_s: 0 } };
    for (const json of [{}, { text: '  ' }, both])
      expect(await post(json)).toMatchObject({ status: 400, json: { error: 'frame_query_invalid' } });
    for (const picture of ['no Base64', Buffer.from('no picture').toString('base64')])
      expect(await post({ picture })).toMatchObject({ status: 400, json: { error: 'picture_unreadable' } });
    const pending = await library.add(library.owner);
    const frame = { video_id: pending, time_s: 0 };
    expect(await post({ frame })).toMatchObject({ status: 409, json: { error: 'frame_not_ready' } });
  });

  test('vectors are hidden and restored with their video, and deleted with their observation', async () => {
    await client.api.DELETE('/api/video/{video_id}', { params: { path: { video_id: videos.blue } } });
    expect(colorsOf(await client.searchFrames({ text: 'blue' }))).not.toContain('blue');
    await client.api.POST('/api/video/{video_id}/restore', { params: { path: { video_id: videos.blue } } });
    expect(colorsOf(await client.searchFrames({ text: 'blue' }))[0]).toBe('blue');
    await library.database.db
      .deleteFrom('observations')
      .where('videoId', '=', videos.blue)
      .where('kind', '=', 'embeddings')
      .execute();
    expect((await rows()).map(({ videoId }) => videoId)).not.toContain(videos.blue);
    expect(colorsOf(await client.searchFrames({ text: 'blue' }))).not.toContain('blue');
  });

  test('vectors by other weights are not searched', async () => {
    // The version names the weights: vectors of another model have another meaning.
    const path = join(dir, 'models', catalog[0]!.files[2]!.name);
    await writeFile(path, gzipSync(gunzipSync(await readFile(path)), { level: 1 }));
    expect(await client.searchFrames({ text: 'red' })).toMatchObject({ searched_videos: 0, model: 'clip_vit_b32' });
  });
});
