import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#platform/log';
import type { Media } from '#platform/media/index';
import { footage, hasFootage, MODELS } from '#test/footage';
import { createTestMedia, flatClip } from '#test/media/clips';
import { createEngine, createModelFolder } from '../../index.ts';
import { decodeObservations } from '../encoding.ts';
import { objectsOf, trackOf } from '../object-embeddings/views.fixture.ts';
import { CLASSES, MOVING_OBJECT } from '../objects/classes.ts';
import type { Detection } from '../objects/detector/detection.ts';
import { constantModel } from '../objects/detector/model.fixture.ts';
import type { Track } from '../objects/observation.ts';
import { findAgreeing } from './agreeing.ts';
import { trackMissed } from './observer.ts';
import { LEAST_FRAMES, LEAST_INTERVAL_S, LONG_SHARE, selectFrames } from './select-frames.ts';

const box = (className: string, score: number, x0 = 0.4, width = 0.1): Detection => ({
  classIndex: CLASSES.indexOf(className),
  score,
  x0,
  x1: x0 + width,
  y0: 0.4,
  y1: 0.6,
});

describe('frames', () => {
  const timesOf = (count: number, stepS: number) => Float64Array.from({ length: count }, (_, at) => at * stepS);
  const chosen = (timeS: Float64Array, tracks: Track[] = []) => selectFrames({ timeS, tracks }).map((at) => timeS[at]!);

  test.each([1, 3, 8])('of %i s: one about every half second', (durationS) => {
    const times = chosen(timesOf(5 * durationS + 1, 0.2));
    expect(times[0]).toBe(0);
    for (const [at, time] of times.slice(1).entries()) {
      expect(time - times[at]!).toBeGreaterThanOrEqual(LEAST_INTERVAL_S - 0.1);
      expect(time - times[at]!).toBeLessThanOrEqual(LEAST_INTERVAL_S + 0.2);
    }
    expect(times.at(-1)).toBeGreaterThan(durationS - LEAST_INTERVAL_S - 0.2);
  });

  test.each([
    [60, LEAST_FRAMES],
    [3600, LONG_SHARE * 5 * 3600],
  ])('of %i s: as many as the budget has, from the first to the last, evenly', (durationS, budget) => {
    const times = chosen(timesOf(5 * durationS, 0.2));
    expect(times).toHaveLength(budget);
    expect(new Set(times).size).toBe(budget);
    expect(times[0]).toBe(0);
    expect(times.at(-1)).toBeGreaterThan(durationS - 2);
    const gaps = times.slice(1).map((time, at) => time - times[at]!);
    expect(Math.max(...gaps)).toBeLessThan((2.5 * durationS) / budget);
  });

  const size = (side: number) => ({ width: side, height: side });
  test.each<[string, { className: string; width: number; height: number; score?: number }]>([
    ['small objects', { className: 'car', ...size(0.05) }],
    ['movers without a class', { className: MOVING_OBJECT, ...size(0.4) }],
    ['uncertain tracks', { className: 'car', ...size(0.4), score: 0.3 }],
  ])('more are examined where there are %s', (_what, { className, width, height, score = 0.9 }) => {
    const timeS = timesOf(5 * 600, 0.2);
    // In view from 300 s to 312 s.
    const entries = Array.from({ length: 60 }, (_, at) => ({ frame: 1500 + at, x: 0.5, width, height, score }));
    const track = trackOf(1, entries, className);
    const inView = (times: number[]) => times.filter((time) => time >= 300 && time < 312);
    const [with1, without] = [chosen(timeS, [track]), chosen(timeS)];
    expect(with1).toHaveLength(without.length);
    expect(inView(with1)).toHaveLength(24);
    expect(inView(without).length).toBeLessThan(4);
    // The rest is spread over the video.
    expect(with1.filter((time) => time < 300).length).toBeGreaterThan(20);
    expect(with1.filter((time) => time >= 312).length).toBeGreaterThan(20);
  });

  test('of seconds between frames, and of none: each frame once', () => {
    expect(chosen(timesOf(4, 7))).toEqual([0, 7, 14, 21]);
    expect(chosen(new Float64Array())).toEqual([]);
  });
});

describe('agreement of two scales', () => {
  test('what both show is found, with the mean of their scores', () => {
    const [found, ...others] = findAgreeing([box('dog', 0.4, 0.41)], [box('dog', 0.6)], []);
    expect(others).toEqual([]);
    expect(found!.score).toBeCloseTo(0.5, 6);
    expect(found!.x0).toBe(0.4);
  });

  test.each([
    { what: 'only one scale shows it', coarse: [], fine: [box('dog', 0.9)], known: [] },
    {
      what: 'the other scale takes it for something else',
      coarse: [box('cat', 0.9)],
      fine: [box('dog', 0.9)],
      known: [],
    },
    { what: 'it is in another place there', coarse: [box('dog', 0.9, 0.6)], fine: [box('dog', 0.9)], known: [] },
    { what: 'it has a track', coarse: [box('dog', 0.9)], fine: [box('dog', 0.9)], known: [box('dog', 0, 0.44)] },
    {
      what: 'a similar class has a track',
      coarse: [box('dog', 0.9)],
      fine: [box('dog', 0.9)],
      known: [box('horse', 0.5)],
    },
    {
      what: 'a track of another class is there',
      coarse: [box('dog', 0.9)],
      fine: [box('dog', 0.9)],
      known: [box('chair', 0.5)],
    },
    {
      what: 'another class is more likely there',
      coarse: [box('dog', 0.5)],
      fine: [box('dog', 0.5), box('chair', 0.8)],
      known: [],
    },
  ])('nothing is found where $what', ({ coarse, fine, known }) => {
    expect(findAgreeing(coarse, fine, known)).toEqual([]);
  });

  test('a track of another class that only touches it does not explain it', () => {
    expect(findAgreeing([box('bicycle', 0.5)], [box('bicycle', 0.5)], [box('person', 0.9, 0.47)])).toHaveLength(1);
  });
});

test('a missed object is tracked over all frames of the video, and numbered after the known ones', () => {
  const known = objectsOf([trackOf(7, [{ frame: 10, x: 0.9, width: 0.1 }])], 0.2);
  const seen = (x0: number) => ({ detections: [box('bicycle', 0.6, x0)] });
  const shown = [seen(0.1), seen(0.15), seen(0.2)];
  const { tracks, timeS } = trackMissed(known, [0, 3, 5], shown, shown);
  expect([...timeS].map((time) => Math.round(10 * time))).toEqual([0, 6, 10]);
  const [track, ...others] = tracks;
  expect(others).toEqual([]);
  expect(track).toMatchObject({ id: 8, className: 'bicycle', colors: [] });
  expect([...track!.frame]).toEqual([0, 1, 2, 3, 4, 5]);
  expect([...track!.score].map((score) => score > 0)).toEqual([true, false, false, true, false, true]);
  expect(track!.x[1]).toBeCloseTo(0.15 + 0.05 / 3, 5);
  expect(track!.x[4]).toBeCloseTo(0.225, 5);
});

test('what is farther away in the next examined frame than its size is not taken for the same object', () => {
  const known = objectsOf([trackOf(1, [{ frame: 10, x: 0.9, width: 0.1 }])], 0.2);
  const shown = [0.1, 0.26, 0.42].map((x0) => ({ detections: [box('person', 0.8, x0)] }));
  expect(trackMissed(known, [0, 3, 5], shown, shown).tracks).toEqual([]);
});

test('a model that cannot see enlarged frames finds what it finds in the usual ones', async () => {
  const media = await createTestMedia();
  const models = await mkdtemp(join(tmpdir(), 'models '));
  try {
    await writeFile(join(models, 'yolox_nano.onnx'), constantModel({ className: 'dog', score: 0.8, enlarges: false }));
    const engine = createEngine({ media, models: createModelFolder(models), vision: null, log: createLog('silent') });
    const path = await flatClip({ times: [0, 0.5, 1], endS: 2 });
    const artifacts = await engine.observe(path, ['signals', 'objects', 'fine_objects']);
    const { objects, fineObjects } = decodeObservations(artifacts);
    expect(objects!.tracks).toHaveLength(1);
    expect(fineObjects).toMatchObject({ model: objects!.model, tracks: [] });
    expect(fineObjects!.timeS).toHaveLength(0);
  } finally {
    await media.close();
    await rm(models, { recursive: true });
  }
}, 60_000);

describe.skipIf(!hasFootage)('a small bicycle that is too small for the frames of `objects`', () => {
  let media: Media;
  beforeAll(async () => {
    media = await createTestMedia();
  });
  afterAll(() => media?.close());

  test('is found in enlarged frames, with its rider, and by a prompt', async () => {
    const engine = createEngine({ media, models: createModelFolder(MODELS!), vision: null, log: createLog('silent') });
    const path = footage('road/intel_person_bicycle_car.gif');
    const plan = engine.plan('is there a cyclist');
    expect(engine.selectOnDemand(plan)).toEqual(['fine_objects']);
    const artifacts = await engine.observe(path, ['signals', 'objects', 'fine_objects']);
    const { objects, fineObjects } = decodeObservations(artifacts);
    const classesOf = (tracks: { className: string }[]) => new Set(tracks.map(({ className }) => className));
    expect(classesOf(objects!.tracks)).not.toContain('bicycle');
    expect(classesOf(fineObjects!.tracks)).toContain('bicycle');
    expect(classesOf(fineObjects!.tracks)).toContain('person');
    const withThem = engine.answer(plan, artifacts);
    const without = engine.answer(plan, new Map([...artifacts].filter(([kind]) => kind !== 'fine_objects')));
    expect(withThem.answer).toMatch(/^Yes: cyclist in view/);
    expect(without.answer).toMatch(/^Not certain/);
  }, 60_000);
});
