import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A finished cut. Of a segment, the first `headerBytes` describe the tracks (its initialisation section), and the rest is the fragment. */
export type CutFile = { path: string; headerBytes: number } & AsyncDisposable;

/** A name for a file in a folder of its own, both gone when it is disposed of. */
export async function emptyFile(): Promise<{ path: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-cut-'));
  return {
    path: join(folder, 'cut.mp4'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Finds where the header of a fragmented MP4 ends; a plain MP4 has none to tell apart. */
export async function measure(cut: { path: string } & AsyncDisposable): Promise<CutFile> {
  await using file = await open(cut.path, 'r');
  const { size } = await file.stat();
  const header = Buffer.alloc(8);
  let at = 0;
  while (at + 8 <= size) {
    await file.read(header, 0, 8, at);
    const length = header.readUInt32BE(0);
    // Our own files start with small boxes: what is larger is media.
    if (header.toString('latin1', 4) === 'moof' || length < 8) break;
    at += length;
  }
  return { path: cut.path, headerBytes: Math.min(at, size), [Symbol.asyncDispose]: () => cut[Symbol.asyncDispose]() };
}
