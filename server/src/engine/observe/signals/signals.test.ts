import { expect, test } from 'vitest';
import { createSignalsCollector } from './collector.ts';
import { noiseScene, renderScene } from './frames.fixture.ts';
import { HEIGHT, WIDTH } from './kernel.ts';

/** Observes pictures at 25 frames a second. */
function observe(pictures: Uint8Array[]) {
  const observer = createSignalsCollector();
  pictures.forEach((picture, index) => void observer.addFrame(picture, index / 25, index));
  return observer.finish();
}

const frames = (count: number, draw: (index: number) => Uint8Array) =>
  Array.from({ length: count }, (_, index) => draw(index));
const plain = (level: number) => new Uint8Array(WIDTH * HEIGHT).fill(level);
const last = (values: Float32Array) => values.at(-1)!;

/** Draws a textured rectangle over a frame. */
function withObject(picture: Uint8Array, left: number, top: number, width: number, height: number): Uint8Array {
  const drawn = picture.slice();
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      drawn[(top + y) * WIDTH + left + x] = ((x * 37 + y * 91 + ((x * y) >> 2)) % 128) + 100;
    }
  }
  return drawn;
}

test('light: mean, spread, dark and bright shares', () => {
  const halves = plain(10);
  halves.fill(240, halves.length / 2);
  const { luma, contrast, dark, bright, difference } = observe([plain(10), halves]);
  expect([...luma]).toEqual([10, 125]);
  expect([...contrast]).toEqual([0, 115]);
  expect([...dark]).toEqual([1, 0.5]);
  expect([...bright]).toEqual([0, 0.5]);
  expect([...difference]).toEqual([0, 115]);
});

test('a blurred picture is less sharp', () => {
  const [sharp = 0, soft = 0] = observe([
    renderScene(noiseScene(1, 5), 40, 40),
    renderScene(noiseScene(1, 30), 40, 40),
  ]).sharpness;
  expect(sharp).toBeGreaterThan(soft * 5);
});

test('measures the motion of a pan to a tenth of a pixel', () => {
  const scene = noiseScene(5, 9);
  for (const [dx, dy] of [
    [0.3, 0],
    [1.5, -0.75],
    [-6, 2],
    [18, 0],
  ] as const) {
    const { globalX, globalY, zoom, localMotion } = observe(
      frames(3, (n) => renderScene(scene, 60 + n * dx, 60 + n * dy)),
    );
    // The camera moves right, so the image moves left.
    expect(Math.abs(last(globalX) - (-dx / WIDTH) * 25)).toBeLessThan((0.1 / WIDTH) * 25);
    expect(Math.abs(last(globalY) - (-dy / HEIGHT) * 25)).toBeLessThan((0.1 / HEIGHT) * 25);
    expect(Math.abs(last(zoom))).toBeLessThan(0.03);
    expect(last(localMotion)).toBeLessThan(0.12);
  }
});

test('moving forward makes the frame grow', () => {
  const scene = noiseScene(5, 9);
  const forward = observe(frames(4, (n) => renderScene(scene, 70, 60, 1.02 ** n)));
  expect(last(forward.zoom)).toBeGreaterThan(0.4);
  expect(last(forward.zoom)).toBeLessThan(0.6);
  const backward = observe(frames(4, (n) => renderScene(scene, 70, 60, 0.99 ** n)));
  expect(last(backward.zoom)).toBeLessThan(-0.2);
});

test('a moving object is local motion in its region, and the camera is still', () => {
  const scene = renderScene(noiseScene(5, 9), 60, 60);
  const signals = observe(frames(4, (n) => withObject(scene, 10 + n * 4, 10, 60, 40)));
  expect(last(signals.localMotion)).toBeGreaterThan(0.03);
  expect(Math.abs(last(signals.globalX))).toBeLessThan(0.01);
  const regions = [...signals.regions.subarray(-signals.regionRows * signals.regionColumns)];
  expect(regions.indexOf(Math.max(...regions))).toBe(0);
  expect(regions.slice(4).every((share) => share === 0)).toBe(true);
});

test('a large object in front of a plain background is not camera motion', () => {
  const signals = observe(frames(4, (n) => withObject(plain(90), 20 + n * 8, 20, 70, 84)));
  expect(last(signals.globalX)).toBe(0);
  expect(last(signals.localMotion)).toBeGreaterThan(0.05);
});

test('distinguishes an object that moves against a pan', () => {
  const scene = noiseScene(5, 9);
  const signals = observe(frames(4, (n) => withObject(renderScene(scene, 60 + n * 3, 60), 200, 100, 60, 60)));
  expect(Math.abs(last(signals.globalX) + (3 / WIDTH) * 25)).toBeLessThan(0.01);
  const lowerRight = [...signals.regions.subarray(-16)].filter((_, at) => at % 4 >= 2 && at >= 8);
  expect(Math.max(...lowerRight)).toBeGreaterThan(0.3);
});

test('cuts score over 50, and motion, light and passing objects stay under 30', () => {
  const [one, other] = [noiseScene(5, 9), noiseScene(6, 20)];
  expect(last(observe([renderScene(one, 60, 60), renderScene(other, 60, 60)]).cut)).toBeGreaterThan(50);
  expect(last(observe([renderScene(one, 60, 60), plain(0)]).cut)).toBeGreaterThan(50);
  const calm = {
    pan: renderScene(one, 75, 52),
    exposure: renderScene(one, 60, 60).map((pixel) => Math.min(255, pixel + 12)),
    flash: renderScene(one, 60, 60).map((pixel) => Math.min(255, pixel + 90)),
    thing: withObject(renderScene(one, 60, 60), 100, 60, 80, 80),
  };
  for (const [name, picture] of Object.entries(calm)) {
    expect(last(observe([renderScene(one, 60, 60), picture]).cut), name).toBeLessThan(30);
  }
  expect(last(observe([plain(60), plain(90)]).cut)).toBeLessThan(30);
});

test('a change of exposure is not motion', () => {
  const scene = renderScene(noiseScene(5, 9), 60, 60).map((pixel) => 60 + pixel / 4);
  const { localMotion, globalX, luma } = observe(frames(5, (n) => scene.map((pixel) => pixel + 5 * n)));
  expect(last(luma) - luma[0]!).toBeCloseTo(20, 0);
  expect(Math.max(...localMotion)).toBe(0);
  expect(Math.max(...globalX.map(Math.abs))).toBeLessThan(0.002);
});

test('a frozen picture has no difference', () => {
  const scene = renderScene(noiseScene(5, 9), 60, 60);
  const { difference, localMotion, cut } = observe([scene, scene, scene]);
  expect([...difference, ...localMotion, ...cut]).toEqual(new Array(9).fill(0));
});

test('measures clockwise rotation about the frame center', () => {
  const scene = noiseScene(3, 10);
  const turned = (degrees: number) => renderScene(scene, 80, 60, 1, (degrees * Math.PI) / 180);
  const { roll, globalX, globalY } = observe([turned(0), turned(1), turned(2), turned(1)]);
  const perFrame = (Math.PI / 180) * 25;
  expect(roll[1]! / perFrame).toBeCloseTo(1, 1);
  expect(roll[2]! / perFrame).toBeCloseTo(1, 1);
  expect(roll[3]! / perFrame).toBeCloseTo(-1, 1);
  for (const i of [1, 2, 3]) expect(Math.hypot(globalX[i]!, globalY[i]!)).toBeLessThan(0.05);
});

test('the scene approaches if both halves of the frame move outward, but not if one side does', () => {
  const scene = noiseScene(4, 10);
  const grown = Array.from({ length: 4 }, (_, i) => renderScene(scene, 40, 50, 1 + i * 0.03));
  const { advance } = observe(grown);
  for (const i of [1, 2, 3]) expect(advance[i]).toBeGreaterThan(0.1);
  const back = observe(grown.toReversed()).advance;
  for (const i of [1, 2, 3]) expect(back[i]).toBeLessThan(-0.1);
  const side = grown.map((picture) => picture.map((pixel, at) => (at % WIDTH > 0.7 * WIDTH ? pixel : grown[0]![at]!)));
  for (const value of observe(side).advance) expect(Math.abs(value)).toBeLessThan(0.03);
});
