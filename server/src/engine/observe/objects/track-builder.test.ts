import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { CLASSES } from './classes.ts';
import { SHARES_PER_BOX } from './colors.ts';
import { createTrackBuilder } from './track-builder.ts';
import { IDENTITY_TRANSFORM } from './tracker/camera-transform.ts';

const PER_LOOK = 8;
const HALF_AN_HOUR = 30 * 60 * 5;

/** Bytes that are in use once all that can be given back was. */
function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test('keeps the tracks of objects that left, but not their samples', () => {
  const builder = createTrackBuilder();
  const classIndex = CLASSES.indexOf('car');
  const take = (sample: number) => {
    // Cars that cross in five seconds, and in each frame an object that is detected once.
    const cars = Array.from({ length: PER_LOOK - 1 }, (_, lane) => {
      const [x, y] = [((sample % 40) * 0.9) / 25, lane / PER_LOOK];
      return { classIndex, score: 0.8, x0: x, x1: x + 0.08, y0: y, y1: y + 0.08 };
    });
    const once = {
      classIndex,
      score: 0.5,
      x0: (sample * 0.37) % 0.9,
      x1: ((sample * 0.37) % 0.9) + 0.05,
      y0: 0.9,
      y1: 1,
    };
    const detections = [...cars.filter(({ x1 }) => x1 < 1), once];
    const looked = { timeS: sample / 5, camera: IDENTITY_TRANSFORM, cut: false, moving: [], detections };
    builder.add(looked, new Float32Array(detections.length * SHARES_PER_BOX));
  };
  for (let sample = 0; sample < HALF_AN_HOUR; sample++) take(sample);
  const before = bytesInUse();
  for (let sample = 0; sample < HALF_AN_HOUR; sample++) take(HALF_AN_HOUR + sample);
  const perLook = (bytesInUse() - before) / HALF_AN_HOUR;
  // 24 bytes per detection, 1.5 KB per object, times and camera motion; boxes and colors alone would take twice
  // that.
  expect(perLook).toBeLessThan(800);
  expect(builder.finish().length).toBeGreaterThan((2 * HALF_AN_HOUR) / 40);
});

test.each([
  ['one frame per second', 1, 1],
  ['five frames per second', 0.2, 0],
])('a single detection in footage of %s', (_, stepS, expected) => {
  const builder = createTrackBuilder();
  const bus = { classIndex: CLASSES.indexOf('bus'), score: 0.6, x0: 0.2, y0: 0.2, x1: 0.8, y1: 0.9 };
  for (let sample = 0; sample < 9; sample++) {
    const detections = sample === 4 ? [bus] : [];
    const seen = { timeS: sample * stepS, camera: IDENTITY_TRANSFORM, cut: false, moving: [], detections };
    builder.add(seen, new Float32Array(detections.length * SHARES_PER_BOX));
  }
  expect(builder.finish()).toHaveLength(expected);
});

test('an uncertain single detection is dropped in footage of one frame per second too', () => {
  const builder = createTrackBuilder();
  const bus = { classIndex: CLASSES.indexOf('bus'), score: 0.46, x0: 0.2, y0: 0.2, x1: 0.8, y1: 0.9 };
  const seen = { camera: IDENTITY_TRANSFORM, cut: false, moving: [] };
  builder.add({ ...seen, timeS: 0, detections: [bus] }, new Float32Array(SHARES_PER_BOX));
  builder.add({ ...seen, timeS: 1, detections: [] }, new Float32Array());
  expect(builder.finish()).toEqual([]);
});
