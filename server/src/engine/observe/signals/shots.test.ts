import { expect, test } from 'vitest';
import { createSignalsObserver, HEIGHT, WIDTH } from './index.ts';
import { noise, panned } from './pictures.fixture.ts';

/** Observes what is drawn for each frame, at 25 a second. */
function observe(count: number, draw: (frame: number) => Uint8Array) {
  const observer = createSignalsObserver();
  for (let n = 0; n < count; n++) observer.take(draw(n), n / 25, n);
  const { cut, dissolve } = observer.finish();
  const cuts = [...cut.keys()].filter((n) => cut[n]! >= 50);
  const blended = [...dissolve.keys()].filter((n) => dissolve[n]! >= 50);
  return { cuts, blended };
}

/** A place with large and small things in it, seen from (`x`, `y`); drawing is slow, so views are kept. */
const scene = (seed: number) => {
  const [coarse, fine] = [noise(seed, 40), noise(seed + 100, 12)];
  const views = new Map<string, Uint8Array>();
  return (x: number, y: number) => {
    const key = `${x} ${y}`;
    const other = views.has(key) ? null : panned(fine, x, y);
    if (other)
      views.set(
        key,
        panned(coarse, x, y).map((pixel, at) => (2 * pixel + other[at]!) / 3),
      );
    return views.get(key)!;
  };
};
const [here, there] = [scene(5), scene(11)];
/** A hand that holds the camera. */
const still = (place: typeof here, n: number) => place(60 + (n % 3) / 2, 60 + (n % 2) / 2);
const lit = (picture: Uint8Array, gain: number, plus = 0) =>
  picture.map((pixel) => Math.max(0, Math.min(255, pixel * gain + plus)));

test('a cut is the first frame of the new shot, also to the same place in other light', () => {
  expect(observe(30, (n) => still(n < 12 ? here : there, n)).cuts).toEqual([12]);
  expect(observe(30, (n) => (n < 12 ? still(here, n) : lit(still(there, n), 0.3))).cuts).toEqual([12]);
});

test('a lamp that is switched off and on again is no cut, however dark it gets', () => {
  for (const gain of [0.3, 0.07, 0]) {
    const lamp = (n: number) => lit(still(here, n), n >= 20 && n < 60 ? gain : 1);
    // From complete darkness nothing can be known until there is light again: then it is the same place.
    expect(observe(80, lamp).cuts, `${gain}`).toEqual([]);
  }
});

test('a cut to black is one, when something else comes after it', () => {
  const black = new Uint8Array(WIDTH * HEIGHT);
  const film = (n: number) => (n < 20 ? still(here, n) : n < 50 ? black : still(there, n));
  expect(observe(80, film).cuts).toEqual([20, 50]);
});

test('a flash is no cut, not even one that leaves nothing to see', () => {
  for (const plus of [90, 255]) {
    expect(observe(50, (n) => lit(still(here, n), 1, n === 20 || n === 21 ? plus : 0)).cuts, `${plus}`).toEqual([]);
  }
});

test('what passes close before the camera for a moment is no cut', () => {
  expect(observe(50, (n) => still(n >= 20 && n < 27 ? there : here, n)).cuts).toEqual([]);
});

test('a whip pan has no cut, and ends in one when it does', () => {
  const whip = (n: number) => here(Math.abs(((24 * n) % 288) - 144), 60);
  expect(observe(30, whip).cuts).toEqual([]);
  expect(observe(30, (n) => (n < 15 ? whip(n) : still(there, n))).cuts).toEqual([15]);
});

test('a dissolve is found where it is, and is no cut', () => {
  const mix = (n: number) => Math.min(1, Math.max(0, (n - 40) / 20));
  const film = (n: number) => {
    const [from, to] = [still(here, n), still(there, n)];
    return from.map((pixel, at) => pixel * (1 - mix(n)) + to[at]! * mix(n));
  };
  const { cuts, blended } = observe(100, film);
  expect(cuts).toEqual([]);
  expect(blended[0]).toBeGreaterThan(35);
  expect(blended.at(-1)).toBeLessThan(65);
  expect(blended.length).toBeGreaterThan(8);
});

test('a slow pan is no dissolve', () => {
  expect(observe(80, (n) => here(2 * n, 60)).blended).toEqual([]);
});
