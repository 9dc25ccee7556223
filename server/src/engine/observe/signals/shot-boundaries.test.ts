import { expect, test } from 'vitest';
import { createSignalsCollector, HEIGHT, WIDTH } from './collector.ts';
import { noiseScene, renderScene } from './frames.fixture.ts';

/** Observes drawn frames at 25 per second. */
function observe(count: number, draw: (frame: number) => Uint8Array) {
  const observer = createSignalsCollector();
  for (let n = 0; n < count; n++) observer.addFrame(draw(n), n / 25, n);
  const { cut, dissolve } = observer.finish();
  const cuts = [...cut.keys()].filter((n) => cut[n]! >= 50);
  const blended = [...dissolve.keys()].filter((n) => dissolve[n]! >= 50);
  return { cuts, blended };
}

/** A scene with large and small features, seen from (`x`, `y`). Views are cached because rendering is slow. */
const scene = (seed: number) => {
  const [coarse, fine] = [noiseScene(seed, 40), noiseScene(seed + 100, 12)];
  const views = new Map<string, Uint8Array>();
  return (x: number, y: number) => {
    const key = `${x} ${y}`;
    const other = views.has(key) ? null : renderScene(fine, x, y);
    if (other)
      views.set(
        key,
        renderScene(coarse, x, y).map((pixel, at) => (2 * pixel + other[at]!) / 3),
      );
    return views.get(key)!;
  };
};
const [here, there] = [scene(5), scene(11)];
/** A hand that holds the camera. */
const still = (place: typeof here, n: number) => place(60 + (n % 3) / 2, 60 + (n % 2) / 2);
const lit = (picture: Uint8Array, gain: number, plus = 0) =>
  picture.map((pixel) => Math.max(0, Math.min(255, pixel * gain + plus)));

test('a cut is the first frame of the new shot, even of the same place in another light', () => {
  expect(observe(30, (n) => still(n < 12 ? here : there, n)).cuts).toEqual([12]);
  expect(observe(30, (n) => (n < 12 ? still(here, n) : lit(still(there, n), 0.3))).cuts).toEqual([12]);
});

test('switching a lamp off and on is not a cut, however dark it gets', () => {
  for (const gain of [0.3, 0.07, 0]) {
    const lamp = (n: number) => lit(still(here, n), n >= 20 && n < 60 ? gain : 1);
    // From complete darkness nothing can be known until there is light again: then it is the same place.
    expect(observe(80, lamp).cuts, `${gain}`).toEqual([]);
  }
});

test('a cut to black counts if another shot follows', () => {
  const black = new Uint8Array(WIDTH * HEIGHT);
  const frameAt = (n: number) => (n < 20 ? still(here, n) : n < 50 ? black : still(there, n));
  expect(observe(80, frameAt).cuts).toEqual([20, 50]);
});

test('a flash is not a cut, even if the frame is blank', () => {
  for (const plus of [90, 255]) {
    expect(observe(50, (n) => lit(still(here, n), 1, n === 20 || n === 21 ? plus : 0)).cuts, `${plus}`).toEqual([]);
  }
});

test('an object that passes close to the camera is not a cut', () => {
  expect(observe(50, (n) => still(n >= 20 && n < 27 ? there : here, n)).cuts).toEqual([]);
});

test('a whip pan is not a cut, but may end in one', () => {
  const whip = (n: number) => here(Math.abs(((24 * n) % 288) - 144), 60);
  expect(observe(30, whip).cuts).toEqual([]);
  expect(observe(30, (n) => (n < 15 ? whip(n) : still(there, n))).cuts).toEqual([15]);
});

test('finds a dissolve at its place, and not as a cut', () => {
  const mix = (n: number) => Math.min(1, Math.max(0, (n - 40) / 20));
  const frameAt = (n: number) => {
    const [from, to] = [still(here, n), still(there, n)];
    return from.map((pixel, at) => pixel * (1 - mix(n)) + to[at]! * mix(n));
  };
  const { cuts, blended } = observe(100, frameAt);
  expect(cuts).toEqual([]);
  expect(blended[0]).toBeGreaterThan(35);
  expect(blended.at(-1)).toBeLessThan(65);
  expect(blended.length).toBeGreaterThan(8);
});

test('a slow pan is not a dissolve', () => {
  expect(observe(80, (n) => here(2 * n, 60)).blended).toEqual([]);
});
