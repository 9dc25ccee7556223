import type { Step } from '../plan/index.ts';
import { EVENT_ACTIONS, findRiders } from './actions/index.ts';
import { MAX_CONFIDENCE } from './confidence.ts';
import { isLongEnough } from './modifiers.ts';
import { LIMITS } from './thresholds.ts';
import { clipMatch } from './time/clip-match.ts';
import type { IntervalMatch, Scene } from './types.ts';

/** Matches of one step of a sequence. */
export type StepMatchesInOrder = {
  step: Step;
  matches: readonly IntervalMatch[];
  /** For an absence: the same, if these objects do not count ("nobody else"). */
  matchesWithout?: (ids: ReadonlySet<number>) => readonly IntervalMatch[];
};

/** Selects matches of the first `count` steps, before others are joined to them. */
export type LeadingPick = { count: number; pick: (matches: readonly IntervalMatch[]) => IntervalMatch[] };

/** Combines the matches of the steps of a sequence ("then", "while"), from the first step on. */
export function combineSequence(
  [first, ...others]: readonly StepMatchesInOrder[],
  scene: Scene,
  leading: LeadingPick | null = null,
): IntervalMatch[] {
  let [before, combined] = [first!, [...first!.matches]];
  const riders = ridersIn(scene);
  for (const [i, next] of others.entries()) {
    if (leading?.count === i + 1) combined = leading.pick(combined);
    combined =
      next.step.join === 'while'
        ? intersectMatches({ ...before, matches: combined }, next, riders)
        : next.step.every
          ? joinEvery({ ...before, matches: combined }, next, scene, riders)
          : joinInOrder(combined, next, scene, riders);
    before = { step: next.step, matches: combined };
  }
  return combined;
}

const lastStep = (match: IntervalMatch) => match.stepMatches.at(-1) ?? match;

const subjectsOf = (match: IntervalMatch): ReadonlySet<number> =>
  new Set(match.tracks.filter(({ role }) => role === 'subject').map(({ track }) => track.id));

function hasSameSubject(a: IntervalMatch, b: IntervalMatch): boolean {
  const ids = subjectsOf(lastStep(a));
  return [...subjectsOf(b)].some((id) => ids.has(id));
}

/** The riders of the bikes of a match that looks for cyclists, by the ids of their tracks. */
type RidersOf = (match: IntervalMatch) => ReadonlySet<number>;

function ridersIn(scene: Scene): RidersOf {
  const views = [scene, ...scene.denseRanges].flatMap((each) => each.trackViews());
  const ridersOfBike = new Map<number, readonly number[]>();
  return ({ what, tracks }) => {
    if (what.kind !== 'object' || !what.subject.ridden) return NOBODY;
    const bikes = tracks.filter(({ role }) => role === 'subject').map(({ track }) => track.id);
    for (const id of bikes)
      if (!ridersOfBike.has(id)) {
        const bike = views.find(({ track }) => track.id === id);
        ridersOfBike.set(id, bike ? findRiders(bike, views).map(({ track }) => track.id) : []);
      }
    return new Set(bikes.flatMap((id) => ridersOfBike.get(id)!));
  };
}
const NOBODY: ReadonlySet<number> = new Set();

/** True if one match is a cyclist and the other one the rider: they are one person. */
function isOneRider(first: IntervalMatch, next: IntervalMatch, ridersOf: RidersOf): boolean {
  const a = lastStep(first);
  const isAmong = (own: ReadonlySet<number>, riders: ReadonlySet<number>) =>
    riders.size > 0 && own.size > 0 && [...own].every((id) => riders.has(id));
  return isAmong(subjectsOf(next), ridersOf(a)) || isAmong(subjectsOf(a), ridersOf(next));
}

/** True if two matches are of the same objects: "a person while someone else is there" is not one of them alone. */
function hasSameSubjects(a: IntervalMatch, b: IntervalMatch): boolean {
  const [own, others] = [subjectsOf(lastStep(a)), subjectsOf(b)];
  return own.size > 0 && own.size === others.size && [...own].every((id) => others.has(id));
}

/** Joins the matches of a step to those of the steps before it. */
function joinInOrder(
  before: readonly IntervalMatch[],
  next: StepMatchesInOrder,
  scene: Scene,
  ridersOf: RidersOf,
): IntervalMatch[] {
  const held = isState(next.step) ? joinStates(before, next, scene, ridersOf) : [];
  const [joined, states] = [new Set(held.map(({ first }) => first)), new Set(held.map(({ state }) => state))];
  const rest = before.filter((match) => !joined.has(match));
  const later = next.matches.filter((match) => !states.has(match));
  return [
    ...held.map(({ match }) => match),
    ...(isOver(next.step) ? [] : joinLater(rest, { ...next, matches: later }, ridersOf)),
  ];
}

/**
 * True for a step that has to last, or not to happen, from the end of the step before: "then nobody enters for 5 s". It
 * may have started earlier.
 */
const isState = ({ negated, duration }: Step) => negated || duration !== null;

/** True for an action that is not to follow: once it did, that it does not follow again is another matter. */
const isOver = ({ negated, what }: Step) => negated && what.kind === 'object' && EVENT_ACTIONS.has(what.action);

/** Joins states that hold when the step before ends to it: what counts of them is the time from then on. */
function joinStates(
  before: readonly IntervalMatch[],
  { step, matches }: StepMatchesInOrder,
  scene: Scene,
  ridersOf: RidersOf,
): { match: IntervalMatch; first: IntervalMatch; state: IntervalMatch }[] {
  return before.flatMap((first) => {
    const previous = lastStep(first);
    // An object that comes in stays from then on: coming in is a part of its stay.
    const since = step.same ? previous.start : previous.end;
    const state = matches.find(
      (match) =>
        match.start.timeS <= previous.end.timeS + LIMITS.absenceMin.limit &&
        match.end.timeS > since.timeS &&
        (step.same ? hasSameSubject(first, match) : !isOneRider(first, match, ridersOf)),
    );
    if (!state) return [];
    const part = clipMatch(state, since, state.end, scene);
    if (!part || !isLongEnough(part, step)) return [];
    return [{ match: joinPair(first, part, first.start, latest(first.end, part.end)), first, state }];
  });
}

/** Joins each later match to the latest earlier one that starts before it and does not end too long before it. */
function joinLater(
  before: readonly IntervalMatch[],
  { step, matches }: StepMatchesInOrder,
  ridersOf: RidersOf,
): IntervalMatch[] {
  const apart = step.apart ?? 0;
  const within = step.within ?? (step.apart === undefined ? LIMITS.sequenceGap.limit : Number.POSITIVE_INFINITY);
  const byStart = before.toSorted((a, b) => lastStep(a).start.timeS - lastStep(b).start.timeS);
  const used = new Set<IntervalMatch>();
  return matches
    .toSorted((a, b) => a.start.timeS - b.start.timeS)
    .flatMap((match) => {
      for (let i = byStart.length - 1; i >= 0; i--) {
        const first = byStart[i]!;
        const previous = lastStep(first);
        if (previous.start.timeS >= match.start.timeS - 1e-9 || used.has(first)) continue;
        const gap = match.start.timeS - previous.end.timeS;
        if (gap > within || (apart > 0 && gap < apart) || !isLongEnough(match, step)) continue;
        if (step.same ? !hasSameSubject(first, match) : isOneRider(first, match, ridersOf)) continue;
        used.add(first);
        return [joinPair(first, match, first.start, latest(first.end, match.end))];
      }
      return [];
    });
}

/**
 * Every match of one step that comes after, or before, any match of the other, by itself: the part of a state from then
 * on, or until then. It is the match; the other one is its evidence.
 */
function joinEvery(
  before: StepMatchesInOrder,
  next: StepMatchesInOrder,
  scene: Scene,
  ridersOf: RidersOf,
): IntervalMatch[] {
  const isAfter = next.step.every === 'this';
  const [own, others] = isAfter ? [next, before] : [before, next];
  const byTime = others.matches.toSorted((a, b) =>
    isAfter ? endOf(a) - endOf(b) : lastStep(b).start.timeS - lastStep(a).start.timeS,
  );
  return own.matches.flatMap((match) => {
    for (const other of byTime) {
      if (!next.step.same && isOneRider(other, match, ridersOf)) continue;
      const part = isAfter
        ? partAfter(match, other, next.step, scene)
        : partBefore(match, other, own.step, next.step, scene);
      if (part) return [withEvidence(part, other, isAfter)];
    }
    return [];
  });
}

const endOf = (match: IntervalMatch) => lastStep(match).end.timeS;

/** The part of a match after another one, within the limits of its step. */
function partAfter(match: IntervalMatch, other: IntervalMatch, step: Step, scene: Scene): IntervalMatch | null {
  const { start, end } = lastStep(other);
  if (step.same && !hasSameSubject(other, match)) return null;
  const part = isOngoing(step) ? clipMatch(match, end, latest(match.end, end), scene) : match;
  const isLater = isOngoing(step) ? match.end.timeS > end.timeS : match.start.timeS > start.timeS + 1e-9;
  return part && isLater && isApart(part.start.timeS - end.timeS, step) && isLongEnough(part, step) ? part : null;
}

/** The part of a match before another one, within the limits of the step of that one. */
function partBefore(
  match: IntervalMatch,
  other: IntervalMatch,
  step: Step,
  limits: Step,
  scene: Scene,
): IntervalMatch | null {
  const { start } = lastStep(other);
  if (match.start.timeS >= start.timeS - 1e-9 || (limits.same && !hasSameSubject(match, other))) return null;
  const part = isOngoing(step) ? clipMatch(match, match.start, start, scene) : match;
  return part && isApart(start.timeS - part.end.timeS, limits) && isLongEnough(part, step) ? part : null;
}

const isApart = (gap: number, { within, apart = 0 }: Step) =>
  (within === null || gap <= within) && (apart === 0 || gap >= apart);

/** Something that lasts, of which a part may be before or after another event. */
const isOngoing = ({ what, negated }: Step) =>
  negated || (what.kind === 'object' ? !EVENT_ACTIONS.has(what.action) : what.kind !== 'camera');

function withEvidence(match: IntervalMatch, other: IntervalMatch, isAfter: boolean): IntervalMatch {
  const steps = (each: IntervalMatch) => (each.stepMatches.length > 0 ? each.stepMatches : [each]);
  const [first, second] = isAfter ? [other, match] : [match, other];
  return {
    ...match,
    confidence: Math.min(MAX_CONFIDENCE, match.confidence * other.confidence),
    // Objects of the other step are not counted.
    tracks: [...match.tracks, ...other.tracks.map((use) => ({ ...use, role: 'other' as const }))],
    signals: [...first.signals, ...second.signals],
    reasons: [...first.reasons.slice(0, 2), ...second.reasons.slice(0, 2)],
    caveats: [...new Set([...(first.caveats ?? []), ...(second.caveats ?? [])])],
    stepMatches: [...steps(first), ...steps(second)],
  };
}

const latest = (a: IntervalMatch['end'], b: IntervalMatch['end']) => (b.timeS > a.timeS ? b : a);

/** Intervals in which two steps hold at once: of the same object if the prompt requests it, else of different ones. */
function intersectMatches(first: StepMatchesInOrder, next: StepMatchesInOrder, ridersOf: RidersOf): IntervalMatch[] {
  const { same } = next.step;
  const ownOf = (match: IntervalMatch) => new Set([...subjectsOf(lastStep(match)), ...ridersOf(lastStep(match))]);
  const pairs = first.matchesWithout
    ? next.matches.flatMap((b) => first.matchesWithout!(ownOf(b)).map((a) => ({ a, b })))
    : first.matches.flatMap((a) => (next.matchesWithout?.(ownOf(a)) ?? next.matches).map((b) => ({ a, b })));
  const isUnfit = (a: IntervalMatch, b: IntervalMatch) =>
    same ? !hasSameSubject(a, b) : hasSameSubjects(a, b) || isOneRider(a, b, ridersOf);
  return pairs.flatMap(({ a, b }) => {
    const start = a.start.timeS >= b.start.timeS ? a.start : b.start;
    const end = a.end.timeS <= b.end.timeS ? a.end : b.end;
    if (end.timeS < start.timeS || isUnfit(a, b)) return [];
    if (a.negated && b.negated && ![first, next].every(({ step }) => isLongEnough({ start, end }, step))) return [];
    const best = [a.best, b.best].find((m) => m.timeS >= start.timeS && m.timeS <= end.timeS) ?? start;
    return [{ ...joinPair(a, b, start, end), best }];
  });
}

function joinPair(
  a: IntervalMatch,
  b: IntervalMatch,
  start: IntervalMatch['start'],
  end: IntervalMatch['end'],
): IntervalMatch {
  return {
    ...b,
    start,
    end,
    confidence: Math.min(MAX_CONFIDENCE, a.confidence * b.confidence),
    tracks: [...a.tracks, ...b.tracks],
    signals: [...a.signals, ...b.signals],
    reasons: [...a.reasons.slice(0, 2), ...b.reasons.slice(0, 2)],
    caveats: [...new Set([...(a.caveats ?? []), ...(b.caveats ?? [])])],
    stepMatches: [...(a.stepMatches.length > 0 ? a.stepMatches : [a]), b],
  };
}
