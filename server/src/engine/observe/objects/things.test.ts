import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { NO_STEP } from './camera.ts';
import { CLASSES } from './classes.ts';
import { COLORS } from './colors.ts';
import { createThings } from './things.ts';

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

test('of what has gone its track is kept, and nothing of the pictures it was seen in', () => {
  const things = createThings();
  const classIndex = CLASSES.indexOf('car');
  const take = (look: number) => {
    // Cars that cross in five seconds, and one that is seen once in each picture and never again.
    const cars = Array.from({ length: PER_LOOK - 1 }, (_, lane) => {
      const [x, y] = [((look % 40) * 0.9) / 25, lane / PER_LOOK];
      return { classIndex, score: 0.8, x0: x, x1: x + 0.08, y0: y, y1: y + 0.08 };
    });
    const once = { classIndex, score: 0.5, x0: (look * 0.37) % 0.9, x1: ((look * 0.37) % 0.9) + 0.05, y0: 0.9, y1: 1 };
    const detections = [...cars.filter(({ x1 }) => x1 < 1), once];
    const looked = { timeS: look / 5, camera: NO_STEP, cut: false, moving: [], detections };
    things.take(looked, new Float32Array(detections.length * COLORS.length));
  };
  for (let look = 0; look < HALF_AN_HOUR; look++) take(look);
  const before = bytesInUse();
  for (let look = 0; look < HALF_AN_HOUR; look++) take(HALF_AN_HOUR + look);
  const perLook = (bytesInUse() - before) / HALF_AN_HOUR;
  // 24 bytes a sighting, a kilobyte and a half for each thing, time and motion of the camera; the boxes and their colours alone would be twice that.
  expect(perLook).toBeLessThan(800);
  expect(things.finish().length).toBeGreaterThan((2 * HALF_AN_HOUR) / 40);
});
