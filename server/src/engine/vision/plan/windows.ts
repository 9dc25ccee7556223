import { createHash } from 'node:crypto';
import type { Observations } from '../../observe/observations.ts';
import type { VideoFrame } from '../types.ts';
import { framesAt } from './frame-times.ts';
import type { Moment } from './moments.ts';

export type TimeSpan = { from: number; to: number };
/** A part of the video that is shown to the model, with its frames in order. */
export type FrameWindow = TimeSpan & { frames: VideoFrame[] };

export const FRAMES_PER_WINDOW = 12;
/** Windows of a range that is shown as a whole: with one control they are eight calls at a time. */
const FEW_WINDOWS = 7;
const WINDOW_S = { min: 8, max: 20 };
/** Windows of a range that is too long to be shown as a whole. */
export const MAX_WINDOWS = 20;
/** Shares of the windows: a missing source leaves its share to even ones. */
const SHARES = { found: 0.4, plan: 0.2, change: 0.1 };
/** Moments in one window that its frames are moved to. */
const MAX_MOVED = 4;

/** True if all of a range can be shown, so that no survey has to choose parts of it. */
export const isShownWhole = ({ from, to }: TimeSpan) => to - from <= FEW_WINDOWS * WINDOW_S.max;

/**
 * Chooses what the model is shown: all of a short range; of a longer one, windows around what a survey found, around
 * moments that fit the prompt or show a change, and even ones over the whole range. The same arguments give the same
 * windows; `seed` decides between equals.
 */
export function planWindows(
  observations: Observations,
  range: TimeSpan,
  { moments, found = [], seed, isOverview = false }: WindowOptions,
): FrameWindow[] {
  const spans =
    isOverview || isShownWhole(range)
      ? tile(range, isShownWhole(range) ? countTiles(range) : MAX_WINDOWS)
      : chooseSpans(range, moments, found, seed);
  return spans.map((span) => ({ ...span, frames: framesOf(observations, span, moments) }));
}

type WindowOptions = {
  moments: readonly Moment[];
  /** Times at which a survey found something. */
  found?: readonly number[];
  seed: string;
  /** Shows all of a long range with frames that are far apart: nothing is known about where to look. */
  isOverview?: boolean;
};

/** Number of windows for all of a range that is short enough. */
export const countTiles = ({ from, to }: TimeSpan) =>
  Math.min(FEW_WINDOWS, Math.max(1, Math.ceil((to - from) / WINDOW_S.min)));

function tile({ from, to }: TimeSpan, count: number): TimeSpan[] {
  const step = (to - from) / count;
  return Array.from({ length: count }, (_, i) => ({ from: from + i * step, to: from + (i + 1) * step }));
}

function chooseSpans(range: TimeSpan, moments: readonly Moment[], found: readonly number[], seed: string): TimeSpan[] {
  const chosen: TimeSpan[] = [];
  const add = (timeS: number) => {
    const from = Math.max(range.from, Math.min(range.to - WINDOW_S.min, timeS - WINDOW_S.min / 2));
    if (
      timeS < range.from ||
      timeS > range.to ||
      chosen.some((span) => span.from < from + WINDOW_S.min && span.to > from)
    )
      return false;
    chosen.push({ from, to: from + WINDOW_S.min });
    return true;
  };
  const addFrom = (times: readonly number[], share: number) => {
    const order = times.toSorted((a, b) => compare(hashOf(seed, a), hashOf(seed, b)));
    let left = Math.round(share * MAX_WINDOWS);
    for (const timeS of order) if (left > 0 && add(timeS)) left--;
  };
  addFrom(found, SHARES.found);
  for (const source of ['plan', 'change'] as const)
    addFrom(
      moments.filter((moment) => moment.source === source).map(({ timeS }) => timeS),
      SHARES[source],
    );
  const even = MAX_WINDOWS - chosen.length;
  for (let i = 0; i < even; i++) add(range.from + ((i + 0.5) * (range.to - range.from)) / even);
  return chosen.toSorted((a, b) => a.from - b.from);
}

const hashOf = (seed: string, timeS: number) => createHash('sha256').update(`${seed} ${timeS}`).digest('hex');
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Even frames, of which the nearest ones are moved to the moments in the window. */
function framesOf(observations: Observations, { from, to }: TimeSpan, moments: readonly Moment[]): VideoFrame[] {
  const step = (to - from) / FRAMES_PER_WINDOW;
  const times = Array.from({ length: FRAMES_PER_WINDOW }, (_, k) => from + (k + 0.5) * step);
  const inside = moments.filter(({ timeS }) => timeS > from && timeS < to).toSorted((a, b) => rank(a) - rank(b));
  const moved = new Set<number>();
  for (const { timeS } of inside) {
    const at = Math.min(FRAMES_PER_WINDOW - 1, Math.floor((timeS - from) / step));
    if (moved.size < MAX_MOVED && !moved.has(at)) times[at] = timeS;
    moved.add(at);
  }
  return framesAt(observations, times, step);
}
const rank = ({ source }: Moment) => (source === 'plan' ? 0 : 1);

/** Seconds around a frame that count as shown, if the frames of its window are farther apart. */
const SHOWN_S = 2;

/** Parts of a window that its frames show: all of it, unless they are far apart. */
export function shownParts({ from, to }: TimeSpan, frames: readonly VideoFrame[]): TimeSpan[] {
  if (frames.length === 0) return [];
  if ((to - from) / frames.length <= SHOWN_S) return [{ from, to }];
  return frames.map(({ timeS }) => ({
    from: Math.max(from, timeS - SHOWN_S / 2),
    to: Math.min(to, timeS + SHOWN_S / 2),
  }));
}

/** Joins spans that touch, ascending. */
export function joinSpans(spans: readonly TimeSpan[]): TimeSpan[] {
  const joined: TimeSpan[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && span.from <= last.to + 1e-6) last.to = Math.max(last.to, span.to);
    else joined.push({ ...span });
  }
  return joined;
}

/** Frames of the windows outside of all spans, at most `count`, spread evenly. */
export function framesOutside(
  windows: readonly FrameWindow[],
  spans: readonly TimeSpan[],
  count: number,
): VideoFrame[] {
  const free = windows.flatMap(({ frames }) =>
    frames.filter(({ timeS }) => !spans.some(({ from, to }) => timeS >= from && timeS <= to)),
  );
  return pickEvenly(free, count);
}

/** At most `count` items, spread evenly, with the first and the last one. */
export function pickEvenly<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items];
  if (count === 1) return [items[items.length >> 1]!];
  return Array.from({ length: count }, (_, i) => items[Math.round((i * (items.length - 1)) / (count - 1))]!);
}
