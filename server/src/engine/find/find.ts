import type { CameraTarget, Plan, PlannedSearch, Presumption, Step, Target } from '../plan/index.ts';
import { EVENT_ACTIONS, findObjects } from './actions/index.ts';
import { findCameraMotion, resolveVehicle, whyNotDrive } from './camera/index.ts';
import type { FootageKind } from './camera/vehicle-footage.ts';
import { DEFAULT_MIN_CONFIDENCE } from './confidence.ts';
import { isFoundInRanges, joinDenseRanges, type StepFinding } from './dense-ranges.ts';
import { findFact } from './facts/index.ts';
import { findNotable } from './find-notable.ts';
import { round, uncheckedText } from './format.ts';
import { findMotion, findSignals } from './frame/index.ts';
import { detectorRecallOf, excerptOf, missingOf, recallOf, textsOf } from './limits/index.ts';
import { applyModifiers } from './modifiers.ts';
import { PLACES, pickMatches, placesText } from './pick-matches.ts';
import { isPlural } from './plural.ts';
import { combineSequence } from './sequence.ts';
import { findSound } from './sound/index.ts';
import { searchSparsely, USE_THINKING } from './sparse-search.ts';
import { findSpeech } from './speech/index.ts';
import { findQuantity, findVehicleMotion } from './telemetry/index.ts';
import { findText } from './text/index.ts';
import { clipToIntervals, clipToWindows, momentsOf } from './time/moments.ts';
import { clipToWindow, resolveWindow, restrictToWindow, searchedRange, windowOf } from './time/time-window.ts';
import { findTrafficLight } from './traffic-light/index.ts';
import type { IntervalMatch, Scene, SearchMatches, StepOutcome, StepResult, TimeWindow } from './types.ts';

/** Greatest number of candidates of one search. */
const MAX_CANDIDATES = 100;

/**
 * Evaluates a plan over a scene. A pure function: the result depends on its arguments only. Matches below
 * `minConfidence` are candidates, of which nothing is picked.
 */
export function find(
  plan: Plan,
  scene: Scene,
  minConfidence = DEFAULT_MIN_CONFIDENCE,
  revise: ReviseMatch = (match) => match,
): SearchMatches[] {
  const found = new Map<number, SearchMatches[]>();
  const findAt = (at: number, during: readonly SearchMatches[] | null) =>
    resolveVehicle(plan.searches[at]!, scene).map((reading) => ({
      at,
      ...findSearch(reading, plan, scene, { minConfidence, revise, during }),
    }));
  const references = new Set(plan.searches.flatMap(({ during }) => during ?? []));
  for (const at of references)
    found.set(
      at,
      findAt(at, null).map((result) => ({ ...result, isReference: true })),
    );
  return plan.searches.flatMap(({ during }, at) => found.get(at) ?? findAt(at, found.get(during ?? -1) ?? null));
}

/** Returns a match as it is after it was verified, with another confidence. */
export type ReviseMatch = (match: IntervalMatch, search: PlannedSearch) => IntervalMatch;

type FindOptions = {
  minConfidence: number;
  revise: ReviseMatch;
  /** Results whose events limit the search. */
  during: readonly SearchMatches[] | null;
};

function findSearch(
  search: PlannedSearch,
  plan: Plan,
  scene: Scene,
  { minConfidence, revise, during }: FindOptions,
): Omit<SearchMatches, 'at'> {
  const steps = search.steps.map((step) => findStep(step, search, plan, scene));
  const isPicked = (i: number) => search.leading === undefined || i < search.leading;
  const outcomes = steps.map(({ outcome }, i) =>
    isPicked(i) ? withPick(withReference(outcome, during), search) : withReference(outcome, during),
  );
  if (outcomes.some(({ status }) => status === 'not_looked_for'))
    return { search, matches: [], candidates: [], outcomes };
  const found = steps.map((finding, i) => ({ step: search.steps[i]!, ...finding }));
  const isCandidate = ({ confidence }: IntervalMatch) => round(confidence, 3) < minConfidence;
  const picked = (own: readonly IntervalMatch[]) =>
    pickMatches(
      search,
      own.filter((match) => !isCandidate(match)),
      scene,
    );
  const { leading } = search;
  const whole = combineSequence(found, scene, leading ? { count: leading, pick: picked } : null).map((match) =>
    revise(match, search),
  );
  const intervals = during?.flatMap(({ matches }) => matches) ?? null;
  const own = windowOf(search, plan);
  const timed = own?.parts ? clipToWindows(own.parts, whole, scene) : whole;
  const combined = intervals ? clipToIntervals(intervals, timed, scene) : timed;
  const range = searchedRange(own, scene.observations.video);
  const relative = (own: IntervalMatch[]) => (search.moments ? momentsOf(search.moments, own, range, scene) : own);
  const candidates = combined.filter(isCandidate).toSorted((a, b) => b.confidence - a.confidence);
  return {
    search,
    matches: relative(leading ? combined.filter((match) => !isCandidate(match)) : picked(combined)),
    candidates: relative(candidates.slice(0, MAX_CANDIDATES)),
    outcomes,
  };
}

/** Where nothing is known of when it has to hold, or that was not found, nothing is known of it. */
function withReference(outcome: StepOutcome, during: readonly SearchMatches[] | null): StepOutcome {
  if (!during || outcome.status === 'not_looked_for') return outcome;
  const unknown = during.flatMap(({ outcomes }) => outcomes).find(({ status }) => status === 'not_looked_for');
  if (unknown) return { ...outcome, status: 'not_looked_for', by: [], reasons: unknown.reasons, matchCount: 0 };
  if (during.some(({ matches }) => matches.length > 0)) return outcome;
  const names = during.map(({ search }) => `"${search.text}"`).join(', ');
  return { ...outcome, status: 'partly', reasons: [...outcome.reasons, `${names} was not found`], recall: 0 };
}

/** The second of several is counted among those that were found: one that was missed shifts it. */
function withPick(outcome: StepOutcome, { pick, places }: PlannedSearch): StepOutcome {
  if (pick === null || outcome.status === 'not_looked_for') return outcome;
  const compared = COMPARED[pick];
  if (compared) return { ...outcome, status: 'partly', reasons: [...outcome.reasons, compared] };
  if (!places && !(pick in PLACES)) return outcome;
  const name = places ? `${placesText(pick, places)} of those` : `the ${pick} of those`;
  return { ...outcome, status: 'partly', reasons: [...outcome.reasons, `${name} that were found`] };
}

/** Measures of orders by looks: sizes and speeds of the scene are not known. */
const COMPARED: Partial<Record<NonNullable<PlannedSearch['pick']>, string>> = {
  largest: 'sizes are those in the picture: what is closer looks larger',
  smallest: 'sizes are those in the picture: what is farther looks smaller',
  fastest: 'speeds are compared by motion in the picture, in lengths of each object per second',
  slowest: 'speeds are compared by motion in the picture, in lengths of each object per second',
  leftmost: 'it is the place among those that were found at the same time',
  rightmost: 'it is the place among those that were found at the same time',
};

/**
 * "The yard" is what a fixed camera shows, and one of many places in footage from a vehicle, which is outdoors. Neither
 * is presumed where it is not known which of them it is.
 */
function withPresumptions(step: Step, scene: Scene): Step {
  if (!step.unchecked.some(({ presumed }) => presumed)) return step;
  const footage = hasPosition(scene) ? 'vehicle' : PRESUMED[scene.footageKind()];
  const unchecked = step.unchecked.map(({ presumed, ...each }) =>
    presumed === footage || presumed === 'any' ? { ...each, presumed } : each,
  );
  return { ...step, unchecked };
}

const PRESUMED: Record<FootageKind, Presumption | null> = { drive: 'vehicle', other: 'fixed', unknown: null };

/** True if a receiver recorded positions: like a vehicle, it was outdoors. */
const hasPosition = ({ observations: { telemetry } }: Scene) =>
  telemetry?.telemetry?.latitude.some(Number.isFinite) === true;

/** Finds a step in the whole video, and once more in each range of which every frame was observed. */
function findStep(planned: Step, search: PlannedSearch, plan: Plan, scene: Scene): StepFinding {
  const step = withPresumptions(planned, scene);
  const window = windowOf(search, plan);
  const options = { window, between: isBetween(search) };
  const found = findInScene(step, options, scene);
  if (scene.denseRanges.length === 0 || !isFoundInRanges(step)) return found;
  const dense = scene.denseRanges.map((range) => findInScene(step, options, range));
  return joinDenseRanges(found, dense, scene, excerptOf(scene, resolveWindow(window, scene.observations.video)));
}

/** True if absences are those between two actions, as beside another event or for a minimum time. */
const isBetween = ({ steps }: PlannedSearch) => steps.some(({ negated, duration }) => !negated || duration !== null);

type StepOptions = { window: Plan['window']; between: boolean };

function findInScene(step: Step, options: StepOptions, scene: Scene): StepFinding {
  const { missed, remark } = options.window ?? {};
  if (missed) return notLookedFor(step, remark ?? `recorded at another time`);
  const blocking = step.unchecked.filter((u) => u.blocks);
  const result: StepResult =
    blocking.length > 0 ? { unavailable: blocking.map(uncheckedText).join('; ') } : evaluate(step, scene);
  if ('unavailable' in result) return notLookedFor(step, result.unavailable);
  const window = resolveWindow(options.window, scene.observations.video);
  const restricted = restrictToWindow(result, window);
  if (result.frames.timeS.length > 0 && restricted.frames.timeS.length === 0)
    return notLookedFor(step, whyNoFrames(window, scene));
  const limits = result.limits(excerptOf(scene, window));
  const evaluateMatches = (own: readonly IntervalMatch[]) =>
    clipToWindow(window, applyModifiers(step, { ...restricted, matches: [...own] }, limits, options), scene);
  const matches = evaluateMatches(restricted.matches);
  const reasons = [...step.unchecked.map(uncheckedText), ...tooShort(step, window, scene), ...textsOf(limits)];
  const { by, fact } = result;
  const missing = missingOf(limits);
  const outcome: StepOutcome = {
    step,
    status: reasons.length > 0 ? 'partly' : 'looked_for',
    by,
    reasons,
    matchCount: matches.length,
    recall: recallOf(limits),
    detectorRecall: detectorRecallOf(limits),
    ...(missing.length > 0 ? { missing: missingText(missing, options.window) } : {}),
  };
  return {
    outcome: fact ? { ...outcome, fact } : outcome,
    matches,
    ...(countsItself(step)
      ? { matchesWithout: (ids) => evaluateMatches(restricted.matches.filter((match) => !isOf(match, ids))) }
      : {}),
  };
}

/** "no car was found in the video" */
function missingText(names: readonly string[], window: Plan['window']): string {
  const where = window ? 'in the searched part of the video' : 'in the video';
  return names.map((name) => `no ${name} ${isPlural(name) ? 'were' : 'was'} found ${where}`).join(' and ');
}

/** True for an absence that does not count the subject of another step: "nobody" beside a person means nobody else. */
const countsItself = ({ negated, what }: Step) =>
  negated && what.kind === 'object' && what.subject.count.min === 1 && !EVENT_ACTIONS.has(what.action);

/** True if a match is of these objects alone. */
const isOf = ({ presences }: IntervalMatch, ids: ReadonlySet<number>) =>
  presences.length > 0 && presences.every(({ id }) => ids.has(id));

/** Reason why no frame of a window was examined. */
function whyNoFrames({ from, to }: TimeWindow, { observations: { video } }: Scene): string {
  if (from < video.durationS && to >= 0) return `no frame of the requested time range was sampled: ${USE_THINKING}`;
  return `the requested time range lies outside the video, which is ${round(video.durationS, 1)} s long`;
}

/** States that what was searched is shorter than what is requested, which is then in no video like this. */
function tooShort({ duration }: Step, window: TimeWindow, { observations: { video } }: Scene): string[] {
  const lengthS = Math.min(window.to, video.durationS) - Math.max(window.from, 0);
  const minS = duration?.min ?? 0;
  return lengthS < minS
    ? [`${round(lengthS, 1)} s of video were searched, less than the ${round(minS, 1)} s requested`]
    : [];
}

const notLookedFor = (step: Step, reason: string): StepFinding => ({
  outcome: { step, status: 'not_looked_for', by: [], reasons: [reason], matchCount: 0, recall: 0, detectorRecall: 0 },
  matches: [],
});

/** True if the condition is evaluated on frames rather than on telemetry. */
const needsFrames = ({ kind }: Target) => !['quantity', 'fact', 'notable', 'unknown'].includes(kind);

function evaluate({ what }: Pick<Step, 'what'>, scene: Scene): StepResult {
  if (scene.observations.telemetry?.blank && needsFrames(what)) {
    return (what.kind === 'camera' ? findVehicleMotion(what, scene) : null) ?? { unavailable: NO_CAMERA };
  }
  return searchSparsely(what, scene.observations, () => evaluateObserved(what, scene));
}

/** Motion of the vehicle that carries the camera; a candidate where it is not known that one does. */
function findRecordingVehicle(what: CameraTarget, scene: Scene): StepResult {
  const kind = scene.footageKind();
  const why = whyNotDrive(kind);
  if (kind === 'other') return { unavailable: `${why}, and this motion of a vehicle in the frame cannot be detected` };
  const found = findCamera(what, scene);
  if (why === null || 'unavailable' in found) return found;
  return { ...found, limits: (part) => [...found.limits(part), { text: why, doubts: 'decides' }] };
}

const findCamera = (what: CameraTarget, scene: Scene): StepResult =>
  findVehicleMotion(what, scene) ?? findCameraMotion(what, scene);

const NO_CAMERA = 'the recording has no readable camera channel, so only its telemetry can be searched';

function evaluateObserved(what: Target, scene: Scene): StepResult {
  switch (what.kind) {
    case 'object':
      return findObjects(what, scene);
    case 'signal':
      return findSignals(what, scene);
    case 'motion':
      return findMotion(what, scene);
    case 'camera':
      return what.vehicle ? findRecordingVehicle(what, scene) : findCamera(what, scene);
    case 'sound':
      return findSound(what, scene);
    case 'speech':
      return findSpeech(what, scene);
    case 'text':
      return findText(what, scene);
    case 'traffic_light':
      return findTrafficLight(what, scene);
    case 'notable':
      return findNotable((step) => evaluate(step, scene), scene);
    case 'quantity':
      return findQuantity(what, scene);
    case 'fact':
      return findFact(what.fact, scene);
    case 'unknown':
      return { unavailable: 'no observer can detect this' };
  }
}
