import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { DIMENSIONS } from '../encoder.ts';
import { quantize } from '../quantize.ts';
import { countSlots, type ScanSearch, SLOT_VECTORS } from './scanner.ts';
import type { FrameHit, FrameVectors, ScanRequest, ScanResponse } from './types.ts';

/** A video whose frames or objects are searched. `frames` is their number; `key` names one version of its vectors. */
export type SearchedFrames = { key: string; frames: number };

export type VectorSearch = {
  among: readonly SearchedFrames[];
  /** A vector of length 1. */
  query: Float32Array;
  limit: number;
  /** Frames that resemble the query less are left out. */
  minScore: number;
  signal?: AbortSignal | undefined;
  /** Reads the vectors of videos that are not in memory, in any order; a video that has none is left out. */
  load(keys: readonly string[]): AsyncIterable<{ key: string; frames: FrameVectors }>;
};

/** Exact search among vectors, which are cached in the memory of a thread. */
export interface VectorIndex {
  /**
   * The best frames, best first; at most one of each group of a video. Searches run one after the other. Rejects if
   * the signal is aborted.
   */
  search(search: VectorSearch): Promise<FrameHit[]>;
  /** Frees the memory of cached vectors after the searches that wait. */
  release(): Promise<void>;
  close(): Promise<void>;
}

/** Memory for vectors. */
const MAX_BYTES = 2 ** 30;
/** Number of vectors that the exact scan keeps in memory; more are read again by each search. */
export const SCANNED_IN_MEMORY = MAX_BYTES / DIMENSIONS;
const WORKER = new URL('./scan-worker.ts', import.meta.url);

/** The thread starts with the first search. */
export function createVectorIndex({ maxBytes = MAX_BYTES }: { maxBytes?: number } = {}): VectorIndex {
  const limitOne = pLimit(1);
  /** Bytes of the loaded videos, the least recently searched first. */
  const loaded = new Map<string, number>();
  let worker: Worker | null = null;
  let bytes = 0;

  const sizeOf = ({ frames }: SearchedFrames) => countSlots(frames) * SLOT_VECTORS * DIMENSIONS;

  function forget(key: string): void {
    bytes -= loaded.get(key) ?? 0;
    loaded.delete(key);
  }

  async function openWorker(): Promise<Worker> {
    if (worker) return worker;
    const opened = new Worker(WORKER);
    await once(opened, 'online');
    opened.unref();
    // Its end is handled where it is waited for; without a listener, an error would end the service.
    opened.on('error', () => {});
    opened.on('message', (response: ScanResponse) => {
      if ('lost' in response) forget(response.lost);
    });
    opened.once('exit', () => {
      worker = null;
      loaded.clear();
      bytes = 0;
    });
    worker = opened;
    return opened;
  }

  /** Drops videos that are not of the group until there is room for so many bytes. */
  function makeRoom(thread: Worker, room: number, group: ReadonlySet<string>): void {
    for (const key of loaded.keys()) {
      if (bytes + room <= maxBytes) return;
      if (group.has(key)) continue;
      thread.postMessage({ kind: 'drop', key } satisfies ScanRequest);
      forget(key);
    }
  }

  /** Loads what is missing of a group, which fits into memory. */
  async function ensure(
    thread: Worker,
    group: readonly SearchedFrames[],
    { load, signal }: Pick<VectorSearch, 'load' | 'signal'>,
  ): Promise<void> {
    for (const { key } of group) {
      const size = loaded.get(key);
      if (size === undefined) continue;
      loaded.delete(key);
      loaded.set(key, size);
    }
    const missing = group.filter(({ key }) => !loaded.has(key));
    if (missing.length === 0) return;
    makeRoom(
      thread,
      missing.reduce((sum, each) => sum + sizeOf(each), 0),
      new Set(group.map(({ key }) => key)),
    );
    for await (const { key, frames } of load(missing.map((each) => each.key))) {
      signal?.throwIfAborted();
      const size = sizeOf({ key, frames: frames.timeS.length });
      thread.postMessage({ kind: 'load', key, frames } satisfies ScanRequest);
      loaded.set(key, size);
      bytes += size;
    }
  }

  let lastId = 0;
  async function scan(thread: Worker, search: ScanSearch): Promise<FrameHit[]> {
    const id = ++lastId;
    const { promise, resolve, reject } = Promise.withResolvers<FrameHit[]>();
    const onMessage = (response: ScanResponse) => {
      if (!('id' in response) || response.id !== id) return;
      if ('hits' in response) resolve(response.hits);
      else reject(new Error(response.failure));
    };
    const onExit = () => reject(new Error('the thread that scans vectors has ended'));
    thread.on('message', onMessage).once('error', reject).once('exit', onExit);
    thread.postMessage({ kind: 'search', id, ...search } satisfies ScanRequest);
    try {
      return await promise;
    } finally {
      thread.off('message', onMessage).off('error', reject).off('exit', onExit);
    }
  }

  async function search({ among, query, limit, minScore, load, signal }: VectorSearch): Promise<FrameHit[]> {
    signal?.throwIfAborted();
    const thread = await openWorker();
    const { bytes: values, scale } = quantize(query);
    const hits: FrameHit[] = [];
    for (const group of groupBySize(among, sizeOf, maxBytes)) {
      signal?.throwIfAborted();
      await ensure(thread, group, { load, signal });
      const keys = group.map(({ key }) => key);
      hits.push(...(await scan(thread, { keys, query: values, queryScale: scale, limit, minScore })));
    }
    return hits.sort((a, b) => b.score - a.score).slice(0, limit);
  }

  return {
    search: (request) => limitOne(() => (request.among.length === 0 ? [] : search(request))),
    async release() {
      if (worker) await limitOne(() => worker?.terminate());
    },
    async close() {
      await worker?.terminate();
    },
  };
}

/** Groups of items in their order, each as large as fits; an item that is larger is a group of its own. */
function groupBySize<Item>(items: readonly Item[], sizeOf: (item: Item) => number, most: number): Item[][] {
  const groups: Item[][] = [];
  let room = 0;
  for (const item of items) {
    const size = sizeOf(item);
    if (groups.length === 0 || size > room) {
      groups.push([]);
      room = most;
    }
    groups.at(-1)!.push(item);
    room -= size;
  }
  return groups;
}
