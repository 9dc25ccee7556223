// Laws of picking places of an order, on generated tracks.
import { describe, expect, test } from 'vitest';
import { answerPrompt } from '../answer.fixture.ts';
import { createRandom } from '../observe/signals/frames.fixture.ts';
import { createPlanner, type PlannedSearch } from '../plan/index.ts';
import { find } from './find.ts';
import { objects, observations, signals, still, type TrackSpec } from './observations.fixture.ts';
import { pickMatches, placesText } from './pick-matches.ts';
import { createScene } from './scene.ts';
import type { IntervalMatch } from './types.ts';

const LENGTH_S = 60;
const planner = createPlanner();
const lengthOf = ({ start, end }: IntervalMatch) => end.timeS - start.timeS;
const idsOf = (matches: readonly IntervalMatch[]) => matches.map(({ presences: [own] }) => own!.id);

test('open places are named by those before them', () => {
  expect(placesText('first', { from: 2, to: 100 })).toBe('what follows the first');
  expect(placesText('longest', { from: 4, to: 100 })).toBe('what follows the 3 longest');
  expect(placesText('first', { from: 2, to: 5 })).toBe('numbers 2 to 5 of the first');
});

// From 10 cars on, those at the same time are found as one crowd.
describe.each([
  [1, 3],
  [2, 6],
  [3, 9],
  [4, 16],
  [5, 24],
])('places of generated tracks (%i)', (seed, count) => {
  const random = createRandom(seed * 7919);
  const tracks = Array.from({ length: count }, (_, i): TrackSpec => {
    const from = Math.round(random() * 30 * 5) / 5;
    const to = from + 3 + Math.round(random() * 100) / 5;
    return { className: 'car', from, to, at: still(0.02 + (0.96 * i) / count, 0.5), size: () => [0.03, 0.1] };
  });
  const scene = createScene(
    observations(LENGTH_S, { signals: signals(LENGTH_S), objects: objects(LENGTH_S, tracks, 5) }),
  );
  const [all] = find(planner.planQuery('cars'), scene);
  const placesOf = (pick: PlannedSearch['pick'], from: number, to: number, matches = all!.matches) =>
    pickMatches({ pick, places: { from, to } }, matches, scene);

  test('are as many as there are, each object once', () => {
    const ranked = placesOf('longest', 1, 100);
    expect(new Set(idsOf(ranked)).size).toBe(count);
    expect(ranked).toHaveLength(count);
  });

  test('are in order, the longest those that the shortest end with', () => {
    const longest = placesOf('longest', 1, 100).map(lengthOf);
    expect(longest).toEqual(longest.toSorted((a, b) => b - a));
    expect(placesOf('shortest', 1, 100).map(lengthOf)).toEqual(longest.toReversed());
  });

  test('of fewer are the beginning of those of more, and single places follow one another', () => {
    const ranked = placesOf('longest', 1, 100);
    for (let n = 1; n <= count; n++) {
      expect(placesOf('longest', 1, n)).toEqual(ranked.slice(0, n));
      expect(placesOf('longest', n, n)).toEqual(ranked.slice(n - 1, n));
    }
    expect(placesOf('longest', count + 1, count + 5)).toEqual([]);
  });

  test('do not depend on the order in which they were found', () => {
    for (const pick of ['first', 'last', 'longest', 'shortest'] as const)
      expect(placesOf(pick, 1, 5, all!.matches.toReversed()).map(lengthOf)).toEqual(placesOf(pick, 1, 5).map(lengthOf));
  });
});

test('a ranking is answered with the length of each, and says where it is cut off', () => {
  const car = (from: number, to: number, x: number): TrackSpec => ({
    className: 'car',
    from,
    to,
    at: still(x, 0.5),
    size: () => [0.2, 0.2],
  });
  const video = observations(40, {
    signals: signals(40),
    objects: objects(40, [car(2, 12, 0.2), car(5, 9, 0.5), car(20, 39.9, 0.8)]),
  });
  const { answer, events, interpretation } = answerPrompt('the two longest appearances of a car', video);
  expect(answer).toMatch(/^20 s \(0:20\.0 to 0:39\.\d\) and 10 s \(0:02\.0 to 0:12\.0\)\./);
  expect(answerPrompt('the four longest appearances of a car', video).answer).toMatch(/^Only 3 were found\. 20 s/);
  expect(events).toHaveLength(2);
  expect(interpretation).toContain('only the 2 longest');
  expect(answerPrompt('the second longest appearance of a car in the first 10 seconds', video).answer).toMatch(/^4 s/);
  expect(answerPrompt('the two longest appearances of a car in the first 10 seconds', video).answer).toMatch(
    /^At least 8 s/,
  );
});

describe('objects compared by looks', () => {
  // Wider from left to right, and faster from right to left.
  const widths = [0.04, 0.08, 0.12, 0.16];
  const lane = (i: number) => 0.15 + 0.23 * i;
  const cars = widths.map(
    (width, i): TrackSpec => ({
      className: 'car',
      from: 2,
      to: 12,
      at: (timeS) => [0.1 + 0.07 * (4 - i) * ((timeS - 2) / 10) * 2, lane(i)],
      size: () => [width, width],
    }),
  );
  const video = observations(20, { signals: signals(20), objects: objects(20, cars, 5) });
  const scene = createScene(video);
  const [all] = find(planner.planQuery('cars'), scene);
  const order = (pick: PlannedSearch['pick'], matches = all!.matches) =>
    pickMatches({ pick, places: { from: 1, to: 10 } }, matches, scene).map(({ tracks: [own] }) =>
      widths.findIndex((width) => Math.abs(width - own!.track.width[0]!) < 1e-6),
    );

  test('are in order, whatever the order in which they were found', () => {
    for (const matches of [all!.matches, all!.matches.toReversed()]) {
      expect(order('largest', matches)).toEqual([3, 2, 1, 0]);
      expect(order('smallest', matches)).toEqual([0, 1, 2, 3]);
      expect(order('fastest', matches)).toEqual([0, 1, 2, 3]);
      expect(order('slowest', matches)).toEqual([3, 2, 1, 0]);
    }
  });

  test('are found by words for them, and it is stated what is compared', () => {
    const { events, interpretation, coverage } = answerPrompt('the biggest car', video);
    expect(events).toHaveLength(1);
    expect(interpretation).toContain('only the largest in the picture');
    expect(JSON.stringify(coverage)).toContain('what is closer looks larger');
    expect(answerPrompt('the two fastest cars', video).events).toHaveLength(2);
  });

  test('have no speed in a single frame', () => {
    const once = observations(20, {
      signals: signals(20),
      objects: objects(20, [{ ...cars[0]!, from: 2, to: 2.1 }], 5),
    });
    expect(answerPrompt('the fastest car', once).events).toEqual([]);
  });
});
