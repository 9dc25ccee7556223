import { expect, test } from 'vitest';
import { createUtterances, MAX_UTTERANCE_S, type Utterance } from './utterances.ts';
import { STEP } from './voice-activity.ts';

const STEP_S = STEP / 16_000;

/** Cuts audio whose samples state their step; `probability` is that of a voice at a time. */
async function cut(seconds: number, probability: (timeS: number) => number) {
  const found: Utterance[] = [];
  const utterances = createUtterances(async (utterance) => {
    found.push(utterance);
  });
  for (let step = 0; step * STEP_S < seconds; step++)
    await utterances.addStep(new Float32Array(STEP).fill(step), probability(step * STEP_S));
  await utterances.finish();
  return found;
}
const during =
  (...ranges: [number, number][]) =>
  (timeS: number) =>
    ranges.some(([from, to]) => timeS >= from && timeS < to) ? 0.9 : 0.05;

test('utterances end at pauses, and contain what is around the voice', async () => {
  const found = await cut(12, during([1, 3], [3.2, 4], [6, 7], [11, 12]));
  expect(found).toHaveLength(3);
  const [first, , last] = found;
  expect(first!.voiceStartS).toBeCloseTo(1, 1);
  expect(first!.voiceEndS).toBeCloseTo(4, 1);
  expect(first!.startS).toBeCloseTo(0.8, 1);
  expect(first!.startS + first!.samples.length / 16_000).toBeCloseTo(4.5, 1);
  // The samples are those of their time.
  for (const { samples, startS } of found) expect(samples[0]! * STEP_S).toBeCloseTo(startS, 6);
  expect(last!.voiceEndS).toBeCloseTo(12, 1);
});

test('long speech is cut where the voice is weakest, and loses nothing', async () => {
  const found = await cut(40, (timeS) => (timeS % 9 < 0.1 ? 0.6 : 0.95));
  expect(found.length).toBeGreaterThan(3);
  for (const { samples } of found) expect(samples.length / 16_000).toBeLessThanOrEqual(MAX_UTTERANCE_S);
  expect(found[1]!.startS % 9).toBeLessThan(0.2);
  for (const [i, { startS }] of found.entries()) {
    const before = found[i - 1];
    if (before) expect(startS).toBeCloseTo(before.startS + before.samples.length / 16_000, 6);
  }
});

test('clicks and silence are no speech', async () => {
  expect(await cut(5, during([1, 1.05], [3, 3.1]))).toEqual([]);
  expect(await cut(5, () => 0)).toEqual([]);
});
