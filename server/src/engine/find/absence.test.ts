// Confidence of an absence: it depends on what the detector misses, and on objects that it may mistake for others.
import { describe, expect, test } from 'vitest';
import { answerPrompt, toRows } from '../answer.fixture.ts';
import { CLASSES } from '../observe/objects/index.ts';
import { line, objects, observations, signals, still, type TrackSpec } from './observations.fixture.ts';

const LENGTH_S = 40;

const video = (tracks: TrackSpec[], moving: (t: number) => boolean = () => false) =>
  observations(LENGTH_S, {
    signals: signals(LENGTH_S, (t) => ({ localMotion: moving(t) ? 0.1 : 0 })),
    objects: { ...objects(LENGTH_S, tracks), classes: [...CLASSES] },
  });

/** A vehicle that comes close to the camera between 10 and 20 s. */
const close = (className: string, size: number, more: Partial<TrackSpec> = {}): TrackSpec => ({
  className,
  from: 5,
  to: 25,
  at: still(0.5, 0.5),
  size: (t) => (t >= 10 && t <= 20 ? [size, size] : [0.15, 0.12]),
  score: 0.9,
  ...more,
});

/** Confidence that something is absent at a time, 0 if nothing states it. */
function absenceAt(prompt: string, timeS: number, tracks: TrackSpec[]): number {
  const { events, candidates } = answerPrompt(prompt, video(tracks));
  return [...events, ...candidates].find(({ startS, endS }) => startS <= timeS && endS >= timeS)?.confidence ?? 0;
}

describe('an absence', () => {
  test('of more time than was searched is not found, and the coverage says why', () => {
    for (const [prompt, searchedS] of [
      ['nobody for 10 minutes', LENGTH_S],
      ['nobody for 10 minutes in the first 20 seconds', 20],
    ] as const) {
      const { events, coverage } = answerPrompt(prompt, video([]));
      const reason = `${searchedS} s of video were searched, less than the 600 s requested`;
      expect([prompt, events, coverage]).toMatchObject([prompt, [], [{ reason: expect.stringContaining(reason) }]]);
    }
    const { coverage } = answerPrompt('nobody for 10 seconds', video([]));
    expect(coverage[0]!.reason ?? '').not.toContain('requested');
  });

  test('is less certain where the detector misses more of the class', () => {
    const confidences = ['no people', 'no dogs', 'no bicycles', 'no handbags'].map((prompt) =>
      absenceAt(prompt, 15, []),
    );
    expect(confidences).toEqual(confidences.toSorted((a, b) => b - a));
    expect(confidences[0]).toBeGreaterThan(0.85);
    expect(confidences.at(-1)).toBeLessThan(0.8);
  });

  test('of a class that is taken for another one is as certain as that neither is there', () => {
    expect(absenceAt('no trucks', 15, [])).toBeGreaterThan(0.88);
    expect(absenceAt('no trucks', 15, [close('car', 0.15)])).toBeLessThan(absenceAt('no trucks', 15, []));
  });

  test('is unlikely while an object of such a class fills the frame', () => {
    for (const className of ['car', 'bus', 'train']) {
      const tracks = [close(className, 0.8)];
      expect(absenceAt('no truck', 15, tracks), className).toBeLessThan(0.5);
      expect(absenceAt('no truck', 35, tracks), className).toBeGreaterThan(0.8);
      expect(absenceAt('nobody', 15, tracks), className).toBeGreaterThan(0.85);
    }
    const { coverage, candidates } = answerPrompt('no truck', video([close('car', 0.8)]));
    expect(coverage[0]!.reason).toContain('a car that fills much of the frame may be what was looked for');
    expect(candidates[0]!.caveats.join()).toContain('a car that fills much of the frame');
  });

  test('is unlikely while the detector took something for the class at times', () => {
    expect(absenceAt('no truck', 15, [close('car', 0.2, { agreement: 0.45 })])).toBeLessThan(0.5);
  });

  test('is not denied in all of the video because of one close vehicle', () => {
    const { events, candidates } = answerPrompt('when is there no truck', video([close('car', 0.8)]));
    expect(events.map(({ startS, endS }) => [startS, endS])).toEqual([
      [0, expect.closeTo(9.8, 1)],
      [expect.closeTo(20.2, 1), 39.8],
    ]);
    expect(candidates).toHaveLength(1);
  });

  test('ends where something is found, and is a candidate where something may be', () => {
    const ghost: TrackSpec = { ...close('cat', 0.1), score: 0.35, from: 12, to: 18, agreement: 0.6 };
    const person: TrackSpec = { ...close('person', 0.2), from: 25, to: 30 };
    const { events, candidates } = answerPrompt('when is the room empty?', video([ghost, person]));
    const times = events.map(({ startS, endS }) => [Math.round(startS), Math.round(endS)]);
    expect(times[0]![0]).toBe(0);
    expect(times.at(-1)).toEqual([30, 40]);
    expect([...events, ...candidates].some(({ startS, endS }) => startS < 15 && endS > 15)).toBe(true);
  });
});

describe('"when is the room empty"', () => {
  const visits: TrackSpec[] = [8, 20].map((from) => ({
    className: 'person',
    from,
    to: from + 5,
    at: line(from, [0.1, 0.5], from + 5, [0.9, 0.5]),
    size: () => [0.1, 0.3],
    score: 0.9,
  }));
  const seen = video(visits, (t) => t > 15 && t < 18);

  test('finds the times that "nobody is there" finds, though something moved in one of them', () => {
    const times = (prompt: string) => toRows(answerPrompt(prompt, seen)).map(([, ...span]) => span);
    expect(times('when is nobody there')).toHaveLength(3);
    const empty = answerPrompt('when is the room empty', seen);
    const found = [...empty.events, ...empty.candidates].toSorted((a, b) => a.startS - b.startS);
    expect(found.map(({ startS }) => startS)).toEqual([0, 13.2, 25.2].map((time) => expect.closeTo(time, 1)));
    const [before, moved, after] = found.map(({ confidence }) => confidence);
    expect(moved).toBeLessThan(Math.min(before!, after!) - 0.2);
    expect(found[1]!.caveats.join()).toContain('something moved');
  });

  test('is cut around a short motion that was not recognized', () => {
    const moved = video([], (t) => t > 15 && t < 18);
    const { events } = answerPrompt('no truck', moved);
    const [before, during, after] = events;
    expect(events.map(({ startS }) => Math.round(startS))).toEqual([0, 15, 18]);
    expect(during!.confidence).toBeLessThan(before!.confidence - 0.2);
    expect(after!.confidence).toBeGreaterThan(0.85);
  });

  test('is explained by an object that comes in afterwards', () => {
    const [first] = visits;
    const entering = { ...first!, enteredFrom: 'left' as const };
    const { coverage } = answerPrompt(
      'nobody is there',
      video([entering], (t) => t > 6.5 && t < 8),
    );
    expect(coverage[0]!.reason).toBeNull();
  });
});

describe('negated actions', () => {
  const enters = (from: number): TrackSpec => ({
    className: 'person',
    from,
    to: from + 3,
    at: line(from, [0.02, 0.5], from + 3, [0.6, 0.5]),
    size: () => [0.05, 0.2],
    enteredFrom: 'left',
    score: 0.9,
  });
  const visited = video([enters(6), enters(10), enters(28)]);

  test('are about the whole time without a duration, and about the time between with one', () => {
    expect(toRows(answerPrompt('nobody enters', visited))).toEqual([]);
    expect(toRows(answerPrompt('nobody enters', video([])))).toHaveLength(1);
    const between = toRows(answerPrompt('nobody enters for 5 seconds', visited));
    expect(between.map(([, from, to]) => [Math.round(Number(from)), Math.round(Number(to))])).toEqual([
      [0, 6],
      [10, 28],
      [28, 40],
    ]);
    expect(toRows(answerPrompt('nobody enters for 15 seconds', visited))).toHaveLength(1);
    expect(toRows(answerPrompt('nobody enters for 30 seconds', visited))).toEqual([]);
  });
});
