import { expect, test } from 'vitest';
import type { Detector, Found } from './detector.ts';
import { isSame, sparing } from './sparing.ts';

const [WIDTH, HEIGHT] = [64, 40];

/** A picture of one grey with noise, and perhaps a block of another grey. */
function picture(
  seed: number,
  { noise = 0, grey = 100, block }: { noise?: number; grey?: number; block?: Block } = {},
) {
  let state = seed;
  const rgb = new Uint8Array(WIDTH * HEIGHT * 3).map(() => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return grey + Math.round((2 * (state / 2 ** 31) - 1) * noise);
  });
  for (let y = 0; block && y < block.side; y++) {
    const from = ((block.y + y) * WIDTH + block.x) * 3;
    rgb.fill(block.grey, from, from + block.side * 3);
  }
  return rgb;
}
type Block = { x: number; y: number; side: number; grey: number };

/** A detector that finds in each picture the grey of its first pixel. */
function counting() {
  const pictures: Found[] = [];
  const untold: Found[] = [];
  const ready = () => untold.splice(0);
  const detector: Detector = {
    look(rgb) {
      const found = { detections: [], colors: Float32Array.of(rgb[0]!) };
      pictures.push(found);
      untold.push(found);
    },
    ready,
    finish: async () => ready(),
    close: async () => {},
  };
  return { pictures, detector: sparing(detector, WIDTH, HEIGHT) };
}

test('the same picture is looked at once in a while, and each time gives what was found', async () => {
  const { pictures, detector } = counting();
  for (let i = 0; i < 50; i++) await detector.look(picture(i, { noise: 2 }), i / 5);
  expect(pictures).toHaveLength(5);
  expect(await detector.finish()).toHaveLength(50);
});

test('what was found belongs to its own pictures', async () => {
  const { detector } = counting();
  for (const [i, grey] of [50, 50, 90, 90, 50].entries()) await detector.look(picture(1, { grey }), i / 5);
  expect((await detector.finish()).map(({ colors }) => colors[0])).toEqual([50, 50, 90, 90, 50]);
});

test('what is told of early is not told of again', async () => {
  const { detector } = counting();
  const told: number[] = [];
  for (const [i, grey] of [50, 50, 90, 90, 50].entries()) {
    await detector.look(picture(1, { grey }), i / 5);
    told.push(...detector.ready().map(({ colors }) => colors[0]!));
    expect(told).toHaveLength(i + 1);
  }
  expect([...told, ...(await detector.finish())]).toEqual([50, 50, 90, 90, 50]);
});

test('nothing as small as the detector can see passes unseen, nor what hardly stands out', () => {
  const empty = picture(1, { noise: 1 });
  for (const at of [0, 3, 17, 30]) {
    const block = { x: at + 2, y: at, side: 8, grey: 112 };
    expect(isSame(picture(2, { noise: 1, block }), empty, WIDTH, HEIGHT), `at ${at}`).toBe(false);
  }
  expect(isSame(picture(2, { noise: 1 }), empty, WIDTH, HEIGHT)).toBe(true);
  expect(isSame(picture(2, { noise: 1, grey: 104 }), empty, WIDTH, HEIGHT)).toBe(false);
});

test('what changes by less than can be told from one picture to the next adds up', async () => {
  const { pictures, detector } = counting();
  for (let i = 0; i < 10; i++) await detector.look(picture(1, { grey: 100 + i }), i / 10);
  expect(pictures.length).toBeGreaterThan(2);
});

test('noise that is more than a little is looked at each time', async () => {
  const { pictures, detector } = counting();
  for (let i = 0; i < 10; i++) await detector.look(picture(i, { noise: 12 }), i / 10);
  expect(pictures).toHaveLength(10);
});
