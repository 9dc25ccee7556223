import { expect, test } from 'vitest';
import type { Media } from '#platform/media/index';
import { blue } from './blue.fixture.ts';
import { createObserve } from './observe.ts';
import type { ObserveArgs } from './observe-task.ts';

/** Media processes that end when the test ends them. */
function createRuns() {
  const runs: { kinds: readonly string[]; end: () => void }[] = [];
  const probe = { durationS: 1, tags: {}, video: { width: 1, height: 1, timeBase: [1, 1] }, audio: null };
  const run: Media['run'] = async ({ args }, { onProgress } = {}) => {
    const { kinds } = args as ObserveArgs;
    const { promise, resolve } = Promise.withResolvers<void>();
    runs.push({ kinds, end: resolve });
    await promise;
    onProgress?.(1);
    return Object.fromEntries(kinds.map((kind) => [kind, new Uint8Array()])) as never;
  };
  return { runs, media: { probe: async () => probe, run } as unknown as Media };
}

const LARGE = [blue, { ...blue, kind: 'large', isExclusive: true }];
const weights = { find: async () => ({ unavailable: 'not needed here' }) };
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('an exclusive observer runs in a process of its own, for one video at a time', async () => {
  const { runs, media } = createRuns();
  const { observe } = createObserve({ media, weights, observers: LARGE });
  const progress: number[] = [];
  const first = observe('a.mp4', ['blue', 'large'], { onProgress: (fraction) => progress.push(fraction) });
  await settled();
  const second = observe('b.mp4', ['large']);
  const controller = new AbortController();
  const third = observe('c.mp4', ['large'], { signal: controller.signal });
  const outcome = third.catch((error: Error) => error.message);
  await settled();
  expect(runs.map(({ kinds }) => kinds)).toEqual([['blue'], ['large']]);
  controller.abort(new Error('not needed any more'));
  expect(await outcome).toBe('not needed any more');

  runs[0]!.end();
  await settled();
  expect(runs).toHaveLength(2);
  runs[1]!.end();
  expect([...(await second).keys()]).toEqual(['large']);
  await settled();
  expect(runs.map(({ kinds }) => kinds)).toEqual([['blue'], ['large'], ['large']]);
  runs[2]!.end();
  expect([...(await first).keys()]).toEqual(['blue', 'large']);
  expect(progress).toEqual([0.5, 1]);
});
