import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** Already compressed. */
const STORED = { compress: false };

/** The files of a ZIP archive, in the order in which they are added. */
export type Archive = {
  /** Adds a file of this content. `stored`: it is compressed already. */
  add(name: string, content: Uint8Array | string, stored?: 'stored'): void;
  /** Adds a file and waits until its source is read, so that the sources of several files are not open together. */
  stream(name: string, source: Readable, stored?: 'stored'): Promise<void>;
};

/**
 * Copies the name of the last entry. The archive keeps it to the end, and with it the slab of 64 KB that small buffers
 * are parts of.
 */
function releaseSlab(zip: ZipFile): void {
  const entry = (zip as unknown as { entries: { utf8FileName: Buffer }[] }).entries.at(-1)!;
  const own = Buffer.alloc(entry.utf8FileName.length);
  entry.utf8FileName.copy(own);
  entry.utf8FileName = own;
}

/** Writes a ZIP archive while `fill` adds its files. */
export async function* writeArchive(fill: (archive: Archive) => Promise<void>): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let open: Readable | null = null;
  output.once('close', () => open?.destroy());

  const archive: Archive = {
    add(name, content, stored) {
      zip.addBuffer(Buffer.from(content as string), name, stored && STORED);
    },
    async stream(name, source, stored) {
      // The file is no longer wanted.
      if (output.destroyed) source.destroy();
      open = source;
      const read = finished(source, { writable: false });
      // The archive keeps its entries to the end, and with them a stream that is given directly.
      let unread: Readable | null = source;
      zip.addReadStreamLazy(name, stored ? STORED : {}, (callback) => {
        callback(null, unread!);
        unread = null;
      });
      releaseSlab(zip);
      await read;
      open = null;
    },
  };

  const filled = fill(archive).then(
    () => zip.end(),
    (error: Error) => void output.destroy(error),
  );
  try {
    for await (const piece of output) yield piece as Buffer;
  } finally {
    // Ends `fill` as well.
    output.destroy();
    await filled;
  }
}
