import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#platform/log';
import type { Media } from '#platform/media/index';
import { createTestMedia, flatClip, SCENE, STILL, sceneClip, stillClip } from '#test/clips';
import { createEngine, type Engine, type ObservationKind } from '../../index.ts';
import { decodeObservations } from '../encoding.ts';
import { COLORS } from '../objects/colors.ts';
import type { Found } from '../objects/detector.ts';
import { constantModel } from '../objects/model.fixture.ts';
import type { ObserveArgs, ObserveResult } from '../process.ts';
import { sightingsOf } from './sightings.ts';

const SPARSE = ['triage', 'glance'] as const;
const DENSE = ['signals', 'sound', 'objects'] as const;

/** A picture with things of a class, by where they are and how surely they were seen. */
const look = (...things: [classIndex: number, x0: number, score: number][]): Found => ({
  detections: things.map(([classIndex, x0, score]) => ({ classIndex, score, x0, y0: 0.2, x1: x0 + 0.2, y1: 0.6 })),
  colors: Float32Array.from(things.flatMap(() => COLORS.map((name) => Number(name === 'red')))),
});

describe('sightings', () => {
  test('what stays in one place is one thing, what is elsewhere or something else is another', () => {
    const tracks = sightingsOf([look([0, 0.1, 0.9], [2, 0.5, 0.8]), look([0, 0.12, 0.7]), look([0, 0.6, 0.7])]);
    expect(tracks.map(({ className, frame }) => [className, ...frame])).toEqual([
      ['person', 0, 1],
      ['car', 0],
      ['person', 2],
    ]);
    expect(tracks[0]).toMatchObject({ id: 1, colors: [{ name: 'red', share: 1 }], enteredFrom: null, leftTo: null });
    expect(tracks[0]!.score).toEqual(Float32Array.of(0.9, 0.7));
  });

  test('nothing confirms what is seen unsurely in one picture', () => {
    expect(sightingsOf([look([0, 0.1, 0.45])])).toEqual([]);
  });
});

describe('one sparse look', () => {
  let media: Media;
  let models: string;
  let scene: string;
  let engine: Engine;
  /** What a sparse look and a dense one leave of the made scene. */
  let quick: Map<ObservationKind, Uint8Array>;
  let thorough: Map<ObservationKind, Uint8Array>;
  const engineWith = (modelsDir: string) =>
    createEngine({ media, modelsDir, modelsDownload: false, vision: null, log: createLog('silent') });
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

  test('looks at a picture every two seconds and tells what it shows, less surely, and how far apart they are', async () => {
    const { glance, signals } = decodeObservations(quick);
    expect(signals).toBeNull();
    const { timeS } = glance!.signals;
    expect(timeS.length).toBeGreaterThan(SCENE.durationS / 4);
    expect(Math.min(...timeS.subarray(1).map((time, i) => time - timeS[i]!))).toBeGreaterThan(1.99);
    expect(glance!.objects!.timeS).toEqual(timeS);

    const [told, surer] = [ask('a person'), ask('a person', thorough)];
    expect(told.findings).toHaveLength(1);
    expect(told.findings[0]).toMatchObject({ label: surer.findings[0]!.label, startS: 0 });
    expect(told.findings[0]!.endS).toBeCloseTo(timeS.at(-1)!, 5);
    expect(told.findings[0]!.confidence).toBeLessThan(surer.findings[0]!.confidence);
    expect(told.coverage).toEqual([
      expect.objectContaining({
        status: 'partly',
        reason: expect.stringMatching(/^a quick look at \d+ pictures, up to [\d.]+ s apart: /),
      }),
    ]);
  });

  test('says "no" of nothing, and counts what one picture shows', async () => {
    expect(ask('is there a car?').answer).toMatch(/^Not certain: .+ may be missed/);
    expect(ask('how many people are there?').answer).toMatch(/^At least 1 person, at most 1 at the same time/);
  });

  test('does not look for what pictures seconds apart do not tell, and says so', async () => {
    for (const prompt of ['scene changes', 'a person enters', 'the camera shakes', 'something moves', 'a parked car']) {
      const { findings, coverage } = ask(prompt);
      expect(findings, prompt).toEqual([]);
      expect(coverage[0], prompt).toMatchObject({
        status: 'not_looked_for',
        reason: expect.stringContaining('ask in thinking mode'),
      });
    }
  });

  test('hears all of the sound', () => {
    expect(ask('silence').findings.map(({ confidence }) => confidence)).toEqual(
      ask('silence', thorough).findings.map(({ confidence }) => confidence),
    );
    const { silence } = SCENE.sound;
    const [found] = ask('silence').findings;
    expect(found!.startS).toBeLessThanOrEqual(silence.startS);
    expect(found!.endS).toBeGreaterThanOrEqual(silence.endS);
  });

  test('gives way to what was observed in every frame', () => {
    const all = new Map([...quick, ...thorough]);
    for (const prompt of ['a person', 'scene changes', 'is there a car?', 'what happens?'])
      expect(ask(prompt, all), prompt).toEqual(ask(prompt, thorough));
  });

  test('spares the stretches in which nothing changes, and says how much that is', async () => {
    const artifacts = await engine.observe(await stillClip(), SPARSE);
    const { signals, quiet } = decodeObservations(artifacts).glance!;
    expect(quiet.length).toBeGreaterThan(0);
    for (const { startS, endS } of quiet)
      expect([...signals.timeS].filter((time) => time > startS && time < endS)).toEqual([]);
    const seconds = Math.round(quiet.reduce((sum, { startS, endS }) => sum + endS - startS, 0));
    expect(seconds).toBeLessThan(STILL.durationS);
    const { coverage } = engine.answer(engine.plan('a car'), artifacts);
    expect(coverage[0]!.reason).toContain(`in ${seconds} s nothing changed`);
  });

  test('looks at other frames where keyframes are rare', async () => {
    const clip = await flatClip({ times: Array.from({ length: 120 }, (_, i) => i / 2), endS: 60 });
    const { timeS } = decodeObservations(await engine.observe(clip, ['glance'])).glance!.signals;
    // Five of them are keyframes.
    expect(timeS.length).toBeGreaterThan(25);
  });

  test('without a detector looks at the picture as a whole, under another version', async () => {
    const without = engineWith('/nowhere');
    const versionOf = async (one: Engine) => (await one.observers()).find(({ kind }) => kind === 'glance');
    expect(await versionOf(without)).toMatchObject({ version: 'glance-4' });
    expect(await versionOf(engine)).toMatchObject({ version: expect.stringMatching(/^glance-4\.yolox_nano\./) });
    const artifacts = await without.observe(scene, SPARSE);
    expect(decodeObservations(artifacts).glance!.objects).toBeNull();
    const { startS, endS } = SCENE.dark;
    const [dark] = without.answer(without.plan('the picture is dark'), artifacts).findings;
    expect(dark!.startS).toBeGreaterThanOrEqual(startS);
    expect(dark!.startS).toBeLessThan(endS);
  });

  test('is the same bytes each time, alone or with others, on any number of threads', async () => {
    const { video, glance } = decodeObservations(await engine.observe(scene, ['glance']));
    const expected = quick.get('glance')!;
    for (const threads of [1, 2, 4]) {
      const { model } = glance!.objects!;
      const settings = { glance: { weights: join(models, 'yolox_nano.onnx'), model, threads } };
      const args: ObserveArgs = { path: scene, video, kinds: ['glance'], sidecar: null, settings };
      const module = new URL('../process.ts', import.meta.url);
      const made = await media.run<ObserveResult>({ module, name: 'observe', args });
      expect(Buffer.compare(made.glance!, expected), `${threads} threads`).toBe(0);
    }
  });
});
