import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { expect, onTestFinished, test } from 'vitest';
import { releaseMemoryWhenIdle } from './idle-memory.ts';

const MIN_BYTES = 4e6;

const youngBytes = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')!.space_size;

/** Allocates objects that survive for some time until the young generation has this size. */
function growYoungGeneration(bytes: number): void {
  let alive: object[][] = [];
  for (let round = 0; youngBytes() < bytes; round++) {
    alive = [...alive.slice(-2), Array.from({ length: 100_000 }, (_, i) => ({ i }))];
    if (round > 1_000) throw new Error('the young generation does not grow');
  }
}

test('an idle process returns the memory of its young generation', { timeout: 60_000 }, async () => {
  growYoungGeneration(MIN_BYTES);
  // Time in which other processes have the core counts as busy: each reading of this test may take 50 ms.
  onTestFinished(releaseMemoryWhenIdle({ checkMs: 2_000, minBytes: MIN_BYTES / 2 }));
  await expect.poll(youngBytes, { timeout: 50_000, interval: 1_000 }).toBeLessThan(MIN_BYTES / 2);
});

test('a busy process is not paused', async () => {
  growYoungGeneration(MIN_BYTES);
  onTestFinished(releaseMemoryWhenIdle({ checkMs: 20, minBytes: MIN_BYTES / 2 }));
  for (let turn = 0; turn < 50; turn++) {
    const until = performance.now() + 10;
    while (performance.now() < until);
    await sleep(0);
  }
  expect(youngBytes()).toBeGreaterThanOrEqual(MIN_BYTES);
});
