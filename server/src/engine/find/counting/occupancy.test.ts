// Counts over time, on generated tracks: whatever a window shows is counted from what overlaps it.
import { describe, expect, test } from 'vitest';
import { answerPrompt } from '../../answer.fixture.ts';
import { createRandom } from '../../observe/signals/frames.fixture.ts';
import { createPlanner } from '../../plan/index.ts';
import { find } from '../find.ts';
import { objects, observations, signals, still, type TrackSpec } from '../observations.fixture.ts';
import { createScene } from '../scene.ts';
import type { FrameTime, Presence } from '../types.ts';
import { clipPresences, distinctSubjects, measureOccupancy } from './occupancy.ts';

const planner = createPlanner();
const LENGTH_S = 40;
const FPS = 5;

const at = (frame: number): FrameTime => ({ timeS: frame / FPS, pts: frame });

/** Tracks with whole numbers of frames, so that sums are exact. */
function generatePresences(random: () => number, count: number): Presence[] {
  return Array.from({ length: count }, (): Presence => {
    const from = Math.floor(random() * (LENGTH_S * FPS - 2));
    const to = Math.min(LENGTH_S * FPS - 1, from + 2 + Math.floor(random() ** 3 * LENGTH_S * FPS));
    // Some objects are lost and found again under the same id.
    return {
      id: 1 + Math.floor(random() * count),
      start: at(from),
      end: at(to),
      sinceS: from / FPS,
      untilS: (to + 1) / FPS,
    };
  });
}

const isAt = ({ sinceS, untilS }: Presence, timeS: number) => sinceS <= timeS && timeS < untilS - 1e-9;
const countAt = (presences: readonly Presence[], timeS: number) =>
  new Set(presences.filter((presence) => isAt(presence, timeS)).map(({ id }) => id)).size;

const shuffle = <T>(values: readonly T[], random: () => number): T[] =>
  values
    .map((value) => ({ value, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ value }) => value);

describe.each([1, 2, 3, 4, 5, 6, 7, 8])('counts over time (%i)', (seed) => {
  const random = createRandom(seed * 7919);
  const presences = generatePresences(random, 3 + Math.floor(random() * 40));
  const from = Math.floor(random() * LENGTH_S * FPS * 0.8);
  const to = from + 1 + Math.floor(random() * (LENGTH_S * FPS - from - 1));
  const clipped = clipPresences(presences, at(from), at(to));
  const whole = measureOccupancy(presences);
  const part = measureOccupancy(clipped);

  test('of a window are never more than the objects that overlap it', () => {
    const overlapping = new Set(
      presences.filter((p) => p.start.timeS <= to / FPS && p.end.timeS >= from / FPS).map(({ id }) => id),
    );
    expect(part.total).toBe(overlapping.size);
    expect(part.peak?.count ?? 0).toBeLessThanOrEqual(overlapping.size);
    expect(part.peak?.count ?? 0).toBeLessThanOrEqual(whole.peak!.count);
  });

  test('are the same whether the window or the count comes first', () => {
    const frames = Array.from({ length: to - from + 1 }, (_, i) => from + i);
    expect(part.peak?.count ?? 0).toBe(Math.max(...frames.map((frame) => countAt(presences, frame / FPS))));
    if (part.peak) expect(countAt(presences, part.peak.start.timeS)).toBe(part.peak.count);
    const between = frames.slice(1).map((frame) => countAt(presences, (frame - 0.5) / FPS) / FPS);
    expect(part.sumS).toBeCloseTo(
      between.reduce((sum, each) => sum + each, 0),
      6,
    );
  });

  test('add up over windows that follow each other', () => {
    const parts = [
      [0, from],
      [from, to],
      [to, LENGTH_S * FPS],
    ].map(([a, b]) => measureOccupancy(clipPresences(presences, at(a!), at(b!))));
    expect(parts.reduce((sum, { sumS }) => sum + sumS, 0)).toBeCloseTo(whole.sumS, 6);
    expect(Math.max(...parts.map(({ peak }) => peak?.count ?? 0))).toBe(whole.peak!.count);
  });

  test('do not depend on the order', () => {
    expect(measureOccupancy(shuffle(presences, random))).toEqual(whole);
  });
});

describe.each([11, 12, 13])('a crowd of generated tracks (%i)', (seed) => {
  const random = createRandom(seed * 104_729);
  const tracks = Array.from({ length: 60 }, (_, i): TrackSpec => {
    const from = Math.round(random() * (LENGTH_S - 4) * FPS) / FPS;
    const to = Math.min(LENGTH_S - 1, from + 1 + Math.round(random() ** 2 * 25 * FPS) / FPS);
    return {
      className: 'person',
      from,
      to,
      at: still(0.05 + 0.9 * random(), 0.3 + 0.4 * random()),
      score: 0.6 + 0.01 * (i % 9),
    };
  });
  const video = observations(LENGTH_S, { signals: signals(LENGTH_S), objects: objects(LENGTH_S, tracks) });
  const scene = createScene(video);
  const windows = [
    [0, 10],
    [12, 15],
    [30, 38],
  ] as const;

  test.each(windows)('is counted in the window from %i to %i s', (from, to) => {
    const inside = tracks.filter((track) => track.from <= to && track.to >= from);
    for (const prompt of ['people', 'at least two people']) {
      const [found] = find(planner.planQuery(`${prompt} between ${from} and ${to} seconds`), scene);
      const { peak, sumS } = measureOccupancy(found!.matches.flatMap(({ presences }) => presences));
      const frames = Array.from({ length: (to - from) * FPS + 1 }, (_, i) => from + i / FPS);
      const countIn = (timeS: number) =>
        tracks.filter((track) => track.from <= timeS + 1e-9 && track.to >= timeS - 1e-9).length;
      expect(peak!.count, prompt).toBe(Math.max(...frames.map(countIn)));
      if (prompt !== 'people') continue;
      expect(distinctSubjects(found!.matches)).toHaveLength(inside.length);
      const integral = frames.slice(0, -1).reduce((sum, timeS) => sum + countIn(timeS) / FPS, 0);
      expect(sumS).toBeCloseTo(integral, 6);
    }
  });

  test.each(windows)('has in each event no more objects than boxes from %i to %i s', (from, to) => {
    for (const { label, evidence } of answerPrompt(`people between ${from} and ${to} seconds`, video).events) {
      const claimed = Number(/^(?:up to )?(\d+)/.exec(label)?.[1] ?? 1);
      const best = evidence.frames.find(({ role }) => role === 'best')!;
      expect(best.boxes).toHaveLength(Math.min(24, claimed));
    }
  });

  test('has most in the window where the window has most', () => {
    const [event] = answerPrompt('when are there most people between 12 and 15 seconds?', video).events;
    expect(event!.startS).toBeGreaterThanOrEqual(12);
    expect(event!.endS).toBeLessThanOrEqual(15);
  });
});

describe('an answer with a count', () => {
  const person = (from: number, to: number, x: number): TrackSpec => ({
    className: 'person',
    from,
    to,
    at: still(x, 0.5),
  });
  const crowd = Array.from({ length: 12 }, (_, i) => person(1, 4, 0.05 + i * 0.07));
  const video = observations(30, {
    signals: signals(30),
    objects: objects(30, [...crowd, person(3, 29, 0.9), person(6, 20, 0.3)]),
  });

  test('is about its window, not about the crowd before it', () => {
    const { answer, events } = answerPrompt('how many people between 10 and 20 seconds?', video);
    expect(answer).toMatch(/^2 people, at most 2 at the same time \(0:10\.0\), 2 on average\./);
    expect(events.every(({ label }) => !/1[0-9]/.test(label))).toBe(true);
  });

  test('is a lower bound in a crowd, where tracks are more than objects', () => {
    expect(answerPrompt('how many people?', video).answer).toMatch(
      /^At least 13 people: 13 at the same time \(0:03\.0\), 2\.6 on average\. 14 tracks in all: in a crowd/,
    );
  });

  test('has rates by the time of each object, not of its group', () => {
    const spread = Array.from({ length: 30 }, (_, i) => person(i * 4, i * 4 + 50, (i % 10) / 10 + 0.05));
    const { answer } = answerPrompt(
      'how many people per minute?',
      observations(180, { signals: signals(180), objects: objects(180, spread) }),
    );
    expect(answer).toContain('15 from 0:00.0, 15 from 1:00.0 and 0 from 2:00.0');
  });
});

describe('the mean', () => {
  /** People from and until these times, where a frame is examined this often. */
  const seen = (fps: number, seconds: number, times: readonly (readonly [number, number])[]) =>
    observations(seconds, {
      signals: signals(seconds, undefined, fps),
      objects: objects(
        seconds,
        times.map(([from, until], i): TrackSpec => {
          return { className: 'person', from, to: until - 1 / fps, at: still(0.1 + 0.15 * i, 0.5), score: 0.9 };
        }),
        fps,
      ),
    });
  const meanOf = (prompt: string, video: ReturnType<typeof seen>) =>
    Number(/([\d.]+) on average/.exec(answerPrompt(prompt, video).answer!)![1]);

  describe.each([1, 2, 5, 25])('of %i frames per second', (fps) => {
    const visits = [
      [0, 20],
      [4, 7],
      [5, 10],
      [10, 14],
      [18, 20],
    ] as const;
    const video = seen(fps, 20, visits);

    test('is that of the time in which the objects are there', () => {
      expect(meanOf('how many people?', video)).toBe(1.7);
      expect(meanOf('how many people?', seen(fps, 20, [[0, 20]]))).toBe(1);
    });

    test.each([
      [4, 14, 2.2],
      [4.5, 9.5, 2.4],
      [10.3, 17.8, 1.5],
      [15.5, 20, 1.4],
    ])('is that of its window from %f to %f s', (from, to, mean) => {
      expect(meanOf(`how many people between ${from} and ${to} seconds?`, video)).toBe(mean);
    });

    test('is that of the time with as many objects as requested', () => {
      const [found] = find(planner.planQuery('at least two people'), createScene(video));
      expect(measureOccupancy(found!.matches.flatMap(({ presences }) => presences)).sumS).toBeCloseTo(26, 6);
    });

    test('lets a label state the number of objects that stay', () => {
      const pair = seen(fps, 20, [
        [2, 6],
        [2, 6],
      ]);
      expect(answerPrompt('two people', pair).events[0]!.label).toMatch(/^2 people/);
    });
  });
});
