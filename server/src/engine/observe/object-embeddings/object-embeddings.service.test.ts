import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#platform/log';
import type { Media } from '#platform/media/index';
import { footage, hasFootage, MODELS } from '#test/footage';
import { createTestMedia, flatClip } from '#test/media/clips';
import { createEngine, createModelFolder, createVectorIndex, type Engine } from '../../index.ts';
import { CATALOG } from '../../models/index.ts';
import { decodeObservations } from '../encoding.ts';
import { MIN_SIDE } from './select-views.ts';

const KINDS = ['signals', 'embeddings', 'objects', 'object_embeddings'] as const;

describe.skipIf(!hasFootage)('on a motorway with red, black and silver cars', () => {
  let media: Media;
  let dir: string;
  let engine: Engine;
  let artifacts: Awaited<ReturnType<Engine['observe']>>;
  const path = footage('road/udacity_solidWhiteRight.mp4');

  beforeAll(async () => {
    media = await createTestMedia();
    dir = await mkdtemp(join(tmpdir(), 'views '));
    const catalog = CATALOG.filter(({ task, name }) => task === 'embeddings' || name === 'yolox_nano');
    const clip = catalog.find(({ task }) => task === 'embeddings')!.files.map(({ name }) => join(dir, name));
    await mkdir(dirname(clip[0]!));
    for (const [at, name] of ['vision_model.onnx', 'text_model.onnx', 'bpe_simple_vocab_16e6.txt.gz'].entries())
      await copyFile(join(MODELS!, 'clip-toy', name), clip[at]!);
    await copyFile(join(MODELS!, 'yolox_nano.onnx'), join(dir, 'yolox_nano.onnx'));
    engine = createEngine({ media, models: createModelFolder(dir), catalog, vision: null, log: createLog('silent') });
    artifacts = await engine.observe(path, KINDS);
  }, 120_000);
  afterAll(async () => {
    await media?.close();
    await rm(dir, { recursive: true, force: true });
  });

  test('each tracked object that is large enough has a view, with its class, box and time', () => {
    const { objects, objectEmbeddings: views, embeddings, video } = decodeObservations(artifacts);
    expect(views!.model).toBe(embeddings!.model);
    expect(views!.detector).toBe(objects!.model);
    const tracks = [...views!.track].map((id) => objects!.tracks.find((track) => track.id === id)!);
    // By eye: a red car, a silver one and a second red one overtake on the left.
    expect(views!.classNames).toEqual(['car', 'car', 'car']);
    for (const [at, track] of tracks.entries()) {
      const times = [...track.frame].map((frame) => objects!.timeS[frame]!);
      expect(times).toContain(views!.timeS[at]);
      expect([...views!.spans.subarray(4 * at, 4 * at + 2)]).toEqual([times[0], times.at(-1)]);
      const [x, y, width, height] = views!.boxes.subarray(4 * at, 4 * at + 4);
      expect(Math.min(width! * video.width, height! * video.height)).toBeGreaterThanOrEqual(MIN_SIDE);
      expect(x! + width!).toBeLessThan(0.5);
      expect(y! + height!).toBeLessThan(0.8);
    }
  });

  test('a red car is found by its color, where the whole frame is gray', async () => {
    const { vector: query } = (await engine.embedder.text('red')) as { vector: Float32Array };
    const views = engine.readObjectViews(artifacts.get('object_embeddings')!);
    const frames = engine.readFrameVectors(artifacts.get('embeddings')!);
    const index = createVectorIndex();
    const hits = await index.search({
      query,
      limit: 20,
      minScore: -1,
      among: [
        { key: 'views', frames: views.timeS.length },
        { key: 'frames', frames: frames.timeS.length },
      ],
      async *load() {
        yield { key: 'views', frames: { ...views, groups: views.track } };
        yield { key: 'frames', frames };
      },
    });
    await index.close();
    // The silver car enters second.
    expect(hits.map(({ key, index: at }) => (key === 'views' ? at : key))).toEqual([0, 2, 1, 'frames']);
    expect(hits[0]!.score).toBeGreaterThan(hits.at(-1)!.score + 0.5);
  });

  test('a part of a frame is embedded as a view of an object is', async () => {
    const views = engine.readObjectViews(artifacts.get('object_embeddings')!);
    const [x = 0, y = 0, width = 0, height = 0] = views.boxes;
    const box = { part: { x, y, width, height }, size: { width: 960, height: 540 } };
    const embedding = await engine.embedder.frame(path, { timeS: views.timeS[0]!, box });
    const { vector } = embedding as { vector: Float32Array };
    const cosine = vector.reduce((sum, value, at) => sum + value * views.vectors[at]! * views.scales[0]!, 0);
    expect(cosine).toBeGreaterThan(0.99);
  });

  test('stored objects are enough, and without them there are no views', async () => {
    const alone = await engine.observe(path, ['object_embeddings'], { sources: artifacts });
    expect(Buffer.compare(alone.get('object_embeddings')!, artifacts.get('object_embeddings')!)).toBe(0);
    expect([...(await engine.observe(path, ['signals', 'object_embeddings'])).keys()]).toEqual(['signals']);
  });

  test('a video without objects has no views, and an aborted observation ends', async () => {
    const empty = await engine.observe(await flatClip({ times: [0, 0.5], endS: 1 }), ['objects', 'object_embeddings']);
    expect(engine.readObjectViews(empty.get('object_embeddings')!).timeS).toHaveLength(0);
    const signal = AbortSignal.abort(new Error('enough'));
    const aborted = engine.observe(path, ['object_embeddings'], { sources: artifacts, signal });
    await expect(aborted).rejects.toThrow('enough');
  });
});
