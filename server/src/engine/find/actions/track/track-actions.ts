import type { ObjectTarget } from '../../../plan/index.ts';
import { LIMITS } from '../../thresholds.ts';
import { complement } from '../../time/intervals.ts';
import type { TrackView } from '../../types.ts';
import {
  findCrouchingPoses,
  findFallenPoses,
  findLyingPoses,
  findPosedAction,
  isPosed,
} from '../poses/pose-actions.ts';
import type { ActionInterval, VideoContext } from '../types.ts';
import { findLineCrossings, findRegionCrossings, findRegionEntries, findRegionExits } from './boundaries.ts';
import { findBlocking, findCutsIn } from './from-vehicle.ts';
import { findCloseAhead, findFrameCrossing, findMovement, findOvertaking } from './movement.ts';
import { findFalls, findLowering, findLying, findRising } from './posture.ts';
import {
  findAppearance,
  findDisappearance,
  findEntries,
  findExits,
  isPresentAtEnd,
  isPresentAtStart,
} from './presence.ts';
import { findLoitering, findResting, findStanding, findStarts, findStops } from './stationary.ts';
import { durationOf, wholeTrack } from './track-span.ts';

type ActionFinder = (view: TrackView, what: ObjectTarget, video: VideoContext) => ActionInterval[];

const presence = (view: TrackView) => wholeTrack(view, `detected in ${view.detectionCount} frames`);

/** By poses; where none were observed, who runs moves, and who sits stays in place. */
function posed(view: TrackView, what: ObjectTarget): ActionInterval[] {
  const { action, direction } = what;
  if (view.poses() === null && action === 'runs') return findMovement(view, direction);
  if (view.poses() === null && action === 'sits') return findStanding(view);
  return isPosed(action) ? findPosedAction(action, view, what) : [];
}

/** Joins the intervals that boxes show with those that poses show at other times. */
const joined = (boxes: readonly ActionInterval[], poses: readonly ActionInterval[]): ActionInterval[] => [
  ...boxes,
  ...poses.filter(({ from, to }) => !boxes.some((box) => box.from <= to && box.to >= from)),
];

/** Finders by action. Relations to other objects and counts are evaluated later. */
const FINDERS: Record<ObjectTarget['action'], ActionFinder> = {
  present: (view) => [presence(view)],
  appears: (view, _what, video) => (isPresentAtStart(view, video) ? [] : [findAppearance(view)]),
  disappears: (view, _what, video) => (isPresentAtEnd(view, video) ? [] : [findDisappearance(view)]),
  enters: (view, what, video) => (what.region ? findRegionEntries(view, what, video) : findEntries(view, what, video)),
  leaves: (view, what, video) => (what.region ? findRegionExits(view, what, video) : findExits(view, what, video)),
  crosses: (view, what, video) =>
    what.line
      ? findLineCrossings(view, what.line, what.direction)
      : what.region
        ? findRegionCrossings(view, what, video)
        : findFrameCrossing(view, what.direction),
  moves: (view, what) => findMovement(view, what.direction),
  stops: (view, _what, video) => findStops(view, video),
  starts: (view, _what, video) => findStarts(view, video),
  stands: (view) => findStanding(view),
  loiters: (view) => findLoitering(view),
  approaches: (view, what) => (what.relation ? [presence(view)] : findMovement(view, 'towards')),
  passes: (view) => [presence(view)],
  overtakes: findOvertaking,
  follows: (view) => [presence(view)],
  close_ahead: (view, _what, video) => findCloseAhead(view, video),
  left_behind: (view) => findResting(view),
  taken_away: (view, _what, video) =>
    isPresentAtEnd(view, video) || findResting(view).length === 0 ? [] : [findDisappearance(view)],
  falls: (view) => joined(findFalls(view), findFallenPoses(view)),
  lies: (view, _what, video) => joined(findLying(view, video), findLyingPoses(view)),
  sits_down: findLowering,
  crouches: (view) => joined(findLowering(view), findCrouchingPoses(view)),
  stands_up: findRising,
  sits: posed,
  bends: posed,
  raises_hand: posed,
  waves: posed,
  points: posed,
  hand_at_face: posed,
  phones: posed,
  runs: posed,
  collides: (view) => [presence(view)],
  goes_against: (view) => [presence(view)],
  cuts_in: (view, _what, video) => findCutsIn(view, video),
  blocks_way: (view, _what, video) => findBlocking(view, video),
};

/** Actions without a duration. Several of a group happen together if they are close in time. */
const INSTANT_ACTIONS: ReadonlySet<ObjectTarget['action']> = new Set([
  'appears',
  'disappears',
  'enters',
  'leaves',
  'passes',
  'taken_away',
  'collides',
  'cuts_in',
]);

/** True for an action without a duration. A line is crossed in an instant, the frame is not. */
export const isInstant = ({ action, line }: ObjectTarget) =>
  INSTANT_ACTIONS.has(action) || (action === 'crosses' && line !== undefined);

/** Actions that happen or do not. Their negation is about the whole video, not about the time in between. */
export const EVENT_ACTIONS: ReadonlySet<ObjectTarget['action']> = new Set([
  ...INSTANT_ACTIONS,
  'crosses',
  'stops',
  'starts',
  'falls',
  'sits_down',
  'crouches',
  'stands_up',
]);

/** Intervals in which a track performs the requested action, or does not if the action is negated (`idle`). */
export function findActions(what: ObjectTarget, view: TrackView, video: VideoContext): ActionInterval[] {
  const actions = FINDERS[what.action](view, what, video);
  if (!what.idle) return actions;
  const reason = `did not do this in ${view.detectionCount} detections`;
  if (EVENT_ACTIONS.has(what.action)) return actions.length > 0 ? [] : [wholeTrack(view, reason)];
  return complement(actions, view.track.frame.length)
    .filter((span) => durationOf(view, span) >= LIMITS.standMin.limit)
    .map((span) => ({ ...span, margin: null, reason }));
}
