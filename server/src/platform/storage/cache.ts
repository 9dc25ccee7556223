import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { LocalFile } from './index.ts';
import { openOwnFolder } from './own-folder.ts';
import { problems } from './problems.ts';

type Fetch = (signal: AbortSignal) => Promise<Readable>;
type Entry = {
  path: string;
  size: number;
  users: number;
  fetching: AbortController;
  ready: Promise<void>;
  here: boolean;
};

/**
 * Local copies of remote objects, the least recently used ones removed when together they pass `maxBytes`. A copy in use stays, so one
 * object larger than the bound can be worked on. Each process has a folder of its own below `dir`.
 */
export async function createFileCache({ dir, maxBytes }: { dir: string; maxBytes: number }) {
  const own = await openOwnFolder(dir);
  /** In the order of use, oldest first. */
  const entries = new Map<string, Entry>();

  function begin(id: string, size: number, fetch: Fetch): Entry {
    const path = join(own.path, createHash('sha256').update(id).digest('hex').slice(0, 32));
    const fetching = new AbortController();
    const ready = own
      .ensure()
      .then(() => download(path, fetch, fetching.signal))
      .then(
        () => {
          entry.here = true;
        },
        (error) => {
          if (entries.get(id) === entry) entries.delete(id);
          throw error;
        },
      );
    ready.catch(() => {});
    const entry: Entry = { path, size, users: 0, fetching, ready, here: false };
    return entry;
  }

  /** The copy that was made, unless someone has removed it. */
  function known(id: string): Entry | null {
    const entry = entries.get(id);
    return entry && !(entry.here && !existsSync(entry.path)) ? entry : null;
  }

  async function evict(): Promise<void> {
    let total = [...entries.values()].reduce((sum, entry) => sum + entry.size, 0);
    for (const [id, entry] of entries) {
      if (total <= maxBytes) return;
      if (entry.users > 0) continue;
      entries.delete(id);
      total -= entry.size;
      await rm(entry.path, { force: true });
    }
  }

  return {
    /** A local copy of the object `id` stands for (name and version), fetched once however many ask at the same time. */
    async open(id: string, size: number, fetch: Fetch, signal?: AbortSignal): Promise<LocalFile> {
      signal?.throwIfAborted();
      const entry = known(id) ?? begin(id, size, fetch);
      entries.delete(id);
      entries.set(id, entry);
      entry.users++;
      let released = false;
      const release = async () => {
        if (released) return;
        released = true;
        entry.users--;
        await evict();
      };
      try {
        await evict();
        await unlessAborted(entry.ready, signal);
      } catch (error) {
        await release();
        // Nobody waits for the rest any more.
        if (entry.users === 0) entry.fetching.abort(error);
        throw error;
      }
      return { path: entry.path, [Symbol.asyncDispose]: release };
    },
    async close(): Promise<void> {
      for (const entry of entries.values()) entry.fetching.abort();
      await Promise.allSettled([...entries.values()].map((entry) => entry.ready));
      await own.close();
    },
  };
}

async function download(path: string, fetch: Fetch, signal: AbortSignal): Promise<void> {
  try {
    await pipeline(await fetch(signal), createWriteStream(path), { signal });
  } catch (error) {
    await rm(path, { force: true });
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    throw problems.storage_full('The disk that local copies of videos are kept on is full.', { cause: error });
  }
}

/** What the promise brings, unless the signal aborts first; what others wait for goes on. */
async function unlessAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
