import type { Region } from '../../../plan/index.ts';
import { isInside } from '../../region-geometry.ts';
import { LIMITS } from '../../thresholds.ts';
import { hysteresis, mergeGaps, runs, type Span } from '../../time/intervals.ts';
import type { TrackView } from '../../types.ts';
import { depthIn, footPoint, halfWidth } from '../../zone-geometry.ts';

/** Entries of a track in which an object is in a region. Short gaps are bridged: points jitter at the border. */
export function findStays({ track, timeS }: Pick<TrackView, 'track' | 'timeS'>, region: Region): Span[] {
  const inside =
    'points' in region && region.zone
      ? findZoneStays(track, region)
      : runs(track.frame.length, (k) => isInside(region, track.x[k]!, track.y[k]!));
  return mergeGaps(inside, timeS, LIMITS.relationGap.limit);
}

/** From clearly inside until clearly outside, by the foot point: who stands on the border does not enter repeatedly. */
function findZoneStays(track: TrackView['track'], zone: Extract<Region, { points: unknown }>): Span[] {
  const depth = Float64Array.from(track.frame, (_, k) => depthIn(zone, footPoint(track, k)));
  const clear = Math.min(LIMITS.lineClear.limit, halfWidth(zone));
  return hysteresis(depth, { enter: clear, leave: -clear }).map(({ from, to }) => {
    let [first, last] = [from, to];
    while (depth[first]! < 0) first++;
    while (depth[last]! < 0) last--;
    return { from: first, to: last };
  });
}
