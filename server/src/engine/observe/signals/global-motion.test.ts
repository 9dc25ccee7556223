import { expect, test } from 'vitest';
import { createRandom, noiseScene, renderScene } from './frames.fixture.ts';
import { createMotionFit, STILL } from './global-motion.ts';
import { BLOCKS, loadKernel, VECTOR } from './kernel.ts';

const OUTSIDE = 2 ** 31 - 1;

/** Fits the motion between two frames of one scene. */
function fitFrames(before: Uint8Array, now: Uint8Array) {
  const kernel = loadKernel();
  kernel.slots[0].set(before);
  kernel.ingest(0);
  kernel.slots[1].set(now);
  kernel.ingest(1);
  kernel.match(1);
  return createMotionFit()(kernel.vectors);
}

test('pan, zoom and roll are recovered from frames', () => {
  const scene = noiseScene(5, 9);
  const start = renderScene(scene, 60, 60);
  const pan = fitFrames(start, renderScene(scene, 63, 58));
  expect(pan.x).toBeCloseTo(-3, 0);
  expect(pan.y).toBeCloseTo(2, 0);
  expect(fitFrames(start, renderScene(scene, 60, 60, 1.02)).zoom).toBeCloseTo(0.02, 2);
  expect(fitFrames(start, renderScene(scene, 60, 60, 1, 0.02)).roll).toBeCloseTo(0.02, 2);
});

test('an object that covers half of the frame does not hide the motion of the camera', () => {
  const scene = noiseScene(5, 9);
  const frames = [renderScene(scene, 60, 60), renderScene(scene, 63, 60)];
  for (const frame of frames) frame.fill(90, frame.length / 2);
  expect(fitFrames(frames[0]!, frames[1]!).x).toBeCloseTo(-3, 0);
});

test('frames without texture have no motion', () => {
  const plain = new Uint8Array(renderScene(noiseScene(5, 9), 0, 0).length).fill(90);
  expect(fitFrames(plain, plain)).toEqual(STILL);
});

test('any vectors give finite numbers', () => {
  const random = createRandom(11);
  const upTo = (limit: number) => Math.floor(random() * limit);
  const fitMotion = createMotionFit();
  let moving = 0;
  for (let n = 0; n < 300; n++) {
    const texture = [4, 300, 3000][n % 3]!;
    const vectors = new Int32Array(BLOCKS * VECTOR);
    for (let block = 0; block < BLOCKS; block++) {
      const cost = upTo(1500);
      // A neighbor may cost less than the block's own vector if its search stopped early.
      const inside = () => (upTo(20) === 0 ? upTo(cost) : cost + upTo(texture));
      const side = () => (upTo(20) === 0 ? OUTSIDE : inside());
      const sides = [side(), side(), side(), side()];
      vectors.set([(n % 9) - 4 + upTo(3), upTo(5) - 2, cost, ...sides, cost], block * VECTOR);
    }
    const motion = fitMotion(vectors);
    expect(Object.values(motion).every(Number.isFinite)).toBe(true);
    if (motion.x !== 0) moving++;
  }
  expect(moving).toBeGreaterThan(50);
});
