import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { writeArchive } from './archive.ts';

const FILES = 400;
const LINE = 'A red car passes. '.repeat(20);
const MB = 2 ** 20;

test('an archive of many files keeps no buffers of those that are written', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  /** Buffers are released some time after the collection that finds them. */
  const heldMb = async () => {
    const held: number[] = [];
    for (let pass = 0; pass < 10; pass++) {
      collect();
      await sleep(20);
      held.push(process.memoryUsage().arrayBuffers / MB);
    }
    return Math.min(...held);
  };
  let [before, after] = [0, 0];
  const archive = writeArchive(async ({ stream }) => {
    for (let n = 0; n < FILES; n++) {
      await stream(`labels/${n}.json`, Readable.from(Array.from({ length: 100 }, (_, at) => `${LINE}${at * n}`)));
      if (n === 0) before = await heldMb();
    }
    after = await heldMb();
  });
  let bytes = 0;
  for await (const piece of archive) bytes += piece.length;
  expect(bytes).toBeGreaterThan(FILES * 100);
  // Each name held a slab of 64 KB: 25 MB.
  expect(after - before).toBeLessThan(4);
});
