import { mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { initSectionLength } from '../bitstream/index.ts';

/**
 * Result of a trim. The first `headerBytes` of a segment are its initialization section, the rest is the fragment.
 * `copied`: true if its frames are those of the video, false if they were encoded again.
 */
export type TrimmedFile = { path: string; headerBytes: number; copied: boolean } & AsyncDisposable;

/** Creates a folder below `dir` for one file. Both are deleted on disposal. */
export async function createTempFile(dir: string): Promise<{ path: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(dir, 'sightline-cut-'));
  return {
    path: join(folder, 'cut.mp4'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Length of the initialization section of an MP4 file in bytes. */
export async function measureHeader(path: string): Promise<number> {
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
  const length = initSectionLength(buffer.subarray(0, bytesRead));
  return length;
}

/** Upper bound of initialization sections written here. */
const HEADER_BYTES = 65_536;
