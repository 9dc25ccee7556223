import { expect, test } from 'vitest';
import { SAMPLE_RATE } from '../types.ts';
import { createWindows, HOP, WINDOW } from './windows.ts';

/** Samples that count up, so that a window shows which samples it has. */
const counting = (from: number, length: number) => Float32Array.from({ length }, (_, at) => (from + at + 1) / 1e6);
const firstOf = (window: Float32Array | null) => (window ? Math.round(window[0]! * 1e6) - 1 : null);

/** Adds parts at once, as a decoder does with the frames of a packet, and waits for each packet. */
async function cut(packets: [samples: Float32Array, timeS: number][][], durationS = 100) {
  const seen: (Float32Array | null)[] = [];
  const windows = createWindows(durationS, async (samples) => {
    await Promise.resolve();
    seen.push(samples?.slice() ?? null);
  });
  for (const packet of packets) await Promise.all(packet.map(([samples, timeS]) => windows.addSamples(samples, timeS)));
  return { hasSamples: await windows.finish(), seen };
}

test('windows overlap by half, whatever the parts in which samples arrive', async () => {
  const length = 3 * WINDOW;
  for (const size of [160, 1021, 7_800, 15_600, 40_000]) {
    const parts: [Float32Array, number][] = [];
    for (let at = 0; at < length; at += size) parts.push([counting(at, Math.min(size, length - at)), at / SAMPLE_RATE]);
    // Three parts of a packet are added before the first of them was taken.
    const packets = Array.from({ length: Math.ceil(parts.length / 3) }, (_, k) => parts.slice(3 * k, 3 * k + 3));
    const { seen } = await cut(packets);
    expect(seen.map(firstOf), `${size}`).toEqual([0, HOP, 2 * HOP, 3 * HOP, 4 * HOP]);
    for (const window of seen) expect(Math.round(window!.at(-1)! * 1e6)).toBe(firstOf(window)! + WINDOW);
  }
});

test('the rest is completed with silence, and a gap is silence', async () => {
  const rest = await cut([[[counting(0, WINDOW + 100), 0]]]);
  expect(rest.seen.map(firstOf)).toEqual([0, HOP]);
  expect(rest.seen[1]![HOP + 100]).toBe(0);
  expect((await cut([[[counting(0, 400), 0]]])).seen).toHaveLength(1);
  const gap = await cut([[[counting(0, WINDOW), 0]], [[counting(0, WINDOW), 5]]]);
  expect(gap.seen.map((window) => window === null).lastIndexOf(true)).toBeGreaterThan(5);
  expect(gap.seen.at(-1)).not.toBeNull();
});

test('audio before the first frame and far after the end is left out', async () => {
  const early = await cut([[[counting(0, WINDOW), -0.5]]]);
  expect(firstOf(early.seen[0]!)).toBe(SAMPLE_RATE / 2);
  const late = await cut([[[counting(0, WINDOW), 0]], [[counting(0, WINDOW), 1e9]]], 10);
  expect(late.seen).toHaveLength(1);
  expect(await cut([])).toEqual({ hasSamples: false, seen: [] });
});
