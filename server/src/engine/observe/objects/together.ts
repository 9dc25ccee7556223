import { MOVING_OBJECT } from './classes.ts';
import type { Track } from './observation.ts';
import { type Corners, overlap } from './yolox.ts';

/** What became of one thing that was followed: its track, and that of the bike below it. */
export type Finished = { thing: Track; bike: Track | null };
/** The same with how many things began before it and, for what only moves, what it is where others that go about were found to be of that class. */
export type Ended = Finished & { order: number; amongAlike: Finished | null };

/** So many others that go about make a class of what is less sure to be of it. */
const ALIKE = 2;
const CAR = 'car';
/** Much larger than any car beside them. */
const LARGE: ReadonlySet<string> = new Set(['bus', 'train']);
/** Boxes whose lower edges lie this close (of the picture's height) stand on one row, and sides that differ less (times) are of one size. */
const ONE_ROW = 0.05;
const OF_ONE_SIZE = 1.25;
/** Of so many sightings of each, evenly over its time. */
const SAMPLES = 16;
/** So many cars make it one. */
const CARS = 2;
/** Boxes that overlap this much in half of the sightings of one of them are one thing ... */
const ONE_PLACE = 0.6;
const ONE_THING = 0.5;

/** What things are among all others, in the order in which they begin, without those that are the same thing once more. */
export function judgeTogether(ended: readonly Ended[]): Track[] {
  const ordered = ended.toSorted((a, b) => a.order - b.order);
  const movers = Map.groupBy(
    ordered.filter(({ amongAlike }) => amongAlike !== null),
    ({ thing }) => thing.className,
  );
  const found = ordered.map((one): Finished => {
    if (!one.amongAlike || one.thing.className !== MOVING_OBJECT) return one;
    return (movers.get(one.amongAlike.thing.className)?.length ?? 0) >= ALIKE ? one.amongAlike : one;
  });
  const tracks = withoutDoubles([...found.map(({ thing }) => thing), ...found.flatMap(({ bike }) => bike ?? [])]);
  const cars = tracks.filter(({ className }) => className === CAR).map(sample);
  return tracks.map((track, index) => {
    const isCar = LARGE.has(track.className) && isCarSized(sample(track), cars);
    return { ...track, id: index + 1, className: isCar ? CAR : track.className };
  });
}

/**
 * Whether several cars were of its size where it was: from above the detector takes any roof for a bus's. On flat ground all that stands on one row of the
 * picture is equally far away.
 */
function isCarSized(boxes: readonly Corners[], cars: readonly Corners[][]): boolean {
  return cars.filter((car) => car.some((there) => boxes.some((here) => isAlike(here, there)))).length >= CARS;
}

function isAlike(a: Corners, b: Corners): boolean {
  const sized = (one: number, other: number) => one <= other * OF_ONE_SIZE && other <= one * OF_ONE_SIZE;
  return Math.abs(a.y1 - b.y1) <= ONE_ROW && sized(a.x1 - a.x0, b.x1 - b.x0) && sized(a.y1 - a.y0, b.y1 - b.y0);
}

function sample(track: Track): Corners[] {
  const seen = [...track.score.keys()].filter((k) => track.score[k]! > 0);
  const every = Math.ceil(seen.length / SAMPLES);
  return seen.filter((_, n) => n % every === 0).map((k) => boxAt(track, k));
}

/** Where two were in one place in half of the sightings of one, the one that was seen more surely stays. */
function withoutDoubles(tracks: readonly Track[]): Track[] {
  const weight = tracks.map(({ score }) => score.reduce((sum, one) => sum + one, 0));
  const sightings = tracks.map(({ score }) => score.reduce((sum, one) => sum + Number(one > 0), 0));
  const doubles = new Set<number>();
  let present: number[] = [];
  for (const at of [...tracks.keys()].toSorted((a, b) => tracks[a]!.frame[0]! - tracks[b]!.frame[0]!)) {
    present = present.filter((other) => tracks[other]!.frame.at(-1)! >= tracks[at]!.frame[0]!);
    for (const other of present) {
      const shared = looksInOnePlace(tracks[at]!, tracks[other]!);
      const [less, more] = weight[at]! < weight[other]! ? [at, other] : [other, at];
      if (shared >= ONE_THING * sightings[less]! && weight[less]! < weight[more]!) doubles.add(less);
    }
    present.push(at);
  }
  return tracks.filter((_, at) => !doubles.has(at));
}

function looksInOnePlace(a: Track, b: Track): number {
  const [firstA, firstB] = [a.frame[0]!, b.frame[0]!];
  const last = Math.min(a.frame.at(-1)!, b.frame.at(-1)!);
  let shared = 0;
  for (let look = Math.max(firstA, firstB); look <= last; look++) {
    const [i, j] = [look - firstA, look - firstB];
    if (a.score[i]! > 0 && b.score[j]! > 0 && overlap(boxAt(a, i), boxAt(b, j)) >= ONE_PLACE) shared++;
  }
  return shared;
}

function boxAt({ x, y, width, height }: Track, k: number): Corners {
  const [halfWidth, halfHeight] = [width[k]! / 2, height[k]! / 2];
  return { x0: x[k]! - halfWidth, x1: x[k]! + halfWidth, y0: y[k]! - halfHeight, y1: y[k]! + halfHeight };
}
