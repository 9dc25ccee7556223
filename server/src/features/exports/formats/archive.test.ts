import { Readable } from 'node:stream';
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
  const heldMb = () => {
    collect();
    return process.memoryUsage().arrayBuffers / MB;
  };
  let [before, after] = [0, 0];
  const archive = writeArchive(async ({ stream }) => {
    for (let n = 0; n < FILES; n++) {
      await stream(`labels/${n}.json`, Readable.from(Array.from({ length: 100 }, (_, at) => `${LINE}${at * n}`)));
      if (n === 0) before = heldMb();
    }
    after = heldMb();
  });
  let bytes = 0;
  for await (const piece of archive) bytes += piece.length;
  expect(bytes).toBeGreaterThan(FILES * 100);
  // Each name held a slab of 64 KB: 25 MB.
  expect(after - before).toBeLessThan(4);
});
