import { round } from '../../format.ts';
import { LIMITS } from '../../thresholds.ts';
import { mergeGaps, runs } from '../../time/intervals.ts';
import type { TrackView } from '../../types.ts';
import type { ActionInterval, VideoContext } from '../types.ts';
import { isAtEdge } from './frame-edges.ts';
import { durationOf, entryAtTime, formatSeconds, lastEntry, sceneDistance } from './track-span.ts';

/** Postures of people, by the shape of their boxes. Entries where a frame edge cuts the box show no shape. */

/** The box of a person becomes much lower, from above: the head goes down to the ground. */
export const findFalls = (view: TrackView): ActionInterval[] =>
  findHeightChanges(view, { by: LIMITS.fallDrop.limit, within: LIMITS.fallTime.limit, sign: -1 });

/** The box becomes lower in place, as of somebody who sits down or crouches. */
export const findLowering = (view: TrackView): ActionInterval[] =>
  findHeightChanges(view, { by: LIMITS.sitDrop.limit, within: LIMITS.sitTime.limit, sign: -1 });

/** The box becomes higher in place. */
export const findRising = (view: TrackView): ActionInterval[] =>
  findHeightChanges(view, { by: LIMITS.sitDrop.limit, within: LIMITS.sitTime.limit, sign: 1 });

/** Intervals in which the box is wider than it is high. */
export function findLying(view: TrackView, { aspect }: VideoContext): ActionInterval[] {
  const { track } = view;
  const isWide = (k: number) =>
    track.width[k]! * aspect >= LIMITS.lyingShape.limit * track.height[k]! && !isAtEdge(track, k);
  return mergeGaps(runs(track.frame.length, isWide), view.timeS, LIMITS.relationGap.limit)
    .filter((span) => durationOf(view, span) >= LIMITS.standMin.limit)
    .map((span) => ({
      ...span,
      margin: 0,
      reason: `its box was wider than high for ${formatSeconds(durationOf(view, span))}`,
    }));
}

/** True if a person is seen from the side: from above, standing and lying people have the same shape. */
export function isUpright({ track }: TrackView, aspect: number): boolean {
  let upright = 0;
  for (let k = 0; k < track.frame.length; k++)
    if (track.height[k]! >= LIMITS.uprightShape.limit * track.width[k]! * aspect) upright++;
  return upright * 4 >= track.frame.length;
}

type HeightChange = { by: number; within: number; sign: 1 | -1 };

/**
 * Changes of the height of a box by a share of the larger height, within a time. The width and the lower edge stay: a
 * person who goes away shrinks in both, and of one who is hidden from below the lower edge rises.
 */
function findHeightChanges(view: TrackView, { by, within, sign }: HeightChange): ActionInterval[] {
  const { track, timeS } = view;
  const found: ActionInterval[] = [];
  for (let from = 0; from < lastEntry(view); from++) {
    if (isAtEdge(track, from)) continue;
    const latest = entryAtTime(view, timeS[from]! + within);
    let to = from + 1;
    while (to <= latest && !isChange(view, sign < 0 ? [from, to] : [to, from], by)) to++;
    if (to > latest || !lasts(view, to, sign < 0 ? track.height[from]! * (1 - by) : track.height[from]!, sign))
      continue;
    let start = from;
    while (start + 1 < to && Math.abs(track.height[start + 1]! / track.height[from]! - 1) <= STEADY) start++;
    const [high, low] = sign < 0 ? [start, to] : [to, start];
    const share = round((1 - track.height[low]! / track.height[high]!) * 100, 0);
    const seconds = formatSeconds(timeS[to]! - timeS[start]!);
    const reason = `its box became ${share} % ${sign < 0 ? 'lower' : 'higher'} in ${seconds}`;
    found.push({ from: start, to, margin: 0, reason });
    // One change is found once.
    from = to;
  }
  return found;
}

/** Jitter of the height of a person who stands. */
const STEADY = 0.05;

/** True if the box is so much lower at one entry than at another, from above and not by distance. */
function isChange(view: TrackView, [high, low]: [number, number], by: number): boolean {
  const { track } = view;
  const [tall, short] = [track.height[high]!, track.height[low]!];
  if (isAtEdge(track, low) || isAtEdge(track, high) || short > tall * (1 - by)) return false;
  if (track.width[low]! < track.width[high]! * LIMITS.keptWidth.limit) return false;
  const [from, to] = high < low ? [high, low] : [low, high];
  const down = sceneDistance(view, view.motion().vy, { from, to }) * (high < low ? 1 : -1);
  const lowerEdge = down + (short - tall) / 2;
  return Math.abs(lowerEdge) <= LIMITS.keptFoot.limit * tall;
}

/** True if the box keeps its new height, unless the track ends: a single box may be wrong. */
function lasts(view: TrackView, at: number, limit: number, sign: 1 | -1): boolean {
  const { height } = view.track;
  const until = entryAtTime(view, view.timeS[at]! + LIMITS.moveMin.limit);
  for (let k = at; k <= until; k++) if ((height[k]! - limit) * sign < 0 && !isAtEdge(view.track, k)) return false;
  return true;
}
