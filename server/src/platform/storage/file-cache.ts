import { createHash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { problems } from './problems.ts';
import { openProcessFolder } from './process-folder.ts';
import type { LocalFile } from './types.ts';

type Fetch = (signal: AbortSignal) => Promise<Readable>;
type Entry = {
  path: string;
  size: number;
  users: number;
  controller: AbortController;
  ready: Promise<void>;
  isComplete: boolean;
};

/**
 * LRU cache of S3 objects in local files, limited to `maxBytes` in total. Copies in use are not evicted, so an object
 * larger than the limit can be opened. Each process has its own folder below `dir`.
 */
export async function createFileCache({ dir, maxBytes }: { dir: string; maxBytes: number }) {
  const folder = await openProcessFolder(dir);
  /** Least recently used first. */
  const entries = new Map<string, Entry>();

  function startDownload(id: string, size: number, fetch: Fetch): Entry {
    const path = join(folder.path, createHash('sha256').update(id).digest('hex').slice(0, 32));
    const controller = new AbortController();
    const ready = folder
      .ensure()
      .then(() => download(path, fetch, controller.signal))
      .then(
        () => {
          entry.isComplete = true;
        },
        (error) => {
          if (entries.get(id) === entry) entries.delete(id);
          throw error;
        },
      );
    ready.catch(() => {});
    const entry: Entry = { path, size, users: 0, controller, ready, isComplete: false };
    return entry;
  }

  /** The cached entry, unless its file has been deleted. */
  function findEntry(id: string): Entry | null {
    const entry = entries.get(id);
    return entry && !(entry.isComplete && !existsSync(entry.path)) ? entry : null;
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
    /** Opens a local copy of the object version `id`. Concurrent callers share one download. */
    async open(id: string, size: number, fetch: Fetch, signal?: AbortSignal): Promise<LocalFile> {
      signal?.throwIfAborted();
      const entry = findEntry(id) ?? startDownload(id, size, fetch);
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
        await waitUntilAborted(entry.ready, signal);
      } catch (error) {
        await release();
        // No other caller waits for this download.
        if (entry.users === 0) entry.controller.abort(error);
        throw error;
      }
      return { path: entry.path, [Symbol.asyncDispose]: release };
    },
    async close(): Promise<void> {
      for (const entry of entries.values()) entry.controller.abort();
      await Promise.allSettled([...entries.values()].map((entry) => entry.ready));
      await folder.close();
    },
  };
}

async function download(path: string, fetch: Fetch, signal: AbortSignal): Promise<void> {
  try {
    await pipeline(await fetch(signal), createWriteStream(path), { signal });
  } catch (error) {
    await rm(path, { force: true });
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    throw problems.storage_full('The disk for local copies of videos is full. Free some space and try again.', {
      cause: error,
    });
  }
}

/** Waits for the promise until the signal aborts. The promise itself continues, because others may wait for it. */
async function waitUntilAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
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
