import { isRare } from '../../observe/objects/index.ts';
import { edgesAt } from '../actions/track/frame-edges.ts';
import { median } from '../time/intervals.ts';
import type { TrackView } from '../types.ts';
import { AIRBORNE, COLORS, PEOPLE_AND_ROAD_USERS, SURFACES, VEHICLES } from './class-facts.ts';
import type { Doubt } from './types.ts';

const RARE = 0.35;
const OTHER_FREQUENT = 0.8;
/** A track is cut if a frame edge cuts this share of its boxes. */
const CUT_SHARE = 0.9;
const CUT = 0.5;
/** Least share of the class in the scores in its place that counts: below it, something else is more likely anyway. */
const MIN_AGREEMENT = 0.3;
/** Share of the class from which disagreement is worth a word to the user. */
const CLEAR_AGREEMENT = 0.7;
/** Most detections in which an airborne object moved, and fewest in which it did not. */
const STILL_MOVED = 3;
const STILL_REPEATED = 8;
const STILL = 0.5;
/** Width of a person in heights: more is lying, or an arm of a machine. */
const UPRIGHT = 1.2;
const WIDE = 0.5;
const OTHER_COLOR = 0.5;
const GRAYS: ReadonlySet<string> = new Set(['black', 'white', 'gray']);

/** Reasons to doubt a track that are found in the track itself. `aspect` is the width of the frame in heights. */
export function ownDoubts(view: TrackView, aspect: number): Doubt[] {
  const { track, movedCount, detectionCount } = view;
  const { className } = track;
  const doubts: Doubt[] = [];
  const isCommon = PEOPLE_AND_ROAD_USERS.has(className);
  if (!isCommon) doubts.push({ weight: isRare(className) ? RARE : OTHER_FREQUENT });
  // Detectors are trained on street views: seen from above, a vehicle is known by its motion.
  const agreement = VEHICLES.has(className) ? 1 : Math.max(MIN_AGREEMENT, track.agreement);
  if (agreement < 1)
    doubts.push({
      weight: agreement,
      ...(agreement < CLEAR_AGREEMENT ? { reason: 'the detector took it for other classes, too' } : {}),
    });
  if (!isCommon && !SURFACES.has(className) && isCut(view))
    doubts.push({ weight: CUT, reason: 'a frame edge always cuts it' });
  if (AIRBORNE.has(className) && movedCount <= STILL_MOVED && detectionCount - movedCount >= STILL_REPEATED)
    doubts.push({ weight: STILL, reason: 'it never moved' });
  if (className === 'person' && medianAspect(view) * aspect > UPRIGHT)
    doubts.push({ weight: WIDE, reason: 'it is wider than it is tall' });
  if (hasOtherColor(view)) doubts.push({ weight: OTHER_COLOR, reason: `a ${className} has another color` });
  return doubts;
}

function isCut({ track }: TrackView): boolean {
  const seen = [...track.score.keys()].filter((k) => track.score[k]! > 0);
  return seen.filter((k) => edgesAt(track, k).length > 0).length >= CUT_SHARE * seen.length;
}

const medianAspect = ({ track }: TrackView) =>
  median(Float64Array.from(track.width, (width, k) => width / Math.max(1e-6, track.height[k]!)));

/** True if objects of its class never have its most common chromatic color. Gray footage does not tell. */
function hasOtherColor({ track: { className, colors } }: TrackView): boolean {
  const known = COLORS.get(className);
  const main = colors.find(({ name }) => !GRAYS.has(name));
  return known !== undefined && main !== undefined && !known.has(main.name);
}
