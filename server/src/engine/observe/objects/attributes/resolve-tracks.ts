import { MOVING_OBJECT } from '../classes.ts';
import { type Corners, iou } from '../detector/detection.ts';
import type { Track } from '../observation.ts';

/** A finished track, and that of the bike below the person. */
export type FinishedTrack = { track: Track; bike: Track | null };
/**
 * `order` is the number of tracks that started before. `amongSimilar` is the result for a moving object if other
 * moving objects of that class were found.
 */
export type EndedTrack = FinishedTrack & { order: number; amongSimilar: FinishedTrack | null };

/** Number of other moving objects of a class that confirm it for an uncertain one. */
const MIN_SIMILAR = 2;
const CAR = 'car';
/** Classes that are much larger than the cars beside them. */
const LARGE: ReadonlySet<string> = new Set(['bus', 'train']);
/**
 * Boxes whose lower edges are this close (in frame heights) are equally far away; sides that differ by a smaller
 * factor have the same size.
 */
const SAME_ROW = 0.05;
const SAME_SIZE = 1.25;
/** Number of boxes compared per track, evenly over its time. */
const SAMPLES = 16;
/** Number of cars of the same size that make it a car. */
const MIN_CARS = 2;
/** Boxes that overlap this much in half of the detections of one track are the same object ... */
const SAME_PLACE = 0.6;
const SAME_OBJECT_SHARE = 0.5;

/** Final tracks in order of their start, classified with regard to all others and without duplicates. */
export function resolveTracks(ended: readonly EndedTrack[]): Track[] {
  const ordered = ended.toSorted((a, b) => a.order - b.order);
  const movers = Map.groupBy(
    ordered.filter(({ amongSimilar }) => amongSimilar !== null),
    ({ track }) => track.className,
  );
  const found = ordered.map((one): FinishedTrack => {
    if (!one.amongSimilar || one.track.className !== MOVING_OBJECT) return one;
    return (movers.get(one.amongSimilar.track.className)?.length ?? 0) >= MIN_SIMILAR ? one.amongSimilar : one;
  });
  const tracks = withoutDuplicates([...found.map(({ track }) => track), ...found.flatMap(({ bike }) => bike ?? [])]);
  const cars = tracks.filter(({ className }) => className === CAR).map(sample);
  return tracks.map((track, index) => {
    const isCar = LARGE.has(track.className) && isCarSized(sample(track), cars);
    return { ...track, id: index + 1, className: isCar ? CAR : track.className };
  });
}

/**
 * True if several cars had its size in its place: from above, the detector takes any roof for a bus. On flat ground,
 * everything on one row of the frame is equally far away.
 */
function isCarSized(boxes: readonly Corners[], cars: readonly Corners[][]): boolean {
  return cars.filter((car) => car.some((there) => boxes.some((here) => isSameSize(here, there)))).length >= MIN_CARS;
}

function isSameSize(a: Corners, b: Corners): boolean {
  const sized = (one: number, other: number) => one <= other * SAME_SIZE && other <= one * SAME_SIZE;
  return Math.abs(a.y1 - b.y1) <= SAME_ROW && sized(a.x1 - a.x0, b.x1 - b.x0) && sized(a.y1 - a.y0, b.y1 - b.y0);
}

function sample(track: Track): Corners[] {
  const seen = [...track.score.keys()].filter((k) => track.score[k]! > 0);
  const every = Math.ceil(seen.length / SAMPLES);
  return seen.filter((_, n) => n % every === 0).map((k) => boxAt(track, k));
}

/** If two tracks are in the same place in half of the detections of one, the more confident one remains. */
function withoutDuplicates(tracks: readonly Track[]): Track[] {
  const weight = tracks.map(({ score }) => score.reduce((sum, one) => sum + one, 0));
  const detectionCounts = tracks.map(({ score }) => score.reduce((sum, one) => sum + Number(one > 0), 0));
  const duplicates = new Set<number>();
  let present: number[] = [];
  for (const at of [...tracks.keys()].toSorted((a, b) => tracks[a]!.frame[0]! - tracks[b]!.frame[0]!)) {
    present = present.filter((other) => tracks[other]!.frame.at(-1)! >= tracks[at]!.frame[0]!);
    for (const other of present) {
      const shared = countSharedSamples(tracks[at]!, tracks[other]!);
      const [less, more] = weight[at]! < weight[other]! ? [at, other] : [other, at];
      if (shared >= SAME_OBJECT_SHARE * detectionCounts[less]! && weight[less]! < weight[more]!) duplicates.add(less);
    }
    present.push(at);
  }
  return tracks.filter((_, at) => !duplicates.has(at));
}

function countSharedSamples(a: Track, b: Track): number {
  const [firstA, firstB] = [a.frame[0]!, b.frame[0]!];
  const last = Math.min(a.frame.at(-1)!, b.frame.at(-1)!);
  let shared = 0;
  for (let index = Math.max(firstA, firstB); index <= last; index++) {
    const [i, j] = [index - firstA, index - firstB];
    if (a.score[i]! > 0 && b.score[j]! > 0 && iou(boxAt(a, i), boxAt(b, j)) >= SAME_PLACE) shared++;
  }
  return shared;
}

function boxAt({ x, y, width, height }: Track, k: number): Corners {
  const [halfWidth, halfHeight] = [width[k]! / 2, height[k]! / 2];
  return { x0: x[k]! - halfWidth, x1: x[k]! + halfWidth, y0: y[k]! - halfHeight, y1: y[k]! + halfHeight };
}
