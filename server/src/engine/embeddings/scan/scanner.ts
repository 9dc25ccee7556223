import { DIMENSIONS } from '../encoder.ts';
import { loadScanKernel } from './kernel.ts';
import type { FrameHit, FrameVectors, ScanRequest } from './types.ts';

/** Vectors in a slot; the last slot of a video is partly empty. */
export const SLOT_VECTORS = 64;
/** Of the frames in each of these intervals of a video, only the best is a hit: its neighbors look the same. */
const INTERVAL_S = 10;

/** `ends`: for each group of frames, the index after its last one. */
type Stored = Pick<FrameVectors, 'timeS' | 'scales'> & { slots: number[]; ends: Int32Array };
export type ScanSearch = Omit<Extract<ScanRequest, { kind: 'search' }>, 'kind' | 'id'>;

/** Number of slots that frames take. */
export const countSlots = (frames: number): number => Math.ceil(frames / SLOT_VECTORS);

/** Vectors of videos in memory, and an exact search among them. */
export function createScanner() {
  const kernel = loadScanKernel(SLOT_VECTORS);
  const stored = new Map<string, Stored>();
  const free: number[] = [];
  let slots = 0;

  function drop(key: string): void {
    free.push(...(stored.get(key)?.slots ?? []));
    stored.delete(key);
  }

  function load(key: string, { timeS, scales, vectors, groups }: FrameVectors): void {
    drop(key);
    const own = Array.from({ length: countSlots(timeS.length) }, () => free.pop() ?? slots++);
    for (const [at, slot] of own.entries()) {
      const from = at * SLOT_VECTORS * DIMENSIONS;
      kernel.slot(slot).set(vectors.subarray(from, from + SLOT_VECTORS * DIMENSIONS));
    }
    stored.set(key, { timeS, scales, slots: own, ends: groupEnds(groupsOf({ timeS, groups })) });
  }

  /** Adds the best frame of each group of a video. */
  function scanVideo(key: string, { timeS, scales, slots, ends }: Stored, queryScale: number, best: BestHits): void {
    let group = 0;
    let frame = 0;
    let bestFrame = 0;
    let score = Number.NEGATIVE_INFINITY;
    for (const slot of slots) {
      const first = frame;
      const until = Math.min(timeS.length, first + SLOT_VECTORS);
      const products = kernel.scan(slot, until - first);
      while (frame < until) {
        for (const end = Math.min(until, ends[group]!); frame < end; frame++) {
          const value = products[frame - first]! * scales[frame]!;
          if (value > score) {
            score = value;
            bestFrame = frame;
          }
        }
        if (frame < ends[group]!) continue;
        best.add({ key, index: bestFrame, timeS: timeS[bestFrame]!, score: score * queryScale });
        group++;
        score = Number.NEGATIVE_INFINITY;
      }
    }
  }

  return {
    load,
    drop,
    /** The frames of these videos that resemble the query most, the best first; of loaded videos only. */
    search({ keys, query, queryScale, limit, minScore }: ScanSearch): FrameHit[] {
      kernel.setQuery(query);
      const best = createBestHits(limit, minScore);
      for (const key of keys) {
        const frames = stored.get(key);
        if (frames) scanVideo(key, frames, queryScale, best);
      }
      return best.list();
    },
  };
}

/** The group of each vector, of which only the best is a hit. */
export const groupsOf = ({ timeS, groups }: Pick<FrameVectors, 'timeS' | 'groups'>): Int32Array =>
  groups ?? Int32Array.from(timeS, (time) => Math.floor(time / INTERVAL_S));

/** The index after the last frame of each group: consecutive frames with the same number. */
function groupEnds(groups: Int32Array): Int32Array {
  const ends: number[] = [];
  for (let at = 1; at <= groups.length; at++) if (at === groups.length || groups[at] !== groups[at - 1]) ends.push(at);
  return Int32Array.from(ends);
}

type BestHits = ReturnType<typeof createBestHits>;

/** The best hits so far, at most `limit`, ordered by score; equal ones by key and time. */
function createBestHits(limit: number, minScore: number) {
  const hits: FrameHit[] = [];
  const isBefore = (a: FrameHit, b: FrameHit) =>
    a.score !== b.score ? a.score > b.score : a.key !== b.key ? a.key < b.key : a.index < b.index;
  return {
    add(hit: FrameHit): void {
      const { score } = hit;
      if (score < minScore || (hits.length === limit && score < hits[limit - 1]!.score)) return;
      if (hits.length === limit && !isBefore(hit, hits[limit - 1]!)) return;
      let at = hits.length;
      while (at > 0 && isBefore(hit, hits[at - 1]!)) at--;
      hits.splice(at, 0, hit);
      if (hits.length > limit) hits.pop();
    },
    list: () => hits,
  };
}
