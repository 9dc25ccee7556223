import type { Scene } from '../find/index.ts';
import { type DetectorName, detectorOf, isSmallTrack } from '../observe/objects/index.ts';
import type { Track } from '../observe/observations.ts';
import type { Plan } from '../plan/index.ts';
import { requestedClasses } from './promising-ranges.ts';
import { SHORT_S } from './select-pass.ts';

/** Frames must be larger than the detector's usual copy by this much: else a larger copy shows no more. */
const MIN_ENLARGEMENT = 1.15;

/**
 * The detector that also sees a larger copy of each frame, if observations by the usual one show that the requested
 * objects are small in this video: half of the tracks of their classes, or if there are none, of all tracks. Null if
 * the usual copy is sufficient, or no detector sees more.
 */
export function selectDetector({ searches }: Pick<Plan, 'searches'>, { observations }: Scene): DetectorName | null {
  const { objects, sparsePass, video } = observations;
  // Of a long video, only the ranges of a closer look can be observed that often.
  if (!objects || (sparsePass === null && video.durationS > SHORT_S)) return null;
  const { finer, side } = detectorOf(objects.model);
  if (!finer || Math.max(video.width, video.height) < MIN_ENLARGEMENT * side) return null;
  const requests = searches.flatMap(({ steps }) => steps.map(({ what }) => requestedClasses(what)));
  return requests.some((classes) => areSmall(objects.tracks, classes)) ? finer : null;
}

function areSmall(tracks: readonly Track[], classes: readonly string[]): boolean {
  if (classes.length === 0) return false;
  const own = tracks.filter(({ className }) => classes.includes(className));
  const shown = own.length > 0 ? own : tracks;
  return shown.length > 0 && 2 * shown.filter(isSmallTrack).length >= shown.length;
}
