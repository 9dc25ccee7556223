import { isAtEdge } from '../actions/track/frame-edges.ts';
import { trackConfidence } from '../confidence.ts';
import type { TrackView } from '../types.ts';
import { EXTENT_M, HEAD_SHAPED, PEOPLE_AND_ROAD_USERS } from './class-facts.ts';
import type { Doubt } from './types.ts';

/** Confidence from which a track is a measure for others. */
const REFERENCE = 0.8;
/** Number of boxes compared for each track, evenly over its time. */
const COMPARED = 8;
/** References are found by the interval that they are in, in detector frames. */
const BUCKET = 50;
/** Tolerance of a box against the size of its object, and of its lower edge (in frame heights). */
const BOX_TOLERANCE = 1.2;
const ROW_TOLERANCE = 0.02;
const SIZE = 0.5;
const HEAD = 0.3;
/** Position of a head in the box of its person: upper edge, lower edge, middle and width, in the person's sizes. */
const HEAD_TOP = 0.12;
const HEAD_BOTTOM = 0.4;
const HEAD_MIDDLE = 0.25;
const HEAD_WIDTH: readonly [min: number, max: number] = [0.2, 0.8];

type Box = { x: number; width: number; height: number; top: number; bottom: number; diagonal: number };

/**
 * Finds reasons to doubt a track beside the others: a size that does not fit what is on the ground with it, and a
 * place on the shoulders of a person. `aspect` is the width of the frame in heights.
 */
export function createRelativeDoubts(views: readonly TrackView[], aspect: number): (view: TrackView) => Doubt[] {
  const references = Map.groupBy(
    views.filter(isReference).flatMap((view) => bucketsOf(view).map((bucket) => ({ view, bucket }))),
    ({ bucket }) => bucket,
  );

  const boxAt = ({ track }: TrackView, k: number): Box => {
    const [width, height] = [track.width[k]!, track.height[k]!];
    const [top, bottom] = [track.y[k]! - height / 2, track.y[k]! + height / 2];
    return { x: track.x[k]!, width, height, top, bottom, diagonal: Math.hypot(width * aspect, height) };
  };

  return (view) => {
    const own = view.track.className;
    const [hasExtent, isRound] = [EXTENT_M.has(own), HEAD_SHAPED.has(own)];
    if (!hasExtent && !isRound) return [];
    /** For each reference, in how many boxes the size does not fit, of how many, and in how many it is a head. */
    const tallies = new Map<TrackView, { compared: number; misfits: number; heads: number }>();
    const entries = comparedEntries(view);
    for (const k of entries) {
      const frame = view.track.frame[k]!;
      for (const { view: other } of references.get(Math.floor(frame / BUCKET)) ?? []) {
        const at = other === view ? -1 : entryOf(other, frame);
        if (at < 0) continue;
        const tally = tallies.get(other) ?? { compared: 0, misfits: 0, heads: 0 };
        tallies.set(other, tally);
        const [box, reference] = [boxAt(view, k), boxAt(other, at)];
        if (isRound && other.track.className === 'person' && isHeadOf(box, reference)) tally.heads++;
        if (!hasExtent || isAtEdge(view.track, k) || isAtEdge(other.track, at)) continue;
        tally.compared++;
        if (isMisfit(own, box, other.track.className, reference)) tally.misfits++;
      }
    }
    const measures = [...tallies.values()].filter(({ compared }) => compared > 0);
    const misfits = measures.filter(({ compared, misfits: count }) => count * 2 > compared);
    return [
      ...(misfits.length * 2 > measures.length
        ? [{ weight: SIZE, reason: 'its size does not fit what is on the ground with it' }]
        : []),
      ...([...tallies.values()].some(({ heads }) => heads * 2 > entries.length)
        ? [{ weight: HEAD, reason: 'it is where the head of a person is' }]
        : []),
    ];
  };
}

const isReference = ({ track, score, independentCount }: TrackView) =>
  PEOPLE_AND_ROAD_USERS.has(track.className) && trackConfidence(score, independentCount) >= REFERENCE;

function bucketsOf({ track: { frame } }: TrackView): number[] {
  const [from, to] = [Math.floor(frame[0]! / BUCKET), Math.floor(frame.at(-1)! / BUCKET)];
  return Array.from({ length: to - from + 1 }, (_, n) => from + n);
}

function comparedEntries({ track: { score } }: TrackView): number[] {
  const seen = [...score.keys()].filter((k) => score[k]! > 0);
  const every = Math.ceil(seen.length / COMPARED);
  return seen.filter((_, n) => n % every === 0);
}

/** Index of the entry of a track for a frame of the detector; -1 without a detection there. */
function entryOf({ track: { frame, score } }: TrackView, wanted: number): number {
  let [low, high] = [0, frame.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (frame[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return frame[low] === wanted && score[low]! > 0 ? low : -1;
}

/**
 * True if a box is larger than its class can be behind the reference, or smaller than it can be in front of it. On
 * flat ground, what stands lower in the frame is closer; the horizon need not be known.
 */
function isMisfit(className: string, box: Box, other: string, reference: Box): boolean {
  const [[min, max], [otherMin, otherMax]] = [EXTENT_M.get(className)!, EXTENT_M.get(other)!];
  const ratio = box.diagonal / reference.diagonal;
  const isBehind = box.bottom <= reference.bottom + ROW_TOLERANCE;
  const isInFront = box.bottom >= reference.bottom - ROW_TOLERANCE;
  return (
    (isBehind && ratio > (max / otherMin) * BOX_TOLERANCE) || (isInFront && ratio < min / otherMax / BOX_TOLERANCE)
  );
}

const isHeadOf = (box: Box, person: Box) =>
  Math.abs(box.top - person.top) <= HEAD_TOP * person.height &&
  box.bottom <= person.top + HEAD_BOTTOM * person.height &&
  Math.abs(box.x - person.x) <= HEAD_MIDDLE * person.width &&
  box.width >= HEAD_WIDTH[0] * person.width &&
  box.width <= HEAD_WIDTH[1] * person.width;
