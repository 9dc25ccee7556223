import { round } from '../../format.ts';
import { LIMITS } from '../../thresholds.ts';
import { mergeGaps, runs } from '../../time/intervals.ts';
import type { TrackView } from '../../types.ts';
import type { ActionInterval, VideoContext } from '../types.ts';
import { durationOf, entryAtTime, formatSeconds, lastEntry, sceneDistance } from './track-span.ts';

/** Vehicles ahead of the one that carries the camera. */

/** A vehicle comes from the side into the middle ahead and stays there, while the camera drives. */
export function findCutsIn(view: TrackView, video: VideoContext): ActionInterval[] {
  const { track, timeS } = view;
  const offset = (k: number) => Math.abs(track.x[k]! - 0.5);
  for (let from = 0; from < lastEntry(view); from++) {
    if (offset(from) < LIMITS.besideOffset.limit || !video.isDriving(timeS[from]!)) continue;
    const latest = entryAtTime(view, timeS[from]! + LIMITS.cutInTime.limit);
    let to = from + 1;
    while (to <= latest && !(offset(to) <= LIMITS.laneOffset.limit && track.width[to]! >= LIMITS.cutInWidth.limit))
      to++;
    const until = to > latest ? from : entryAtTime(view, timeS[to]! + LIMITS.stateMin.limit);
    const stays = until > to && offset(until) <= LIMITS.aheadOffset.limit;
    if (!stays || Math.abs(sceneDistance(view, view.motion().vx, { from, to })) < LIMITS.laneOffset.limit) continue;
    const reason = `came from the side into the middle ahead in ${formatSeconds(timeS[to]! - timeS[from]!)}`;
    return [{ from, to: until, margin: 0, reason }];
  }
  return [];
}

/** A vehicle is close ahead while the one with the camera stands. */
export function findBlocking(view: TrackView, video: VideoContext): ActionInterval[] {
  const { track } = view;
  const isAhead = (k: number) =>
    Math.abs(track.x[k]! - 0.5) <= LIMITS.aheadOffset.limit && track.width[k]! >= LIMITS.aheadWidth.limit;
  const ahead = runs(track.frame.length, (k) => isAhead(k) && video.isStandingStill(view.timeS[k]!));
  return mergeGaps(ahead, view.timeS, LIMITS.relationGap.limit)
    .filter((span) => durationOf(view, span) >= LIMITS.aheadMin.limit)
    .map((span) => {
      const share = round(Math.max(...track.width.subarray(span.from, span.to + 1)) * 100, 0);
      const reason = `filled up to ${share} % of the frame width ahead while the recording vehicle stood for ${formatSeconds(durationOf(view, span))}`;
      return { ...span, margin: 0, reason };
    });
}
