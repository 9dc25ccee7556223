import { expect, test } from 'vitest';
import type { Detector, FrameDetections } from './detector.ts';
import { isSameFrame, withFrameSkipping } from './frame-skipping.ts';

const [WIDTH, HEIGHT] = [64, 40];

/** A gray frame with noise, and optionally a block of another gray. */
function frame(seed: number, { noise = 0, gray = 100, block }: { noise?: number; gray?: number; block?: Block } = {}) {
  let state = seed;
  const rgb = new Uint8Array(WIDTH * HEIGHT * 3).map(() => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return gray + Math.round((2 * (state / 2 ** 31) - 1) * noise);
  });
  for (let y = 0; block && y < block.side; y++) {
    const from = ((block.y + y) * WIDTH + block.x) * 3;
    rgb.fill(block.gray, from, from + block.side * 3);
  }
  return rgb;
}
type Block = { x: number; y: number; side: number; gray: number };

/** A detector whose result is the gray of the first pixel. */
function counting() {
  const results: FrameDetections[] = [];
  const untold: FrameDetections[] = [];
  const ready = () => untold.splice(0);
  const detector: Detector = {
    detect(rgb) {
      const found = { detections: [], colors: Float32Array.of(rgb[0]!) };
      results.push(found);
      untold.push(found);
    },
    takeResults: ready,
    finish: async () => ready(),
    close: async () => {},
  };
  return { results, detector: withFrameSkipping(detector, WIDTH, HEIGHT) };
}

test('detects unchanged frames from time to time, and repeats the result for each', async () => {
  const { results, detector } = counting();
  for (let i = 0; i < 50; i++) await detector.detect(frame(i, { noise: 2 }), i / 5);
  expect(results).toHaveLength(5);
  expect(await detector.finish()).toHaveLength(50);
});

test('results belong to their frames', async () => {
  const { detector } = counting();
  for (const [i, gray] of [50, 50, 90, 90, 50].entries()) await detector.detect(frame(1, { gray }), i / 5);
  expect((await detector.finish()).map(({ colors }) => colors[0])).toEqual([50, 50, 90, 90, 50]);
});

test('returns each result once', async () => {
  const { detector } = counting();
  const results: number[] = [];
  for (const [i, gray] of [50, 50, 90, 90, 50].entries()) {
    await detector.detect(frame(1, { gray }), i / 5);
    results.push(...detector.takeResults().map(({ colors }) => colors[0]!));
    expect(results).toHaveLength(i + 1);
  }
  expect([...results, ...(await detector.finish())]).toEqual([50, 50, 90, 90, 50]);
});

test('notices changes as small and faint as the detector can recognize', () => {
  const empty = frame(1, { noise: 1 });
  for (const at of [0, 3, 17, 30]) {
    const block = { x: at + 2, y: at, side: 8, gray: 112 };
    expect(isSameFrame(frame(2, { noise: 1, block }), empty, WIDTH, HEIGHT), `at ${at}`).toBe(false);
  }
  expect(isSameFrame(frame(2, { noise: 1 }), empty, WIDTH, HEIGHT)).toBe(true);
  expect(isSameFrame(frame(2, { noise: 1, gray: 104 }), empty, WIDTH, HEIGHT)).toBe(false);
});

test('small changes from frame to frame add up', async () => {
  const { results, detector } = counting();
  for (let i = 0; i < 10; i++) await detector.detect(frame(1, { gray: 100 + i }), i / 10);
  expect(results.length).toBeGreaterThan(2);
});

test('detects every frame with strong noise', async () => {
  const { results, detector } = counting();
  for (let i = 0; i < 10; i++) await detector.detect(frame(i, { noise: 12 }), i / 10);
  expect(results).toHaveLength(10);
});
