/** An event of the timeline. Times are seconds from the first frame; `confidence` is 0 to 1. */
export type LaneEvent = {
  id: string;
  label: string;
  startS: number;
  endS: number;
  confidence: number;
  severity?: string | null;
  /** True: it may change or be withdrawn, until all of the video was seen. */
  isPreliminary?: boolean;
};
/** A range that was not seen, and why. `isPartly`: single frames of it were. */
export type Range = { startS: number; endS: number; reason?: string; isPartly?: boolean };

/** Values over time, as the least and the greatest one of each interval that starts at `times`; NaN: no value. */
export type Series = { times: Float64Array; low: Float32Array; high: Float32Array };

type LaneBase = {
  id: string;
  name: string;
  /** Number of a timeline color, 1 to 6; 0 is the neutral gray. */
  color: number;
  /** True: hidden unless somebody shows it, such as a class that is rarely seen. */
  isFolded?: boolean;
};

/** Events of one label, sorted by start. */
export type EventLane = LaneBase & { kind: 'events'; events: EventIndex; isPreliminary: boolean };
export type SeriesLane = LaneBase & {
  kind: 'series';
  shape: 'area' | 'line' | 'steps' | 'wave';
  series: Series;
  /** Range of the axis. */
  min: number;
  max: number;
  /** Text of a value, such as "31 km/h". */
  format: (value: number) => string;
};
/** Instants, such as cuts. */
export type MarksLane = LaneBase & { kind: 'marks'; times: Float64Array };
/** Ranges that were not seen, sorted by start, and the share of the video of which every frame was, 0 to 1. */
export type CoverageLane = LaneBase & { kind: 'coverage'; ranges: readonly Range[]; seen: number };
export type Lane = EventLane | SeriesLane | MarksLane | CoverageLane;

/** Height of each kind of row in CSS pixels. */
export const LANE_HEIGHTS: Record<Lane['kind'], number> = { events: 30, series: 36, marks: 22, coverage: 22 };

/** Tops of all rows and, as the last element, the height of all of them. */
export function laneTops(lanes: readonly Lane[]): number[] {
  const tops = [0];
  for (const { kind } of lanes) tops.push(tops.at(-1)! + LANE_HEIGHTS[kind]);
  return tops;
}

/** Index of the row at a height, or -1. */
export const laneAt = (tops: readonly number[], y: number): number =>
  y < 0 || y >= tops.at(-1)! ? -1 : tops.findIndex((top) => top > y) - 1;

/**
 * Events sorted by start, with the latest end up to each one: ranges of them are found without reading all, though
 * long events overlap short ones.
 */
export class EventIndex {
  readonly sorted: readonly LaneEvent[];
  readonly #latestEnds: Float64Array;

  constructor(events: readonly LaneEvent[]) {
    this.sorted = events.toSorted((a, b) => a.startS - b.startS || a.endS - b.endS);
    this.#latestEnds = new Float64Array(events.length);
    let latest = Number.NEGATIVE_INFINITY;
    for (const [index, event] of this.sorted.entries()) {
      latest = Math.max(latest, event.endS);
      this.#latestEnds[index] = latest;
    }
  }

  get length(): number {
    return this.sorted.length;
  }

  /** Index of the first event that can reach `startS`, and of the first one that starts after `endS`. */
  range(startS: number, endS: number): [number, number] {
    return [
      firstIndex(this.length, (index) => this.#latestEnds[index]! >= startS),
      firstIndex(this.length, (index) => this.sorted[index]!.startS > endS),
    ];
  }

  /** Index of the first event that starts after a time. */
  after(timeS: number): number {
    return firstIndex(this.length, (index) => this.sorted[index]!.startS > timeS);
  }
}

/** The least index from 0 to `length` from which on `holds`; it must not hold before one for which it holds. */
export function firstIndex(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** One row per label, in the order of their first events. */
export function eventLanes(events: readonly LaneEvent[]): EventLane[] {
  const groups = Map.groupBy(
    events.toSorted((a, b) => a.startS - b.startS),
    ({ label }) => label,
  );
  return [...groups].map(([name, group], index) => ({
    kind: 'events',
    id: `events ${name}`,
    name,
    color: (index % 6) + 1,
    events: new EventIndex(group),
    isPreliminary: group.every((event) => event.isPreliminary),
  }));
}
