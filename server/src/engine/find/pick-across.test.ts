// Laws of places from one side, on generated tracks, and what is picked while objects change their places.
import { describe, expect, test } from 'vitest';
import { answerPrompt, toRows } from '../answer.fixture.ts';
import { createRandom } from '../observe/signals/frames.fixture.ts';
import { createPlanner } from '../plan/index.ts';
import { find } from './find.ts';
import { objects, observations, signals, still, type TrackSpec } from './observations.fixture.ts';
import { pickMatches } from './pick-matches.ts';
import { createScene } from './scene.ts';

const planner = createPlanner();
const person = (from: number, to: number, at: TrackSpec['at']): TrackSpec => ({
  className: 'person',
  from,
  to,
  at,
  size: () => [0.05, 0.3],
});
const videoOf = (lengthS: number, tracks: readonly TrackSpec[]) =>
  observations(lengthS, { signals: signals(lengthS), objects: objects(lengthS, [...tracks], 5) });

describe.each([1, 2, 3])('of generated tracks (%i)', (seed) => {
  const random = createRandom(seed * 7919);
  const count = 2 + seed;
  const tracks = Array.from({ length: count }, () => person(2, 18, still(0.05 + 0.9 * random(), 0.5)));
  const scene = createScene(videoOf(20, tracks));
  const [all] = find(planner.planQuery('people'), scene);
  const at = (pick: 'leftmost' | 'rightmost', place: number) =>
    pickMatches({ pick, places: { from: place, to: place } }, all!.matches, scene).map(
      ({ presences }) => presences[0]!.id,
    );

  test('each object has one, in the order of where it is', () => {
    const order = tracks.map((track, i) => ({ x: track.at(5)[0], i })).toSorted((a, b) => a.x - b.x);
    const ids = Array.from({ length: count }, (_, i) => at('leftmost', i + 1));
    expect(ids.every(({ length }) => length === 1)).toBe(true);
    expect(new Set(ids.flat()).size).toBe(count);
    const first = Math.min(...ids.flat());
    expect(ids.flat().map((id) => id - first)).toEqual(order.map(({ i }) => i));
  });

  test('from the right they are those from the left in reverse', () => {
    for (let place = 1; place <= count; place++)
      expect(at('rightmost', place)).toEqual(at('leftmost', count + 1 - place));
    expect(at('leftmost', count + 1)).toEqual([]);
  });
});

test('a place is held only while it is, and by nobody while there are fewer', () => {
  // One is in the middle from 2 s, the other walks past from the left to the right and is level at 10 s.
  const video = videoOf(20, [person(2, 18, still(0.5, 0.5)), person(4, 16, (t) => [0.2 + (0.6 * (t - 4)) / 12, 0.5])]);
  const rows = toRows(answerPrompt('the second person from the left', video)).map(([, from, to]) => [from, to]);
  expect(rows).toEqual([
    [4, expect.closeTo(10, 0)],
    [expect.closeTo(10, 0), 16],
  ]);
});
