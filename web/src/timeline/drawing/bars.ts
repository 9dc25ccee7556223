import type { EventIndex, LaneEvent, Series } from '../lanes.ts';
import { firstIndex } from '../lanes.ts';
import { secondsPerPixel, toX, type View } from '../scale.ts';

/** A rectangle of the canvas that stands for one event, or for several that are too close to be shown apart. */
export type Bar = { x: number; width: number; confidence: number; count: number; event: LaneEvent };

const LEAST_WIDTH_PX = 3;
/** Bars that begin within this distance of a narrow one are drawn as one. */
const MERGE_PX = 1;

/** The visible bars of a row: at most one per pixel, however many events there are. */
export function visibleBars(events: EventIndex, view: View): Bar[] {
  const margin = secondsPerPixel(view) * LEAST_WIDTH_PX;
  const [from, to] = events.range(view.start - margin, view.end);
  const bars: Bar[] = [];
  let last: Bar | undefined;
  for (let index = from; index < to; index++) {
    const event = events.sorted[index]!;
    if (event.endS < view.start - margin) continue;
    const x = Math.max(toX(view, event.startS), -LEAST_WIDTH_PX);
    const end = Math.min(toX(view, event.endS), view.width + LEAST_WIDTH_PX);
    const width = Math.max(LEAST_WIDTH_PX, end - x);
    if (last && x - last.x < MERGE_PX && last.width <= LEAST_WIDTH_PX && width <= LEAST_WIDTH_PX) {
      last.count++;
      if (event.confidence > last.confidence) Object.assign(last, { confidence: event.confidence, event });
    } else {
      last = { x, width, confidence: event.confidence, count: 1, event };
      bars.push(last);
    }
  }
  return bars;
}

/** The height of the highest bar in each pixel column of the view; 0 where there is none. */
export function skyline(bars: readonly Bar[], width: number, heightOf: (bar: Bar) => number): Float32Array {
  const columns = new Float32Array(Math.ceil(width));
  for (const bar of bars) {
    const height = heightOf(bar);
    const to = Math.min(columns.length, Math.round(bar.x + bar.width));
    for (let x = Math.max(0, Math.round(bar.x)); x < to; x++) if (columns[x]! < height) columns[x] = height;
  }
  return columns;
}

/** Distance in CSS pixels within which a pointer hits an event. */
const REACH_PX = 4;

/** The event at `x`: the shortest one that contains it, otherwise the nearest within reach. */
export function eventAt(events: EventIndex, view: View, x: number): LaneEvent | null {
  const unit = secondsPerPixel(view);
  const time = view.start + x * unit;
  const reach = unit * REACH_PX;
  const [from, to] = events.range(time - reach, time + reach);
  let best: LaneEvent | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (let index = from; index < to; index++) {
    const event = events.sorted[index]!;
    const distance = Math.max(0, event.startS - time, time - event.endS);
    if (distance > reach) continue;
    // Any distance outweighs any length.
    const cost = (distance / reach) * 1e9 + (event.endS - event.startS);
    if (cost < least) [least, best] = [cost, event];
  }
  return best;
}

/** Value of a series at a time: that of the interval that contains it, or null. */
export function valueAt({ times, low, high }: Series, time: number): { low: number; high: number } | null {
  const index = firstIndex(times.length, (each) => times[each]! > time) - 1;
  const value = index < 0 ? Number.NaN : low[index]!;
  return Number.isNaN(value) ? null : { low: value, high: high[index]! };
}

/** Points of a series in CSS pixels, at most one per pixel column; `low` is NaN where there is no value. */
export type Columns = { xs: number[]; low: number[]; high: number[] };

/** The visible part of a series, with the extremes of all values of a pixel column. */
export function visibleColumns({ times, low, high }: Series, view: View): Columns {
  const columns: Columns = { xs: [], low: [], high: [] };
  // One interval to each side, so that lines reach the edges.
  const from = Math.max(0, firstIndex(times.length, (index) => times[index]! > view.start) - 1);
  const to = Math.min(times.length, firstIndex(times.length, (index) => times[index]! > view.end) + 1);
  let column = Number.NaN;
  for (let index = from; index < to; index++) {
    const x = toX(view, times[index]!);
    const last = columns.xs.length - 1;
    if (Math.floor(x) === column && !Number.isNaN(columns.low[last]!) && !Number.isNaN(low[index]!)) {
      columns.low[last] = Math.min(columns.low[last]!, low[index]!);
      columns.high[last] = Math.max(columns.high[last]!, high[index]!);
      continue;
    }
    column = Math.floor(x);
    columns.xs.push(x);
    columns.low.push(low[index]!);
    columns.high.push(high[index]!);
  }
  return columns;
}
