// Laws of the values that are calculated from matches, on generated tracks, and the sentences that state them.
import { describe, expect, test } from 'vitest';
import { answerPrompt } from '../../answer.fixture.ts';
import { createRandom } from '../../observe/signals/frames.fixture.ts';
import { createTelemetry, type TelemetrySample } from '../../observe/telemetry/samples.ts';
import { createPlanner, type Plan } from '../../plan/index.ts';
import { find } from '../find.ts';
import { line, objects, observations, signals, still, type TrackSpec } from '../observations.fixture.ts';
import { createScene } from '../scene.ts';
import { calculateValue } from './calculate.ts';
import { compareValues } from './compare.ts';

const planner = createPlanner();
const LENGTH_S = 60;
const FPS = 5;

type Measure = NonNullable<Plan['calculation']>['values'][number]['measure'];

describe.each([1, 2, 3, 4, 5, 6, 7, 8])('values of generated tracks (%i)', (seed) => {
  const random = createRandom(seed * 6151);
  const tracks = Array.from({ length: 1 + Math.floor(random() * 12) }, (_, i): TrackSpec => {
    const from = Math.round(random() * (LENGTH_S - 10) * 5) / 5;
    const to = Math.min(LENGTH_S - 1, from + 2 + Math.round(random() * 100) / 5);
    return { className: 'car', from, to, at: still(0.05 + (0.9 * i) / 12, 0.5), size: () => [0.06, 0.1] };
  });
  const scene = createScene(
    observations(LENGTH_S, { signals: signals(LENGTH_S), objects: objects(LENGTH_S, tracks, FPS) }),
  );
  const results = find(planner.planQuery('cars'), scene);
  const range = { from: 0, to: LENGTH_S };
  const valueBy = (measure: Measure) => {
    const value = calculateValue({ searches: [0], measure }, results, range, scene);
    if (value.kind !== 'number') throw new Error(`${measure} is ${value.kind}`);
    return value;
  };

  test('count, most and mean are in order', () => {
    expect(valueBy('count').value).toBe(tracks.length);
    expect(valueBy('most').value).toBeLessThanOrEqual(valueBy('count').value);
    expect(valueBy('mean_count').value).toBeLessThanOrEqual(valueBy('most').value);
  });

  test('the mean number over the whole time is the time of all objects together', () => {
    const { value, from } = valueBy('item_length');
    expect(from).toBe(tracks.length);
    // An object counts until the frame after its last one; how long it stays is the time between its frames.
    expect(valueBy('mean_count').value * LENGTH_S).toBeCloseTo((value + 1 / FPS) * tracks.length, 6);
  });

  test('the time in which one is there is at most that of all objects, and its share that of the range', () => {
    expect(valueBy('length').value).toBeLessThanOrEqual(valueBy('item_length').value * tracks.length + 1e-9);
    expect(valueBy('share').value).toBeCloseTo(valueBy('length').value / LENGTH_S, 9);
  });

  test('a value is never above the most that it may be', () => {
    for (const measure of ['count', 'most', 'mean_count', 'length', 'item_length', 'share', 'start'] as const)
      expect(valueBy(measure).high, measure).toBeGreaterThanOrEqual(valueBy(measure).value);
  });

  test('the start is the first of them', () => {
    expect(valueBy('start').value).toBeCloseTo(Math.min(...tracks.map(({ from }) => from)), 1);
  });
});

describe('comparisons', () => {
  const value = (low: number, high = low) => ({ kind: 'number', value: low, high, from: 1 }) as const;
  const random = createRandom(99);
  const pairs = Array.from({ length: 200 }, () =>
    [0, 1].map(() => {
      const low = Math.floor(random() * 6);
      return value(low, low + (random() < 0.5 ? 0 : Math.floor(random() * 6)));
    }),
  );

  test('are the other way round with the values exchanged', () => {
    const turned = { greater: 'smaller', smaller: 'greater', equal: 'equal', open: 'open' } as const;
    for (const [a, b] of pairs) expect(compareValues(b!, a!, false)).toBe(turned[compareValues(a!, b!, false)]);
  });

  test('stay open where what was missed may change them', () => {
    for (const [a, b] of pairs) {
      const order = compareValues(a!, b!, false);
      if (order === 'greater') expect(a!.value).toBeGreaterThan(b!.high);
      if (order === 'equal') expect([a!.value, a!.high]).toEqual([b!.value, b!.high]);
    }
  });

  test('of times need a difference that can be seen', () => {
    expect(compareValues(value(3), value(3.1), true)).toBe('open');
    expect(compareValues(value(3), value(4), true)).toBe('smaller');
  });
});

describe('the answer', () => {
  const track = (className: string, from: number, to: number, x: number, color?: string): TrackSpec => ({
    className,
    from,
    to,
    at: still(x, 0.5),
    size: () => [0.2, 0.2],
    ...(color ? { colors: [[color, 0.8]] } : {}),
  });
  const video = observations(40, {
    signals: signals(40),
    objects: objects(40, [
      track('car', 2, 12, 0.2, 'red'),
      track('car', 5, 9, 0.5, 'white'),
      track('car', 20, 24, 0.5, 'white'),
      track('car', 25, 30, 0.8, 'white'),
      track('bus', 30, 38, 0.4),
    ]),
  });
  const answerOf = (prompt: string) => answerPrompt(prompt, video).answer!;

  test.each([
    ['which car came first, the white one or the red one', /^First: a red car in view, at 0:02\.0; a white car/],
    ['which came last, the bus or the red car', /^Last: a bus in view, at 0:30\.0; a red car/],
    ['are there more white cars than buses', /^(?:Yes|Not certain)/],
    [
      'was the red car in view longer than the bus',
      /^Yes: a red car in view, 10 s in all; a bus in view, 8 s in all\./,
    ],
    ['does the bus appear before or after the red car', /^After: a bus that appears, at 0:30\.0/],
    ['how much of the time is a bus in view', /^2\d(?:\.\d)? % of the time, in 1 interval/],
    ['how long does each car stay on average', /^5\.8 s on average, of 4/],
    ['how many cars are there at the busiest moment', /^2 at the same time, first at 0:05\.0/],
    ['how many cars at the start vs at the end', /0:0|only at the start.*; a car in view \(only at the end/],
  ])('%s', (prompt, expected) => {
    expect(answerOf(prompt)).toMatch(expected);
  });

  test('is open where one of two was not found', () => {
    expect(answerOf('which came first, the bus or the dog')).toMatch(/^Not certain: a dog in view was not found/);
  });

  test('is open where nothing was found of what the detector often misses', () => {
    expect(answerOf('how much of the time is a truck in view')).toMatch(
      /^Not certain: it was looked for and not found/,
    );
    expect(answerOf('how much of the time is a person in view')).toMatch(/^0 % of the time/);
  });

  test('is open where neither was found', () => {
    expect(answerOf('are there more dogs than cats')).toMatch(
      /^Not certain: a dog in view and a cat in view were not found/,
    );
  });

  test('is not known where a man and a woman are both any person', () => {
    expect(answerOf('who came first, the man or the woman')).toMatch(/^Not known: what is compared is looked for/);
  });

  test('is not known where a part is not searched', () => {
    expect(answerOf('is there more blood than cars')).not.toMatch(/^(?:Yes|No)\b(?! known)/);
  });
});

describe('all and most of several', () => {
  const parked = (at: number): TrackSpec => ({
    className: 'car',
    from: 0,
    to: 30,
    at: still(at, 0.6),
    size: () => [0.2, 0.15],
    stationary: [[0, 30]],
    score: 0.9,
  });
  const moving: TrackSpec = { ...parked(0), from: 4, to: 8, at: line(4, [0.05, 0.3], 8, [0.95, 0.3]), stationary: [] };
  const answerOf = (prompt: string, ...tracks: TrackSpec[]) =>
    answerPrompt(prompt, observations(30, { signals: signals(30), objects: objects(30, tracks) })).answer!;

  test('are compared with their number', () => {
    expect(answerOf('are all of the cars parked', parked(0.3), parked(0.7))).toMatch(
      /^(?:Yes|Not certain): .*2 of 2\.$/,
    );
    expect(answerOf('are all of the cars parked', parked(0.3), parked(0.7), moving)).toMatch(/2 of 3/);
    expect(answerOf('are most of the cars parked', parked(0.3), parked(0.7), moving)).toMatch(/2 of 3/);
  });

  test('all implies most', () => {
    for (const tracks of [[parked(0.3)], [parked(0.3), moving], [moving]]) {
      const [all, most] = ['all', 'most'].map((whole) => answerOf(`are ${whole} of the cars parked`, ...tracks));
      if (all!.startsWith('Yes')) expect(most).toMatch(/^Yes/);
      if (most!.startsWith('No:')) expect(all).toMatch(/^No:/);
    }
  });
});

describe('a measured quantity', () => {
  const samples = Array.from({ length: 401 }, (_, i): TelemetrySample => {
    const timeS = i / 10;
    return { timeS, speedMps: timeS < 20 ? 10 : 20 };
  });
  const video = observations(40, {
    signals: signals(40, (timeS) => ({ cut: timeS === 30 ? 90 : 1 })),
    telemetry: { telemetry: createTelemetry('test', samples), reason: null },
  });
  test.each([
    ['average speed over the whole thing', /^54 km\/h on average/],
    ['highest speed in the first quarter of the video', /^36 km\/h at 0:/],
    ['lowest speed in mph', /^22\.4 mph at 0:00\.0/],
  ])('%s', (prompt, expected) => {
    const { answer, events, summary } = answerPrompt(prompt, video);
    expect(answer).toMatch(expected);
    expect(summary).toBe(answer);
    // A value of all the time is no event.
    expect(events).toEqual([]);
  });
});
