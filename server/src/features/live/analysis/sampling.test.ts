import { expect, test } from 'vitest';
import { adjustSampling, countSegmentsToSkip, type SamplingState } from './sampling.ts';

const segmentS = 2;
const run = (pace: SamplingState, times: number, load: { waitingS: number; elapsedS: number }, detects = true) => {
  let now = pace;
  for (let n = 0; n < times; n++) now = adjustSampling(now, { ...load, segmentS, detects });
  return now.sampling;
};
const FULL: SamplingState = { sampling: 'full', fastSegments: 0 };

test('looks less closely at once when it falls behind, and not when segments only come in bursts', () => {
  expect(run(FULL, 1, { waitingS: 4, elapsedS: 1.9 })).toBe('reduced');
  expect(run(FULL, 9, { waitingS: 4, elapsedS: 1.9 })).toBe('pictures');
  expect(run(FULL, 9, { waitingS: 6, elapsedS: 0.3 })).toBe('full');
  expect(run(FULL, 9, { waitingS: 2, elapsedS: 1.9 })).toBe('full');
});

test('looks more closely again once there has been room for a while', () => {
  const sparse: SamplingState = { sampling: 'sparse', fastSegments: 0 };
  expect(run(sparse, 4, { waitingS: 2, elapsedS: 0.4 })).toBe('sparse');
  expect(run(sparse, 5, { waitingS: 2, elapsedS: 0.4 })).toBe('reduced');
  expect(run(sparse, 10, { waitingS: 2, elapsedS: 0.4 })).toBe('full');
  expect(run(sparse, 50, { waitingS: 2, elapsedS: 1 })).toBe('sparse');
});

test('has nothing to look at less without a detector', () => {
  expect(run(FULL, 9, { waitingS: 8, elapsedS: 3 }, false)).toBe('full');
});

test('leaves out all but the newest when too much waits', () => {
  const waiting = (count: number) => Array.from({ length: count }, () => ({ durationS: segmentS }));
  expect([0, 1, 4, 5, 100].map((count) => countSegmentsToSkip(waiting(count)))).toEqual([0, 0, 0, 4, 99]);
  expect(countSegmentsToSkip([{ durationS: 30 }])).toBe(0);
});
