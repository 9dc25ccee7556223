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

/** A track without its boxes: the arrays that have them, and the index of its first one. */
export type PlacedTrack = StoredTrack & { at: number; arrays: StoredArrays };

/** The tracks of a video, and the arrays that have the times of its frames. */
export type StoredObjects = {
  arrays: StoredArrays;
  pass: 'dense' | 'sparse';
  model: string;
  tracks: PlacedTrack[];
};

/** Entries per read of the joined arrays. */
const BLOCK_LENGTH = 2 ** 18;

/** Opens the tracks of a video, with those that the same detector found in enlarged frames. */
export function openObjects(stored: StoredObservations): StoredObjects | null {
  const selected = selectPass(stored, 'objects');
  if (!selected) return null;
  const { model, tracks } = readTracks(selected.arrays);
  const fine = selected.pass === 'dense' ? stored.get('fine_objects') : undefined;
  const found = fine ? readTracks(fine) : null;
  return { ...selected, model, tracks: found?.model === model ? [...tracks, ...found.tracks] : tracks };
}

function readTracks(arrays: StoredArrays): { model: string; tracks: PlacedTrack[] } {
  const { model, tracks } = arrays.facts as { model: string; tracks: StoredTrack[] };
  let at = 0;
  const placed = tracks.map((track) => {
    const start = at;
    at += track.entries;
    return { ...track, at: start, arrays };
  });
  return { model, tracks: placed };
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
  tracks: readonly PlacedTrack[],
  onEntries: (track: PlacedTrack, frames: ArrayLike<number>, at: number) => void,
): Promise<void> {
  for (let next = 0; next < tracks.length; ) {
    const { arrays, at: start } = tracks[next]!;
    let end = start;
    let last = next;
    for (; last < tracks.length; last++) {
      const track = tracks[last]!;
      if (track.arrays !== arrays || (last > next && track.at + track.entries - start > BLOCK_LENGTH)) break;
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
