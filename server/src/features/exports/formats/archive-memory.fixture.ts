import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { writeArchive } from './archive.ts';

const LINE = 'A red car passes. '.repeat(20);
const MB = 2 ** 20;

/** Writes an archive of this many files. `grownMb`: what it holds after the last one, and not after the first. */
export async function writeFiles(count: number): Promise<{ bytes: number; grownMb: number }> {
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
    for (let n = 0; n < count; n++) {
      await stream(`labels/${n}.json`, Readable.from(Array.from({ length: 100 }, (_, at) => `${LINE}${at * n}`)));
      if (n === 0) before = await heldMb();
    }
    after = await heldMb();
  });
  let bytes = 0;
  for await (const piece of archive) bytes += piece.length;
  return { bytes, grownMb: after - before };
}
