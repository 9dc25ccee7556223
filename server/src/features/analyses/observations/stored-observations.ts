import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import {
  type ByteSource,
  type Engine,
  isFinerVersion,
  type ObservationKind,
  openArrays,
  rangeIn,
  type StoredArrays,
  type StoredObservations,
  type TimeRange,
} from '#engine/index';
import type { Database } from '#platform/db/index';
import type { Storage } from '#platform/storage/index';
import * as store from './store.ts';

/** Size of the cache of headers; a parsed header takes about this many times its bytes. */
const CACHE_BYTES = 64 * 2 ** 20;
const PARSED_SIZE = 4;
/** Requests that read at the same time; each may hold some megabytes. */
const CONCURRENT_READERS = 4;
/** Longest range that is read at once. */
const MAX_READ_BYTES = 64 * 2 ** 20;

/** Stored observations of videos, read in ranges for requests: nothing is decoded, made or discarded. */
export function createStoredObservations(deps: { database: Database; storage: Storage; engine: Engine }) {
  const { database, storage, engine } = deps;
  const limit = pLimit(CONCURRENT_READERS);
  const opened = new LRUCache<string, StoredArrays>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ headerBytes }) => 1_000 + headerBytes * PARSED_SIZE,
  });

  /** The stored object's arrays and version; null if it is missing or damaged. */
  async function open({ kind, storageKey }: store.ObservationRow) {
    const found = await storage.stat(storageKey);
    if (!found) return null;
    const version = `${storageKey} ${found.size} ${found.modified.getTime()}`;
    const arrays = opened.get(version) ?? (await openArrays(sourceOf(storageKey, found.size), kind));
    if (!arrays) return null;
    opened.set(version, arrays);
    return { arrays, version };
  }

  function sourceOf(key: string, size: number): ByteSource {
    return {
      size,
      async read(start, end) {
        if (end <= start) return new Uint8Array();
        if (end - start > MAX_READ_BYTES) throw new Error(`${key}: ${end - start} bytes are too many for one read`);
        const chunks: Buffer[] = await (await storage.read(key, { start, end: end - 1 })).toArray();
        const bytes = Buffer.concat(chunks);
        if (bytes.length !== end - start) throw new Error(`${key} ended at ${start + bytes.length}`);
        return bytes;
      },
    };
  }

  return {
    /** The stored artifact of a kind, preferably that of this engine; null if there is none. For small ones. */
    async readWhole(videoId: string, kind: ObservationKind): Promise<{ version: string; bytes: Uint8Array } | null> {
      const ready = (await store.listReady(database.db, videoId)).filter((row) => row.kind === kind);
      if (ready.length === 0) return null;
      const current = (await engine.observers()).map((each) => ('version' in each ? each.version : ''));
      const { storageKey, version } = ready.find((row) => current.includes(row.version)) ?? ready[0]!;
      const found = await storage.stat(storageKey);
      return found && { version, bytes: await sourceOf(storageKey, found.size).read(0, found.size) };
    },

    /**
     * Reads the stored observations of these kinds, and the ranges of which every frame was observed besides. Of
     * several versions, that of this engine is preferred, with larger copies of frames where they were examined. If an
     * artifact is replaced in the meantime, it is read again.
     */
    read: <Result>(
      videoId: string,
      kinds: readonly ObservationKind[],
      use: (stored: StoredObservations, denseRanges: TimeRange[]) => Promise<Result>,
    ): Promise<Result> =>
      limit(async () => {
        for (let attempt = 1; ; attempt++) {
          const current = (await engine.observers()).map((each) => ('version' in each ? each.version : ''));
          const ready = await store.listReady(database.db, videoId);
          const denseRanges = ready
            .filter(({ kind, version }) => kind === 'signals' && current.some((each) => version.startsWith(`${each}@`)))
            .map(({ version }) => rangeIn(version)!);
          const rows = ready
            .filter(({ kind, version }) => kinds.includes(kind as ObservationKind) && !rangeIn(version))
            .toSorted((a, b) => rankOf(a.version, current) - rankOf(b.version, current));
          const byKind = new Map(rows.map((row) => [row.kind as ObservationKind, row]));
          const found = new Map<ObservationKind, { arrays: StoredArrays; version: string }>();
          for (const [kind, row] of byKind) {
            const artifact = await open(row);
            if (artifact) found.set(kind, artifact);
          }
          const stored = new Map([...found].map(([kind, { arrays }]) => [kind, arrays]));
          const outcome = await use(stored, denseRanges).then(
            (result) => ({ result }),
            (error: unknown) => ({ error }),
          );
          const unchanged = await Promise.all(
            found.entries().map(async ([kind, { version }]) => (await open(byKind.get(kind)!))?.version === version),
          );
          if (!unchanged.every(Boolean) && attempt === 1) continue;
          if ('error' in outcome) throw outcome.error;
          return outcome.result;
        }
      }),
  };
}

/** Preference for a version: those of this engine, and of them those for which frames were examined most closely. */
function rankOf(version: string, current: readonly string[]): number {
  if (current.includes(version)) return 1;
  return current.some((each) => isFinerVersion(version, each)) ? 2 : 0;
}

export type StoredObservationReader = ReturnType<typeof createStoredObservations>;
