import { expect, test } from 'vitest';
import { objectsOf, trackOf } from '../object-embeddings/views.fixture.ts';
import type { Track } from '../objects/observation.ts';
import { MIN_HEIGHT, selectSamples } from './select-samples.ts';

const VIDEO = { width: 1280, height: 720 };
const STEP_S = 0.2;
const BUDGET_PER_FRAME = 1.2;

/** A person in every frame from one to another; `stride` is how far it moves between frames. */
function person(id: number, from: number, to: number, { height = 0.4, stride = 0 } = {}): Track {
  const entries = Array.from({ length: to - from }, (_, k) => ({
    frame: from + k,
    x: 0.1 + stride * k,
    width: 0.1,
    height,
  }));
  return trackOf(id, entries, 'person');
}
const countsOf = (tracks: Track[]) => {
  const samples = selectSamples(objectsOf(tracks, STEP_S), VIDEO);
  return tracks.map((track) => samples.filter((sample) => sample.track === track).length);
};

test('a person who stays as they are is examined about twice a second', () => {
  expect(countsOf([person(1, 0, 100)])).toEqual([34]);
});

test('where the box changes, every detection is examined', () => {
  const still = person(1, 0, 100);
  const moves = person(2, 0, 20, { stride: 0.03 });
  expect(countsOf([still, moves])).toEqual([34, 20]);
});

test('people who are too small, other objects, and boxes where nothing was detected are left out', () => {
  const least = MIN_HEIGHT / VIDEO.height;
  const small = person(1, 0, 20, { height: least - 0.002 });
  const car = { ...person(2, 0, 20), className: 'car' };
  const bridged = { ...person(3, 0, 20), score: new Float32Array(20) };
  expect(countsOf([small, car, bridged, person(4, 0, 20, { height: least + 0.002 })])).toEqual([0, 0, 0, 7]);
});

test('the budget holds whatever the number of people and their motion, and the largest are examined first', () => {
  for (const count of [1, 3, 10, 60]) {
    for (const stride of [0, 0.02]) {
      const frames = 200;
      const tracks = Array.from({ length: count }, (_, k) =>
        person(k + 1, 0, frames, { height: 0.1 + 0.01 * k, stride }),
      );
      const counts = countsOf(tracks);
      expect(counts.reduce((sum, own) => sum + own)).toBeLessThanOrEqual(BUDGET_PER_FRAME * frames);
      expect(counts.at(-1)).toBeGreaterThanOrEqual(frames / 10);
    }
  }
});

test('samples are by track, ascending in time, each once, and the same for the same tracks', () => {
  const objects = objectsOf([person(1, 0, 30, { stride: 0.02 }), person(2, 10, 60)], STEP_S);
  const samples = selectSamples(objects, VIDEO);
  const keys = samples.map(({ track, entry }) => track.id * 1000 + entry);
  expect(keys).toEqual([...new Set(keys)].toSorted((a, b) => a - b));
  expect(selectSamples(objects, VIDEO)).toEqual(samples);
});
