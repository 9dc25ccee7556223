import { expect, test } from 'vitest';
import { runTask } from '#platform/threads/index';
import { writeFiles } from './archive-memory.fixture.ts';

const FILES = 400;
const WRITE = { module: new URL('./archive-memory.fixture.ts', import.meta.url), name: 'writeFiles', run: writeFiles };
/** In a thread, whose heap is small: collections of one that other tests have filled take seconds of CPU. */
const IN_A_THREAD = { bytes: 2 ** 20 };

test('an archive of many files keeps no buffers of those that are written', async () => {
  const { bytes, grownMb } = await runTask(WRITE, FILES, IN_A_THREAD);
  expect(bytes).toBeGreaterThan(FILES * 100);
  // Each name held a slab of 64 KB: 25 MB.
  expect(grownMb).toBeLessThan(4);
});
