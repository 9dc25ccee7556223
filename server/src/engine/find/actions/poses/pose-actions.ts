import type { ObjectTarget } from '../../../plan/index.ts';
import { round } from '../../format.ts';
import { LIMITS } from '../../thresholds.ts';
import { intersect, type Span } from '../../time/intervals.ts';
import type { PosedView, TrackView } from '../../types.ts';
import { findMovement } from '../track/movement.ts';
import { durationOf, formatSeconds } from '../track/track-span.ts';
import type { ActionInterval } from '../types.ts';
import {
  hasRunningArms,
  isBending,
  isCrouching,
  isHandAtEar,
  isHandAtFace,
  isHandRaised,
  isLying,
  isPointing,
  isRaised,
  isSitting,
  isStanding,
} from './posture-rules.ts';
import type { Skeleton } from './skeleton.ts';

/** Actions that only poses show. */
export const POSED = ['sits', 'bends', 'raises_hand', 'waves', 'points', 'hand_at_face', 'phones', 'runs'] as const;
export type PosedAction = (typeof POSED)[number];

/** True if an action is found by poses alone. */
export const isPosed = (action: ObjectTarget['action']): action is PosedAction =>
  (POSED as readonly string[]).includes(action);

/** True if nothing but poses shows an action: without them, motion suggests who runs, and standing still who sits. */
export const needsPoses = (action: ObjectTarget['action']): boolean =>
  isPosed(action) && action !== 'runs' && action !== 'sits';

/** True if poses show an action, alone or beside boxes. */
export const showsPoses = (action: ObjectTarget['action']): boolean =>
  isPosed(action) || action === 'falls' || action === 'lies' || action === 'crouches';

type Rule = (skeleton: Skeleton) => boolean;

const STATES: Record<Exclude<PosedAction, 'waves' | 'runs'>, Rule> = {
  sits: isSitting,
  bends: isBending,
  raises_hand: isHandRaised,
  points: isPointing,
  hand_at_face: isHandAtFace,
  phones: isHandAtEar,
};

/**
 * Found intervals of labeled clips that were right and wrong, as docs/models.md lists them: few, so that precision is
 * estimated by (right + 1) / (right + wrong + 2). Actions without an entry are always candidates.
 */
const LABELED: Partial<Record<PosedAction, { right: number; wrong: number }>> = {
  runs: { right: 12, wrong: 2 },
  raises_hand: { right: 6, wrong: 1 },
};

/** Highest confidence of an action that was seen in so many views: a few may be errors of the model. */
export function supportOf(action: PosedAction, views: number): number {
  const labeled = LABELED[action];
  return labeled ? ((labeled.right + 1) / (labeled.right + labeled.wrong + 2)) * ((views + 1) / (views + 2)) : 1;
}

/** Intervals in which the poses of a person show an action; none where no pose was found. */
export function findPosedAction(action: PosedAction, view: TrackView, what: ObjectTarget): ActionInterval[] {
  if (action === 'waves') return findWaving(view);
  if (action === 'runs') return findRunning(view, what);
  return findState(view, STATES[action], (views) => supportOf(action, views));
}

/** Intervals in which people lie by their poses. */
export const findLyingPoses = (view: TrackView): ActionInterval[] => findState(view, isLying);
/** Intervals in which people crouch, or sit on the floor. */
export const findCrouchingPoses = (view: TrackView): ActionInterval[] => findState(view, isCrouching);

/** Changes from standing to lying within the time of a fall. */
export function findFallenPoses(view: TrackView): ActionInterval[] {
  const seen = seenOf(view);
  return seen.flatMap(({ entry, skeleton }, at): ActionInterval[] => {
    const before = seen[at - 1];
    if (!before || !isStanding(before.skeleton) || isStanding(skeleton)) return [];
    const startS = view.timeS[before.entry]!;
    const lying = seen
      .slice(at)
      .find((each) => isLying(each.skeleton) && view.timeS[each.entry]! - startS <= LIMITS.fallTime.limit);
    if (!lying) return [];
    const span = { from: before.entry, to: lying.entry };
    const degrees = round(lying.skeleton.tilt - before.skeleton.tilt, 0);
    const reason = `the torso turned by ${degrees}° in ${formatSeconds(durationOf(view, span))}`;
    return entry <= lying.entry ? [{ ...span, margin: 0, reason }] : [];
  });
}

/** Views in which the torso was found. */
const seenOf = (view: TrackView): { entry: number; skeleton: Skeleton }[] =>
  (view.poses() ?? []).flatMap(({ entry, skeleton }: PosedView) => (skeleton ? [{ entry, skeleton }] : []));

/**
 * Runs of views in which a rule holds: at least two, for some time. One view between them in which it does not hold is
 * an error of the model.
 */
function findState(view: TrackView, holds: Rule, support: (views: number) => number = () => 1): ActionInterval[] {
  const seen = seenOf(view);
  const flags = seen.map(({ skeleton }) => holds(skeleton));
  const isHeld = flags.map((flag, at) => flag || Boolean(flags[at - 1] && flags[at + 1]));
  return spansOf(seen, isHeld).flatMap(({ span, count }): ActionInterval[] => {
    const durationS = durationOf(view, span);
    if (count < LIMITS.poseViews.limit || durationS < LIMITS.poseMin.limit) return [];
    const reason = `seen in ${count} poses in ${formatSeconds(durationS)}`;
    return [{ ...span, margin: null, support: support(count), reason }];
  });
}

/** Consecutive views with a flag, as entries of the track, and their number. */
function spansOf(seen: readonly { entry: number }[], flags: readonly boolean[]): { span: Span; count: number }[] {
  const spans: { span: Span; count: number }[] = [];
  for (const [at, { entry }] of seen.entries()) {
    if (!flags[at]) continue;
    const last = spans.at(-1);
    if (last && flags[at - 1]) {
      last.span.to = entry;
      last.count++;
    } else spans.push({ span: { from: entry, to: entry }, count: 1 });
  }
  return spans;
}

/** A raised hand that goes to and fro, or up and down, at least twice within some seconds. */
function findWaving(view: TrackView): ActionInterval[] {
  const seen = seenOf(view);
  const found: ActionInterval[] = [];
  for (let from = 0; from < seen.length; from++) {
    const startS = view.timeS[seen[from]!.entry]!;
    const part = seen.slice(from).filter(({ entry }) => view.timeS[entry]! - startS <= LIMITS.waveTime.limit);
    if (part.length < MIN_WAVE_VIEWS || !part.some(({ skeleton }) => skeleton.arms.some(isRaised))) continue;
    const turns = countTurns(part.map(({ skeleton }) => highestHand(skeleton)));
    if (turns < LIMITS.waveTurns.limit) continue;
    const span = { from: part[0]!.entry, to: part.at(-1)!.entry };
    const last = found.at(-1);
    if (last && span.from <= last.to) last.to = span.to;
    else found.push({ ...span, margin: null, reason: `a raised hand changed its direction ${turns} times` });
  }
  return found;
}

/** Fewer views cannot show a hand that goes to and fro twice. */
const MIN_WAVE_VIEWS = 5;

/** Place of the highest hand from the shoulder, in lengths of the torso; null if no hand is seen. */
function highestHand({ arms, torso, neck }: Skeleton): { x: number; y: number } | null {
  const [highest] = arms.toSorted((a, b) => a.wrist.y - b.wrist.y);
  return highest ? { x: (highest.wrist.x - neck.x) / torso, y: (highest.wrist.y - neck.y) / torso } : null;
}

/** Counts the changes of a hand's direction along either axis, each after a way that is more than jitter. */
function countTurns(places: readonly ({ x: number; y: number } | null)[]): number {
  const known = places.filter((place) => place !== null);
  const along = (axis: 'x' | 'y') => {
    let [turns, way, extreme] = [0, 0, known[0]?.[axis] ?? 0];
    for (const place of known) {
      const value = place[axis];
      const moved = value - extreme;
      if (way !== 0 && Math.sign(moved) === way) extreme = value;
      else if (Math.abs(moved) >= LIMITS.waveWidth.limit) {
        if (way !== 0) turns++;
        [way, extreme] = [Math.sign(moved), value];
      }
    }
    return turns;
  };
  return Math.max(along('x'), along('y'));
}

/** A person who moves with arms that are bent as those of runners. */
function findRunning(view: TrackView, { direction }: ObjectTarget): ActionInterval[] {
  const seen = seenOf(view).filter(({ skeleton }) => skeleton.arms.length > 0);
  const bent = seen.filter(({ skeleton }) => hasRunningArms(skeleton));
  if (bent.length < LIMITS.poseViews.limit || bent.length < LIMITS.runningShare.limit * seen.length) return [];
  const whole = { from: bent[0]!.entry, to: bent.at(-1)!.entry };
  return findMovement(view, direction).flatMap((movement) =>
    intersect([movement], [whole]).map((span) => ({
      ...movement,
      ...span,
      margin: null,
      support: supportOf('runs', bent.filter(({ entry }) => entry >= span.from && entry <= span.to).length),
      reason: `${movement.reason}, with bent arms in ${bent.length} of ${seen.length} poses`,
    })),
  );
}
