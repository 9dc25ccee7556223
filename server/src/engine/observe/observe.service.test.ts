import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '#platform/log';
import type { Media } from '#platform/media/index';
import { footage, MODELS } from '#test/footage';
import { createTestMedia, flatClip, SCENE, sceneClip } from '#test/media/clips';
import type { DecodeClipArgs, DecodedClip } from '#test/media/media-tasks';
import { answerPrompt, toRows } from '../answer.fixture.ts';
import { createEngine, createModelFolder, type Engine } from '../index.ts';
import { decodeObservations } from './encoding.ts';
import { constantModel } from './objects/detector/model.fixture.ts';
import type { ObserveArgs, ObserveResult } from './observe-task.ts';
import { OBSERVERS } from './observers.ts';

const ALL = ['signals', 'sound', 'objects'] as const;

let media: Media;
let models: string;
let scene: string;
let engine: Engine;

const engineWith = (modelsDir: string) =>
  createEngine({ media, models: createModelFolder(modelsDir), vision: null, log: createLog('silent') });

beforeAll(async () => {
  media = await createTestMedia();
  models = await mkdtemp(join(tmpdir(), 'models-'));
  await writeFile(join(models, 'yolox_nano.onnx'), constantModel({ className: 'person', score: 0.8 }));
  scene = await sceneClip();
  engine = engineWith(models);
});
afterAll(async () => {
  await media?.close();
  await rm(models, { recursive: true, force: true });
});

/** Index of the frame shown at a time. */
const at = (times: Float64Array, timeS: number) => times.findLastIndex((time) => time <= timeS + 1e-6);

test('signals and audio show the events of the generated scene', async () => {
  const { video, signals, sound, objects } = decodeObservations(await engine.observe(scene, ['signals', 'sound']));
  expect(objects).toBeNull();
  expect(video).toMatchObject({ width: SCENE.width, height: SCENE.height, hasAudio: true });
  expect(video.durationS).toBeCloseTo(SCENE.durationS, 1);
  const { timeS, pts, cut, luma, dark, difference, localMotion, globalX, regions } = signals!;
  expect(timeS).toHaveLength(SCENE.durationS * SCENE.frameRate);
  const [num, den] = video.timeBase;
  expect(timeS.every((time, index) => Math.abs(((pts[index]! - pts[0]!) * num) / den - time) < 1e-9)).toBe(true);

  expect(cut[at(timeS, SCENE.cutS)]).toBeGreaterThan(50);
  const middleOf = ({ startS, endS }: { startS: number; endS: number }) => at(timeS, (startS + endS) / 2);
  expect(luma[middleOf(SCENE.dark)]).toBeLessThan(20);
  expect(dark[middleOf(SCENE.dark)]).toBeGreaterThan(0.95);
  expect(difference[middleOf(SCENE.frozen)]).toBeLessThan(0.05);
  expect(difference[at(timeS, 13)]).toBeGreaterThan(0.5);
  expect(Math.max(...globalX.map(Math.abs))).toBeLessThan(0.05);

  // The block moves from left to right, and so do the regions with motion.
  const sharesAt = (time: number) => regions.subarray(at(timeS, time) * 16, at(timeS, time) * 16 + 16);
  const columnsAt = (time: number) =>
    [0, 1, 2, 3].filter((column) => sharesAt(time).some((share, k) => share > 0 && k % 4 === column));
  const { startS, endS } = SCENE.block;
  expect(columnsAt(startS + 0.2 * (endS - startS))).toEqual([0]);
  expect(columnsAt(endS - 0.2 * (endS - startS))).toEqual([3]);
  expect(localMotion[at(timeS, 0.6)]).toBe(0);

  const levelAt = (time: number) => sound!.levelDb[Math.floor((time - sound!.startS) / sound!.stepS)]!;
  expect(levelAt(6)).toBeLessThan(-60);
  expect(levelAt(9.5)).toBeCloseTo(20 * Math.log10(SCENE.sound.tone.peak / Math.SQRT2), 0);
});

test('the events of the generated scene are found at their times, and no others', async () => {
  const observations = decodeObservations(await engine.observe(scene, ['signals', 'sound']));
  const { cutS, dark, frozen, sound } = SCENE;
  const times = (prompt: string) =>
    toRows(answerPrompt(prompt, observations)).map(([, startS, endS]) => [startS, endS]);
  expect(times('scene changes')).toEqual([[cutS, cutS]]);
  expect(times('the picture is dark')).toEqual([[dark.startS, dark.endS]]);
  expect(times('it gets dark')).toEqual([[dark.startS, dark.startS]]);
  expect(times('the picture freezes')).toEqual([[frozen.startS, frozen.endS]]);
  expect(times('silence')).toEqual([[sound.silence.startS, sound.silence.endS]]);
  expect(times('loud noise')).toEqual([[sound.tone.startS, sound.tone.endS]]);
  for (const prompt of ['blurry', 'the camera is covered', 'the camera shakes', 'a bang', 'overexposed', 'a flash'])
    expect(times(prompt), prompt).toEqual([]);
});

test('objects are detected five times a second, on their own threads', async () => {
  const { objects, signals } = decodeObservations(await engine.observe(scene, ['objects']));
  expect(signals).toBeNull();
  const { timeS, tracks, classes, model } = objects!;
  expect(model).toMatch(/^yolox_nano [0-9a-f]{12}$/);
  expect(classes).toHaveLength(80);
  expect(timeS).toHaveLength(SCENE.durationS * 5);
  expect(timeS[1]).toBeCloseTo(0.2, 5);
  // The moving block is an object of its own; the constant detection is still and in the middle.
  const [track, block] = tracks;
  expect(tracks).toHaveLength(2);
  expect(block).toMatchObject({ className: 'moving object', enteredFrom: 'left', leftTo: 'right' });
  expect(timeS[block!.frame[0]!]).toBeGreaterThan(SCENE.block.startS);
  expect(timeS[block!.frame.at(-1)!]).toBeCloseTo(SCENE.block.endS, 0);
  expect(track).toMatchObject({ className: 'person', enteredFrom: null, leftTo: null });
  expect(track!.stationary).toEqual([{ startS: 0, endS: timeS.at(-1) }]);
  // 416 × 236 pixels of picture in the input.
  expect(track!.x[0]).toBeCloseTo((12.5 * 16) / 416, 3);
  expect(track!.height[0]).toBeCloseTo(160 / 236, 3);
});

test('the same video gives the same bytes, alone or together, on any number of threads', async () => {
  const [clip, dir] = realOnes() ?? [scene, models];
  const sameEngine = engineWith(dir);
  const together = await sameEngine.observe(clip, ALL);
  for (const kind of ALL) {
    const alone = await sameEngine.observe(clip, [kind]);
    expect([...alone.keys()]).toEqual([kind]);
    expect(Buffer.compare(alone.get(kind)!, together.get(kind)!), kind).toBe(0);
  }
  const { video } = decodeObservations(together);
  const model = decodeObservations(together).objects!.model;
  for (const threads of [1, 2, 4]) {
    const args = {
      path: clip,
      video,
      kinds: ['signals', 'objects'],
      sidecar: null,
      settings: { objects: { weights: join(dir, 'yolox_nano.onnx'), model, threads } },
    } satisfies ObserveArgs;
    const made = await media.run<ObserveResult>({
      module: new URL('./observe-task.ts', import.meta.url),
      name: 'observe',
      args,
    });
    expect(Buffer.compare(made.objects!, together.get('objects')!), `${threads} threads`).toBe(0);
    expect(Buffer.compare(made.signals!, together.get('signals')!), `${threads} threads`).toBe(0);
  }
});

/** Real footage and weights, if available: they have far more motion than generated clips. */
function realOnes(): [string, string] | null {
  return MODELS === null ? null : [footage('road/udacity_solidWhiteRight.mp4'), MODELS];
}

test('a damaged large video is decoded to its end, as on one thread', async () => {
  const times = Array.from({ length: 30 }, (_, i) => i / 10);
  const bytes = await readFile(await flatClip({ times, endS: 3, width: 1920, height: 1080 }));
  const begin = bytes.indexOf('mdat') + 4;
  for (let at = begin + 500; at < bytes.length; at += 997) bytes[at]! ^= 0x55;
  const path = join(models, 'damaged.mp4');
  await writeFile(path, bytes);
  const see = async (threads: number) => {
    const args: DecodeClipArgs = { path, picture: { width: 32, height: 24, format: 'gray' }, threads };
    return media.run<DecodedClip>({
      module: new URL('../../../test/media/media-tasks.ts', import.meta.url),
      name: 'decodeClip',
      args,
    });
  };
  expect((await see(3)).summary.state).toBe('stopped');
  const { frames } = await see(1);
  // The detector is still working on discarded frames when the pass restarts.
  const sameEngine = engineWith(realOnes()?.[1] ?? models);
  const kinds = ['signals', 'objects'] as const;
  const [first, second] = [await sameEngine.observe(path, kinds), await sameEngine.observe(path, kinds)];
  expect([...decodeObservations(first).signals!.pts]).toEqual(frames.map(({ pts }) => pts));
  for (const kind of kinds) expect(Buffer.compare(first.get(kind)!, second.get(kind)!), kind).toBe(0);
});

test('every second frame of 50 or 60 a second is observed', async () => {
  const seenOf = async (rate: number) => {
    const clip = await flatClip({ times: Array.from({ length: rate }, (_, i) => i / rate), endS: 1 });
    return [...decodeObservations(await engine.observe(clip, ['signals'])).signals!.timeS];
  };
  expect(await seenOf(60)).toHaveLength(30);
  expect(await seenOf(50)).toHaveLength(25);
  expect(await seenOf(30)).toHaveLength(30);
});

test('a video without audio has an empty sound artifact', async () => {
  const clip = await flatClip({ times: [0, 0.5, 1], endS: 1.5 });
  const { video, sound, signals } = decodeObservations(await engine.observe(clip, ['signals', 'sound']));
  expect(video.hasAudio).toBe(false);
  expect(sound).toBeNull();
  expect([...signals!.timeS]).toEqual([0, 0.5, 1]);
});

test('progress grows to the end', async () => {
  const seen: number[] = [];
  await engine.observe(scene, ['signals'], { onProgress: (fraction) => seen.push(fraction) });
  expect(seen.at(-1)).toBe(1);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
});

test('can be aborted', async () => {
  const stop = new AbortController();
  const running = engine.observe(scene, ALL, {
    signal: stop.signal,
    onProgress: () => stop.abort(new Error('enough')),
  });
  await expect(running).rejects.toThrow('enough');
  await expect(engine.observe(scene, ['signals'], { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow(
    'before',
  );
});

test('a file that is not a video is rejected', async () => {
  const path = join(models, 'notes.mp4');
  await writeFile(path, 'not a video');
  await expect(engine.observe(path, ALL)).rejects.toMatchObject({ code: 'media_unreadable' });
});

/** Models that are not in this folder. */
const MISSING: Record<string, string> = {
  sounds: 'yamnet.onnx',
  speech: 'whisper_tiny_en',
  embeddings: 'clip_vit_b32',
  object_embeddings: 'clip_vit_b32',
  poses: '@vladmandic/human',
};

test('observers report versions; that of objects contains the weights', async () => {
  const other = await mkdtemp(join(tmpdir(), 'models-'));
  await writeFile(join(other, 'yolox_nano.onnx'), constantModel({ className: 'car', score: 0.8 }));
  const [mine, theirs] = [await engine.observers(), await engineWith(other).observers()];
  await rm(other, { recursive: true });
  const objects = {
    kind: 'objects',
    depth: 'dense',
    ranged: true,
    version: expect.stringMatching(/^objects-\d+\.yolox_nano\.[0-9a-f]{12}$/),
    // Observations by other detectors have the same.
    family: expect.stringMatching(/^objects-\d+$/),
  };
  expect(mine).toContainEqual(objects);
  for (const [at, { kind }] of Object.values(OBSERVERS).entries()) {
    const model = MISSING[kind];
    if (model) expect(mine[at]).toMatchObject({ kind, unavailable: expect.stringContaining(model) });
    else expect(mine[at]).toMatchObject({ kind, version: expect.stringMatching(/^[a-z0-9._-]+$/) });
    if (['objects', 'fine_objects', 'glance'].includes(kind)) expect(theirs[at]).not.toEqual(mine[at]);
    else if (!model) expect(theirs[at]).toEqual(mine[at]);
  }
});

test('objects are unavailable with a reason if weights are missing or do not work', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'models-'));
  const path = join(dir, 'yolox_nano.onnx');
  const cases: [() => Promise<void>, RegExp][] = [
    [async () => {}, /download https:.* and save it as .*yolox_nano\.onnx/],
    [() => writeFile(path, 'no model'), /do not work: .+/],
    [() => writeFile(path, constantModel({ className: 'car', score: 1, rows: 10 })), /850 numbers, not 301665/],
  ];
  for (const [prepare, sentence] of cases) {
    await prepare();
    const without = engineWith(dir);
    const objects = (await without.observers()).find(({ kind }) => kind === 'objects');
    expect(objects).toMatchObject({ unavailable: expect.stringMatching(sentence) });
    await expect(without.observe(scene, ['objects'])).rejects.toMatchObject({
      code: 'observer_unavailable',
      status: 503,
    });
    expect((await without.observe(scene, ['signals'])).has('signals')).toBe(true);
  }
  await copyFile(join(models, 'yolox_nano.onnx'), path);
  const [objects] = (await engineWith(dir).observers()).filter(({ kind }) => kind === 'objects');
  expect(objects).toHaveProperty('version');
  await rm(dir, { recursive: true });
});

test('an answer needs no video; its evidence images are drawn from the video', async () => {
  const artifacts = await engine.observe(scene, ALL);
  const { events: findings } = engine.answer(engine.plan('a person'), artifacts);
  expect(findings).toHaveLength(1);
  expect(findings[0]!.evidence.tracks[0]).toMatchObject({ className: 'person' });
  for (const frame of findings[0]!.evidence.frames) {
    const picture = await engine.drawEvidence(scene, frame);
    expect([...picture.subarray(0, 2)]).toEqual([0xff, 0xd8]);
    expect((await engine.drawEvidence(scene, frame)).equals(picture)).toBe(true);
  }
});
