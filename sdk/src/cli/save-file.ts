import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

/** Writes a download to a file. One that breaks off leaves an earlier file of this name as it was. */
export async function saveFile(content: globalThis.ReadableStream, path: string): Promise<void> {
  const partial = `${path}.partial`;
  try {
    await pipeline(Readable.fromWeb(content as ReadableStream), createWriteStream(partial));
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
