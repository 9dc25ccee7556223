import pLimit from 'p-limit';
import { openObjects, type PlacedTrack, readFrames, scanFrames } from './objects.ts';
import { SENTENCES, selectPass } from './sources.ts';
import type { SeriesRange, StoredObservations, UnavailableReason } from './types.ts';

/** Boxes per answer; beyond that, fewer frames per second are returned. */
const MAX_BOXES = 20_000;
/** Added to times before frames are selected: frame times are rounded. */
const ROUNDING_S = 1e-6;
/** Tracks whose boxes are read at the same time. */
const PARALLEL_READS = 8;

/** Parallel arrays. Boxes are [x, y, width, height] of the top left corner and the size, fractions of the frame. */
export type TrackBoxes = {
  id: number;
  class: string;
  color: string | null;
  timesS: number[];
  boxes: number[][];
  /** Score of the detector, 0 to 1; 0 where the object was not detected between two detections. */
  confidence: number[];
};

export type TracksRequest = SeriesRange & { classes: readonly string[] | null; perS: number };
type Tracks = {
  model: string | null;
  pass: 'dense' | 'sparse' | null;
  /** Frames per second in the answer, at most. */
  perS: number;
  tracks: TrackBoxes[];
  classes: string[];
  unavailable: { reason: UnavailableReason; message: string } | null;
};

type Found = { track: PlacedTrack; entries: [number, number][] };

/** Boxes of the tracks between two times, of at most `perS` frames per second: fewer if there are too many boxes. */
export async function readTracks(stored: StoredObservations, request: TracksRequest): Promise<Tracks> {
  const objects = openObjects(stored);
  if (!objects) {
    const reason = selectPass(stored, 'signals') ? 'no_detector' : 'not_observed';
    const unavailable = { reason, message: SENTENCES[reason] } as const;
    return { model: null, pass: null, perS: request.perS, tracks: [], classes: [], unavailable };
  }
  const { first, timesS } = await readFrames(objects, request);
  const wanted = objects.tracks.filter(({ className }) => request.classes?.includes(className) ?? true);
  const found = new Map<number, Found>();
  const boxesOfFrame = new Uint32Array(timesS.length);
  await scanFrames(wanted, (track, frames, at) => {
    // Frames of a track ascend.
    const from = lowerBound(frames, first);
    const to = lowerBound(frames, first + timesS.length);
    if (from === to) return;
    const { entries }: Pick<Found, 'entries'> = found.get(track.id) ?? { entries: [] };
    found.set(track.id, { track, entries });
    for (let i = from; i < to; i++) {
      entries.push([at + i, frames[i]! - first]);
      boxesOfFrame[frames[i]! - first]!++;
    }
  });
  let { perS } = request;
  let chosen = chooseFrames(timesS, perS);
  while (countBoxes(boxesOfFrame, chosen) > MAX_BOXES && chosen.size > 1) {
    perS /= 2;
    chosen = chooseFrames(timesS, perS);
  }
  const limit = pLimit(PARALLEL_READS);
  const tracks = await Promise.all(
    found.values().map(({ track, entries }) =>
      limit(async () => {
        const selected = entries.filter(([, frame]) => chosen.has(frame));
        return selected.length === 0 ? [] : [await readBoxes(track, selected, timesS)];
      }),
    ),
  );
  const classes = [...new Set(objects.tracks.map(({ className }) => className))].toSorted();
  const { model, pass } = objects;
  return { model, pass, perS, tracks: tracks.flat(), classes, unavailable: null };
}

async function readBoxes(
  { id, className, colors, arrays }: PlacedTrack,
  selected: readonly [number, number][],
  frameTimesS: ArrayLike<number>,
): Promise<TrackBoxes> {
  const start = selected[0]![0];
  const end = selected.at(-1)![0] + 1;
  const names = ['x', 'y', 'width', 'height', 'score'];
  const [x, y, width, height, score] = await Promise.all(names.map((name) => arrays.read(name, start, end)));
  return {
    id,
    class: className,
    color: colors[0]?.name ?? null,
    timesS: selected.map(([, frame]) => frameTimesS[frame]!),
    boxes: selected.map(([entry]) => {
      const [w, h] = [width![entry - start]!, height![entry - start]!];
      return [x![entry - start]! - w / 2, y![entry - start]! - h / 2, w, h];
    }),
    confidence: selected.map(([entry]) => score![entry - start]!),
  };
}

/** Indexes of frames, at most `perS` a second. All tracks use the same frames. */
function chooseFrames(timesS: ArrayLike<number>, perS: number): Set<number> {
  const chosen = new Set<number>();
  let nextS = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < timesS.length; i++) {
    const timeS = timesS[i]!;
    if (timeS + ROUNDING_S < nextS) continue;
    chosen.add(i);
    // From the schedule instead of the frame, so that frames off the grid do not lower the rate.
    nextS = Math.max(nextS, timeS - 1 / perS) + 1 / perS;
  }
  return chosen;
}

const countBoxes = (perFrame: Uint32Array, chosen: ReadonlySet<number>) =>
  chosen.values().reduce((sum, frame) => sum + perFrame[frame]!, 0);

function lowerBound(values: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
