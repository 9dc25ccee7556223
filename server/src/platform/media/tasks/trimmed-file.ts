import { mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { initSectionLength } from '../bitstream/index.ts';

/** Result of a trim. The first `headerBytes` of a segment are its initialization section, the rest is the fragment. */
export type TrimmedFile = { path: string; headerBytes: number } & AsyncDisposable;

/** Creates a folder below `dir` for one file. Both are deleted on disposal. */
export async function createTempFile(dir: string): Promise<{ path: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(dir, 'sightline-cut-'));
  return {
    path: join(folder, 'cut.mp4'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Measures the initialization section of a fragmented MP4. */
export async function measureHeader(cut: { path: string } & AsyncDisposable): Promise<TrimmedFile> {
  await using file = await open(cut.path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
  const headerBytes = initSectionLength(buffer.subarray(0, bytesRead));
  return { path: cut.path, headerBytes, [Symbol.asyncDispose]: () => cut[Symbol.asyncDispose]() };
}

/** Upper bound of initialization sections written here. */
const HEADER_BYTES = 65_536;
