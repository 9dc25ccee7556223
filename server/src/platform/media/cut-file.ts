import { mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A finished cut. Of a segment, the first `headerBytes` describe the tracks (its initialisation section), and the rest is the fragment. */
export type CutFile = { path: string; headerBytes: number } & AsyncDisposable;

/** A name for a file in a folder of its own below `dir`, both gone when it is disposed of. */
export async function emptyFile(dir: string): Promise<{ path: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(dir, 'sightline-cut-'));
  return {
    path: join(folder, 'cut.mp4'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Finds where the header of a fragmented MP4 ends; a plain MP4 has none to tell apart. */
export async function measure(cut: { path: string } & AsyncDisposable): Promise<CutFile> {
  await using file = await open(cut.path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
  const headerBytes = headerLength(buffer.subarray(0, bytesRead));
  return { path: cut.path, headerBytes, [Symbol.asyncDispose]: () => cut[Symbol.asyncDispose]() };
}

/** Our own fragmented files begin with small boxes. */
const HEADER_BYTES = 65_536;

/** How many of the bytes describe the tracks: all before the first fragment. */
export function headerLength(bytes: Buffer): number {
  let at = 0;
  while (at + 8 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'moof' || length < 8) break;
    at += length;
  }
  return Math.min(at, bytes.length);
}
