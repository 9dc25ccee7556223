import { selectPass } from './sources.ts';
import type { StoredArrays } from './stored-arrays.ts';
import type { SeriesRange, StoredObservations } from './types.ts';

/** Fields of a stored track; `entries` is its number of boxes in the joined arrays. */
type StoredTrack = {
  id: number;
  className: string;
  colors: { name: string; share: number }[];
  entries: number;
};

/** The tracks of a video without their boxes. */
export type StoredObjects = {
  arrays: StoredArrays;
  pass: 'dense' | 'sparse';
  model: string;
  /** Each with the index of its first box. */
  tracks: (StoredTrack & { at: number })[];
};

/** Entries per read of the joined arrays. */
const BLOCK_LENGTH = 2 ** 18;

export function openObjects(stored: StoredObservations): StoredObjects | null {
  const selected = selectPass(stored, 'objects');
  if (!selected) return null;
  const { model, tracks } = selected.arrays.facts as { model: string; tracks: StoredTrack[] };
  let at = 0;
  const placed = tracks.map((track) => {
    const start = at;
    at += track.entries;
    return { ...track, at: start };
  });
  return { ...selected, model, tracks: placed };
}

/** The sampled frames between two times, with their times. */
export async function readFrames({ arrays }: StoredObjects, { fromS, toS }: SeriesRange) {
  const first = await arrays.findIndex('timeS', fromS);
  const end = await arrays.findIndex('timeS', toS + 1e-9);
  return { first, timesS: await arrays.read('timeS', first, end) };
}

/**
 * Calls `onEntries` for blocks of the boxes of these tracks, in their order: the frame of each box, and the index of
 * the first one. Reads neighboring tracks together.
 */
export async function scanFrames(
  { arrays }: StoredObjects,
  tracks: StoredObjects['tracks'],
  onEntries: (track: StoredObjects['tracks'][number], frames: ArrayLike<number>, at: number) => void,
): Promise<void> {
  for (let next = 0; next < tracks.length; ) {
    const start = tracks[next]!.at;
    let end = start;
    let last = next;
    for (; last < tracks.length; last++) {
      const track = tracks[last]!;
      if (last > next && track.at + track.entries - start > BLOCK_LENGTH) break;
      end = track.at + track.entries;
    }
    // A single track may be longer than a block.
    for (let at = start; at < end; at += BLOCK_LENGTH) {
      const to = Math.min(end, at + BLOCK_LENGTH);
      const frames = await arrays.read('frame', at, to);
      for (const track of tracks.slice(next, last)) {
        const from = Math.max(track.at, at);
        const until = Math.min(track.at + track.entries, to);
        if (from < until) onEntries(track, frames.subarray(from - at, until - at), from);
      }
    }
    next = last;
  }
}
