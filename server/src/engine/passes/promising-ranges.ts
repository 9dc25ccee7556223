import { resolveWindow, type Scene, windowOf } from '../find/index.ts';
import { evenOrder } from '../observe/even-order.ts';
import type { KeyframeScan, TimeRange } from '../observe/observations.ts';
import type { Plan, PlannedSearch, Step } from '../plan/index.ts';

/** A long video is divided into cells of this length in seconds, so that ranges of one question serve the next. */
export const CELL_S = 30;
/** Time that the cells of one question may take together, in seconds of video. */
export const CLOSER_LOOK_S = 600;
/** Share of a cell without changes from which nothing in it can be found by a closer look. */
const QUIET_SHARE = 0.95;
/** A cell that shows what is searched counts more than the busiest one that does not. */
const RELEVANCE = 2;

/**
 * Selects the ranges of a long video in which the searches are most likely to find something, from its sparse pass:
 * where the requested objects were seen, then where most changes. Ascending, at most `CLOSER_LOOK_S` together. The same
 * searches and sparse pass always give the same ranges.
 */
export function selectPromisingRanges(searches: readonly PlannedSearch[], plan: Plan, scene: Scene): TimeRange[] {
  const { sparsePass, video } = scene.observations;
  const count = Math.ceil(video.durationS / CELL_S);
  const windows = searches.map((search) => resolveWindow(windowOf(search, plan), video));
  const steps = searches.flatMap((search) => search.steps);
  const relevance = relevanceOf(steps, scene, count);
  const activity = activityOf(steps, scene, count);
  const cells = Array.from({ length: count }, (_, cell) => cell)
    .filter((cell) => windows.some(({ from, to }) => (cell + 1) * CELL_S > from && cell * CELL_S < to))
    .filter((cell) => quietShare(sparsePass?.quiet ?? [], cell) < QUIET_SHARE)
    .map((cell) => ({ cell, score: RELEVANCE * relevance[cell]! + activity[cell]! }))
    .toSorted((a, b) => b.score - a.score || evenOrder(a.cell) - evenOrder(b.cell))
    .slice(0, CLOSER_LOOK_S / CELL_S)
    .map(({ cell }) => cell);
  return joinCells(cells);
}

/** Joins consecutive cells to ranges. */
export function joinCells(cells: readonly number[]): TimeRange[] {
  const ranges: TimeRange[] = [];
  for (const cell of cells.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.untilS === cell * CELL_S) last.untilS += CELL_S;
    else ranges.push({ fromS: cell * CELL_S, untilS: (cell + 1) * CELL_S });
  }
  return ranges;
}

/** The cells of ranges that no range of `others` overlaps. */
export function cellsOutside(ranges: readonly TimeRange[], others: readonly TimeRange[]): number[] {
  return ranges
    .flatMap(({ fromS, untilS }) =>
      Array.from({ length: Math.round((untilS - fromS) / CELL_S) }, (_, at) => fromS / CELL_S + at),
    )
    .filter((cell) => !others.some(({ fromS, untilS }) => (cell + 1) * CELL_S > fromS && cell * CELL_S < untilS));
}

/** Share of what the steps request that the sampled frames of each cell show, 0 to 1. */
function relevanceOf(steps: readonly Step[], { observations: { objects } }: Scene, count: number): number[] {
  const classes = new Set(steps.flatMap(({ what }) => requestedClasses(what)));
  const scores = new Float64Array(count);
  for (const { className, frame, score } of objects?.tracks ?? []) {
    if (!classes.has(className)) continue;
    for (const [at, index] of frame.entries()) {
      const cell = Math.floor(objects!.timeS[index]! / CELL_S);
      if (cell < count) scores[cell]! += score[at]!;
    }
  }
  return relativeRanks(scores);
}

/** The classes of objects that a step asks for. */
export function requestedClasses(what: Step['what']): readonly string[] {
  if (what.kind === 'traffic_light') return ['traffic light'];
  if (what.kind !== 'object') return [];
  const { subject, relation } = what;
  return [...subject.classes, ...(relation?.other?.classes ?? [])];
}

/**
 * Amount of change in each cell, 0 to 1: the bytes of its packets and the differences of its keyframes. A vehicle that
 * stops or turns changes the rate of bytes from one cell to the next.
 */
function activityOf(steps: readonly Step[], { observations: { keyframeScan } }: Scene, count: number): number[] {
  if (!keyframeScan) return Array.from({ length: count }, () => 0);
  const bytes = bytesPerCell(keyframeScan, count);
  const isCamera = steps.some(({ what }) => what.kind === 'camera');
  const rates = isCamera
    ? bytes.map((value, cell) =>
        Math.max(Math.abs(value - (bytes[cell - 1] ?? value)), Math.abs(value - (bytes[cell + 1] ?? value))),
      )
    : bytes;
  const [byRate, byDifference] = [relativeRanks(rates), relativeRanks(differencePerCell(keyframeScan, count))];
  return byRate.map((rank, cell) => (rank + byDifference[cell]!) / 2);
}

/** Bytes of the packets between keyframes, which carry the changes. */
function bytesPerCell({ packetS, packetBytes, packetKey }: KeyframeScan, count: number): Float64Array {
  const bytes = new Float64Array(count);
  for (let at = 0; at < packetS.length; at++) {
    const cell = Math.floor(packetS[at]! / CELL_S);
    if (packetKey[at] === 0 && cell >= 0 && cell < count) bytes[cell]! += packetBytes[at]!;
  }
  return bytes;
}

function differencePerCell({ timeS, difference }: KeyframeScan, count: number): Float64Array {
  const largest = new Float64Array(count);
  for (let at = 0; at < timeS.length; at++) {
    const cell = Math.min(count - 1, Math.floor(timeS[at]! / CELL_S));
    largest[cell] = Math.max(largest[cell]!, difference[at]!);
  }
  return largest;
}

/** Share of the cells with a lower value, for each cell; 0 for the lowest. */
function relativeRanks(values: Float64Array): number[] {
  const sorted = values.toSorted();
  return Array.from(values, (value) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]! < value) low = middle + 1;
      else high = middle;
    }
    return low / sorted.length;
  });
}

function quietShare(quiet: readonly { startS: number; endS: number }[], cell: number): number {
  const [fromS, untilS] = [cell * CELL_S, (cell + 1) * CELL_S];
  return quiet.reduce((sum, { startS, endS }) => sum + overlap(startS, endS, fromS, untilS), 0) / CELL_S;
}

const overlap = (startS: number, endS: number, fromS: number, untilS: number) =>
  Math.max(0, Math.min(endS, untilS) - Math.max(startS, fromS));
