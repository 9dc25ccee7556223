import { LRUCache } from 'lru-cache';
import {
  type ArtifactName,
  type Artifacts,
  type Engine,
  type ObservationKind,
  rangeIn,
  rangeSuffix,
} from '#engine/index';
import type { Database } from '#platform/db/index';
import type { Log } from '#platform/log';
import { Problem } from '#platform/problem';
import type { Storage } from '#platform/storage/index';
import * as store from './store.ts';
import type { AvailableObserver } from './types.ts';

/** Size of the cache of artifacts, for further prompts on the same videos: some dozen hours of video. */
const CACHE_BYTES = 128 * 2 ** 20;

/** Reads the artifacts of observations from storage, and those of recent prompts from memory. */
export function createArtifactReader({
  database,
  storage,
  engine,
  log,
}: {
  database: Database;
  storage: Storage;
  engine: Engine;
  log: Log;
}) {
  /** Recently read artifacts by the versions of their stored objects. The engine decodes each map once. */
  const cached = new LRUCache<string, Artifacts>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (artifacts) => 1 + artifacts.values().reduce((sum, { byteLength }) => sum + byteLength, 0),
  });

  /**
   * Loads stored observations, those of ranges too if `ranged` observers are given. A missing or damaged artifact
   * counts as never made.
   */
  async function load(
    videoId: string,
    wanted: readonly AvailableObserver[],
    signal: AbortSignal,
    ranged: readonly AvailableObserver[] = [],
  ): Promise<Artifacts> {
    const rows = (await store.listReady(database.db, videoId)).filter(
      ({ kind, version }) =>
        wanted.some((each) => each.kind === kind && each.version === version) ||
        ranged.some((each) => each.kind === kind && rangeIn(version) && version.startsWith(`${each.version}@`)),
    );
    const stored = JSON.stringify(
      await Promise.all(rows.map(async (row) => [row, await storage.stat(row.storageKey)])),
    );
    const known = cached.get(stored);
    if (known) return known;

    const artifacts = new Map<ArtifactName, Uint8Array>();
    await Promise.all(
      rows.map(async (row) => {
        const bytes = await read(row.storageKey, signal);
        const kind = row.kind as ObservationKind;
        if (bytes && engine.isArtifact(bytes, kind)) {
          const range = rangeIn(row.version);
          artifacts.set(range ? `${kind}${rangeSuffix(range)}` : kind, bytes);
          return;
        }
        const fault = bytes ? 'damaged' : 'missing';
        log.warn({ videoId, kind }, `a stored observation is ${fault} and will be made again`);
        await store.discard(database.db, videoId, row);
      }),
    );
    cached.set(stored, artifacts);
    return artifacts;
  }

  /** The bytes of an object; null if storage does not have it. */
  async function read(key: string, signal: AbortSignal): Promise<Uint8Array | null> {
    try {
      return await storage.readAll(key, signal);
    } catch (error) {
      if (error instanceof Problem && error.status === 404) return null;
      throw error;
    }
  }

  return { load, read };
}
