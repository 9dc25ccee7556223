import { openAsBlob } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createSightline, type FrameMatches, type Sightline } from '@sightline/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CATALOG } from '#engine/index';
import { footage, hasFootage, MODELS } from '#test/footage';
import { openLibrary, type TestLibrary } from '#test/library';

describe.skipIf(!hasFootage)('search among tracked objects', () => {
  const catalog = CATALOG.filter(({ task, name }) => task === 'embeddings' || name === 'yolox_nano');
  let dir: string;
  let library: TestLibrary;
  let client: Sightline;
  let folderId: string;
  let videoId: string;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'objects '));
    const clip = catalog.find(({ task }) => task === 'embeddings')!.files.map(({ name }) => join(dir, name));
    await mkdir(dirname(clip[0]!), { recursive: true });
    for (const [at, name] of ['vision_model.onnx', 'text_model.onnx', 'bpe_simple_vocab_16e6.txt.gz'].entries())
      await copyFile(join(MODELS!, 'clip-toy', name), clip[at]!);
    await copyFile(join(MODELS!, 'yolox_nano.onnx'), join(dir, 'yolox_nano.onnx'));
    library = await openLibrary({ SIGHTLINE_MODELS_DIR: dir }, { worker: true, overrides: { catalog } });
    const { key } = await library.keyOf(library.owner, ['read', 'write']);
    client = createSightline({ baseUrl: library.api.base, apiKey: key });
    folderId = (await client.api.POST('/api/folders', { body: { name: 'Road', scope: 'user' } })).data!.id;
    const file = await openAsBlob(footage('road/udacity_solidWhiteRight.mp4'));
    videoId = (await client.upload(file, { name: 'motorway.mp4', folderId })).video_id;
    await client.ready(videoId);
  }, 120_000);
  afterAll(async () => {
    await library?.close();
    await rm(dir, { recursive: true, force: true });
  });

  const observe = (...observers: string[]) => client.observe({ observers, video_ids: [videoId] });
  const kinds = async () => {
    const { db } = library.database;
    const rows = await db.selectFrom('observations').select('kind').where('videoId', '=', videoId).execute();
    return rows.map(({ kind }) => kind).toSorted();
  };
  const classesOf = ({ matches }: FrameMatches) => matches.map(({ object }) => object?.class ?? null);

  test('a video whose objects are not observed has vectors of frames only', async () => {
    expect(await observe('embeddings')).toMatchObject({ completed: 1, observers: ['embeddings'] });
    expect(await kinds()).toEqual(['embeddings']);
    const found = await client.searchFrames({ text: 'red' });
    expect(found).toMatchObject({
      searched_videos: 1,
      searched_objects: 0,
      reason: 'Objects in 1 of 1 videos were not searched. Observe it with the observer "object_embeddings".',
    });
    expect(classesOf(found)).toEqual([null]);
    expect(await client.searchFrames({ text: 'red', of: 'frames' })).toMatchObject({ reason: null });
    const objects = { matches: [], searched_videos: 0, searched_frames: 0 };
    expect(await client.searchFrames({ text: 'red', of: 'objects' })).toMatchObject(objects);
  });

  test('objects are observed where they are needed, or known', async () => {
    expect(await observe('object_embeddings')).toMatchObject({ completed: 1, observers: ['object_embeddings'] });
    expect(await kinds()).toEqual(['embeddings', 'object_embeddings', 'objects']);
    const { db } = library.database;
    await db.deleteFrom('observations').where('kind', 'in', ['embeddings', 'object_embeddings']).execute();
    expect(await client.searchFrames({ text: 'red' })).toMatchObject({ searched_videos: 0, searched_objects: 0 });
    await observe('embeddings');
    expect(await kinds()).toEqual(['embeddings', 'object_embeddings', 'objects']);
  });

  test('words find an object with its class, box and moment', async () => {
    const found = await client.searchFrames({ text: 'red' });
    expect(found).toMatchObject({ reason: null, searched_videos: 1, searched_objects: 3, model: 'clip_vit_b32' });
    // Each of the three cars once, then the gray frame.
    expect(classesOf(found)).toEqual(['car', 'car', 'car', null]);
    const [red] = found.matches;
    expect(red).toMatchObject({ video_id: videoId, video_name: 'motorway.mp4', folder_id: folderId, time_s: 1.4 });
    const { x, y, width, height } = red!.object!.box;
    expect(x + width).toBeLessThan(0.3);
    expect(y).toBeGreaterThan(0.4);
    expect(y + height).toBeLessThan(0.8);
    expect(new URL(red!.image_url).searchParams.get('t')).toBe('1.4');
    expect(classesOf(await client.searchFrames({ text: 'red', of: 'objects' }))).toEqual(['car', 'car', 'car']);
    expect(classesOf(await client.searchFrames({ text: 'red', of: 'frames' }))).toEqual([null]);
    expect((await client.searchFrames({ text: 'red', folder_id: folderId, limit: 2 })).matches).toHaveLength(2);
    const created_after = new Date(Date.now() + 60_000).toISOString();
    expect(await client.searchFrames({ text: 'red', created_after })).toMatchObject({ matches: [], total_videos: 0 });
  });

  test('a part of a frame finds the object in it', async () => {
    const { matches } = await client.searchFrames({ text: 'red', of: 'objects' });
    for (const { time_s, object } of matches) {
      const frame = { video_id: videoId, time_s, box: object!.box };
      const [same] = (await client.searchFrames({ frame, of: 'objects' })).matches;
      expect(same).toMatchObject({ time_s, object });
      expect(same!.score).toBeGreaterThan(0.99);
    }
  });

  test('vectors of objects are deleted with their observation', async () => {
    const { db } = library.database;
    await db.deleteFrom('observations').where('kind', '=', 'object_embeddings').execute();
    expect(await db.selectFrom('objectVectors').select('videoId').execute()).toEqual([]);
    expect(classesOf(await client.searchFrames({ text: 'red' }))).toEqual([null]);
  });
});
