import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#platform/log';
import type { Media } from '#platform/media/index';
import { createTestMedia, flatClip, SCENE, STILL, sceneClip, stillClip } from '#test/media/clips';
import { createEngine, createModelFolder, type Engine, type ObservationKind } from '../../index.ts';
import { decodeObservations } from '../encoding.ts';
import { COLORS, SHARES_PER_BOX } from '../objects/colors.ts';
import type { FrameDetections } from '../objects/detector/detector.ts';
import { constantModel } from '../objects/detector/model.fixture.ts';
import type { ObserveArgs, ObserveResult } from '../observe-task.ts';
import { buildTracks } from './tracks.ts';

const SPARSE = ['triage', 'glance'] as const;
const DENSE = ['signals', 'sound', 'objects'] as const;

/** Detections of a frame by class, position and score. */
const sample = (...objects: [classIndex: number, x0: number, score: number][]): FrameDetections => ({
  detections: objects.map(([classIndex, x0, score]) => ({ classIndex, score, x0, y0: 0.2, x1: x0 + 0.2, y1: 0.6 })),
  colors: Float32Array.from(
    objects.flatMap(() => Array.from({ length: SHARES_PER_BOX }, (_, k) => Number(COLORS[k] === 'red'))),
  ),
});

describe('sightings', () => {
  test('detections in one place are one object, elsewhere or of another class another one', () => {
    const tracks = buildTracks([sample([0, 0.1, 0.9], [2, 0.5, 0.8]), sample([0, 0.12, 0.7]), sample([0, 0.6, 0.7])]);
    expect(tracks.map(({ className, frame }) => [className, ...frame])).toEqual([
      ['person', 0, 1],
      ['car', 0],
      ['person', 2],
    ]);
    expect(tracks[0]).toMatchObject({ id: 1, colors: [{ name: 'red', share: 1 }], enteredFrom: null, leftTo: null });
    expect(tracks[0]!.score).toEqual(Float32Array.of(0.9, 0.7));
  });

  test('drops uncertain detections of a single frame', () => {
    expect(buildTracks([sample([0, 0.1, 0.45])])).toEqual([]);
  });
});

describe('detections of two classes in one place', () => {
  const classesOf = (person: number, hydrant: number) =>
    buildTracks([sample([0, 0.1, person], [10, 0.1, hydrant])]).map(({ className }) => className);

  test.each([
    ['similar scores', 0.66, 0.71],
    ['a worker on a yellow floor, as detected: the wrong class leads', 0.54, 0.78],
  ])('are both dropped: %s', (_, person, hydrant) => {
    expect(classesOf(person, hydrant)).toEqual([]);
  });

  test('are the one with a clear lead', () => {
    expect(classesOf(0.9, 0.6)).toEqual(['person']);
  });

  test('lower the score of each other, the more the closer they are', () => {
    const [alone, faint, clear] = [0, 0.1, 0.3].map(
      (hydrant) => buildTracks([sample([0, 0.1, 0.9], [10, 0.1, hydrant])])[0]!.score[0]!,
    );
    expect(alone).toBeCloseTo(0.9);
    expect(faint).toBeCloseTo(0.81);
    expect(clear).toBeCloseTo(0.675);
  });

  test('do not matter elsewhere in the frame', () => {
    const [person, hydrant] = buildTracks([sample([0, 0.1, 0.7], [10, 0.5, 0.8])]);
    expect([person!.score[0], hydrant!.score[0]]).toEqual([expect.closeTo(0.7), expect.closeTo(0.8)]);
  });

  test('are all reported if they are of similar kinds: a car is a vehicle, whatever its class', () => {
    expect(buildTracks([sample([2, 0.1, 0.6], [7, 0.1, 0.62])])).toHaveLength(2);
  });
});

describe('the sparse pass of a video', () => {
  let media: Media;
  let models: string;
  let scene: string;
  let engine: Engine;
  /** Artifacts of the generated scene from the sparse and from the dense pass. */
  let quick: Map<ObservationKind, Uint8Array>;
  let thorough: Map<ObservationKind, Uint8Array>;
  const engineWith = (modelsDir: string) =>
    createEngine({ media, models: createModelFolder(modelsDir), vision: null, log: createLog('silent') });
  beforeAll(async () => {
    media = await createTestMedia();
    models = await mkdtemp(join(tmpdir(), 'models-'));
    await writeFile(join(models, 'yolox_nano.onnx'), constantModel({ className: 'person', score: 0.8 }));
    scene = await sceneClip();
    engine = engineWith(models);
    quick = await engine.observe(scene, SPARSE);
    thorough = await engine.observe(scene, DENSE);
  });
  afterAll(async () => {
    await media?.close();
    await rm(models, { recursive: true, force: true });
  });

  const ask = (prompt: string, artifacts = quick) => engine.answer(engine.plan(prompt), artifacts);

  test('detects every two seconds, and reports lower confidence and the distance of the samples', async () => {
    const { sparsePass, signals } = decodeObservations(quick);
    expect(signals).toBeNull();
    const { timeS } = sparsePass!.signals;
    expect(timeS.length).toBeGreaterThan(SCENE.durationS / 4);
    expect(Math.min(...timeS.subarray(1).map((time, i) => time - timeS[i]!))).toBeGreaterThan(1.99);
    expect(sparsePass!.objects!.timeS).toEqual(timeS);

    const [sparse, dense] = [ask('a person'), ask('a person', thorough)];
    expect(sparse.events).toHaveLength(1);
    expect(sparse.events[0]).toMatchObject({ label: dense.events[0]!.label, startS: 0 });
    expect(sparse.events[0]!.endS).toBeCloseTo(timeS.at(-1)!, 5);
    expect(sparse.events[0]!.confidence).toBeLessThan(dense.events[0]!.confidence);
    expect(sparse.coverage).toEqual([
      expect.objectContaining({
        status: 'partly',
        reason: expect.stringMatching(/^\d+ frames were sampled, up to [\d.]+ s apart: /),
      }),
    ]);
  });

  test('is uncertain about absence, and counts the objects of one frame', async () => {
    expect(ask('is there a car?').answer).toMatch(/^Not certain: .+ may be missed/);
    expect(ask('how many people are there?').answer).toMatch(/^At least 1 person, at most 1 at the same time/);
  });

  test('reports that events within seconds cannot be searched', async () => {
    for (const prompt of ['scene changes', 'a person enters', 'the camera shakes', 'something moves', 'a parked car']) {
      const { events: findings, coverage } = ask(prompt);
      expect(findings, prompt).toEqual([]);
      expect(coverage[0], prompt).toMatchObject({
        status: 'not_looked_for',
        reason: expect.stringContaining('use thinking mode'),
      });
    }
  });

  test('observes all audio', () => {
    expect(ask('silence').events.map(({ confidence }) => confidence)).toEqual(
      ask('silence', thorough).events.map(({ confidence }) => confidence),
    );
    const { silence } = SCENE.sound;
    const [found] = ask('silence').events;
    expect(found!.startS).toBeLessThanOrEqual(silence.startS);
    expect(found!.endS).toBeGreaterThanOrEqual(silence.endS);
  });

  test('is replaced by the observation of every frame', () => {
    const all = new Map([...quick, ...thorough]);
    for (const prompt of ['a person', 'scene changes', 'is there a car?', 'what happens?'])
      expect(ask(prompt, all), prompt).toEqual(ask(prompt, thorough));
  });

  test('skips intervals without changes, and reports how much was skipped', async () => {
    const artifacts = await engine.observe(await stillClip(), SPARSE);
    const { signals, quiet } = decodeObservations(artifacts).sparsePass!;
    expect(quiet.length).toBeGreaterThan(0);
    for (const { startS, endS } of quiet)
      expect([...signals.timeS].filter((time) => time > startS && time < endS)).toEqual([]);
    const seconds = Math.round(quiet.reduce((sum, { startS, endS }) => sum + endS - startS, 0));
    expect(seconds).toBeLessThan(STILL.durationS);
    const { coverage } = engine.answer(engine.plan('a car'), artifacts);
    expect(coverage[0]!.reason).toContain(`nothing changed in ${seconds} s`);
  });

  test('samples other frames if keyframes are rare', async () => {
    const clip = await flatClip({ times: Array.from({ length: 120 }, (_, i) => i / 2), endS: 60 });
    const { timeS } = decodeObservations(await engine.observe(clip, ['glance'])).sparsePass!.signals;
    // Five of them are keyframes.
    expect(timeS.length).toBeGreaterThan(25);
  });

  test('observes only signals without a detector, under another version', async () => {
    const without = engineWith('/nowhere');
    const versionOf = async (one: Engine) => (await one.observers()).find(({ kind }) => kind === 'glance');
    expect(await versionOf(without)).toMatchObject({ version: 'sparse-pass-8' });
    expect(await versionOf(engine)).toMatchObject({ version: expect.stringMatching(/^sparse-pass-8\.yolox_nano\./) });
    const artifacts = await without.observe(scene, SPARSE);
    expect(decodeObservations(artifacts).sparsePass!.objects).toBeNull();
    const { startS, endS } = SCENE.dark;
    const [dark] = without.answer(without.plan('the picture is dark'), artifacts).events;
    expect(dark!.startS).toBeGreaterThanOrEqual(startS);
    expect(dark!.startS).toBeLessThan(endS);
  });

  test('gives the same bytes each time, alone or with others, on any number of threads', async () => {
    const { video, sparsePass } = decodeObservations(await engine.observe(scene, ['glance']));
    const expected = quick.get('glance')!;
    for (const threads of [1, 2, 4]) {
      const { model } = sparsePass!.objects!;
      const settings = { glance: { weights: join(models, 'yolox_nano.onnx'), model, threads } };
      const args: ObserveArgs = { path: scene, video, kinds: ['glance'], sidecar: null, settings };
      const module = new URL('../observe-task.ts', import.meta.url);
      const made = await media.run<ObserveResult>({ module, name: 'observe', args });
      expect(Buffer.compare(made.glance!, expected), `${threads} threads`).toBe(0);
    }
  });
});
