import { isMainThread } from 'node:worker_threads';
import type { ThreadTask } from './run-task.ts';

/** Tasks for tests. */

export const whereAmI = (input: string) => ({ isMainThread, length: input.length });

export function spin(): never {
  for (;;);
}

export function fail(): never {
  throw new Error('a fault of the task');
}

export function allocate(): never {
  const all: string[][] = [];
  for (;;) all.push(Array.from({ length: 1_000 }, (_, i) => `text ${i} of ${all.length}`));
}

const module = new URL('./run-task.fixture.ts', import.meta.url);
const task = <Output>(name: string, run: (input: string) => Output): ThreadTask<string, Output> => ({
  module,
  name,
  run,
});
export const WHERE = task('whereAmI', whereAmI);
export const SPIN = task('spin', spin);
export const FAIL = task('fail', fail);
export const ALLOCATE = task('allocate', allocate);
