import { MOVING_OBJECT } from '../../observe/objects/index.ts';
import { type CameraTarget, isZoned, type ObjectQuery, type ObjectTarget } from '../../plan/index.ts';
import { findCameraMotion } from '../camera/index.ts';
import { limitsOf } from '../limits/index.ts';
import { needsConsecutiveFrames } from '../sparse-search.ts';
import { findVehicleMotion } from '../telemetry/index.ts';
import { LIMITS, STATES } from '../thresholds.ts';
import { indexAt, intersect, median, mergeGaps, runs, smooth } from '../time/intervals.ts';
import type { IntervalMatch, Limit, LimitDescriber, Scene, StepResult, TimeWindow } from '../types.ts';
import { describeAbsence } from './absence-limits.ts';
import { describeAction, describeUnexamined, whyHidden } from './action-caveats.ts';
import { findCandidates, findUnknownClasses } from './candidates.ts';
import { describeDetector, describeUnknownClasses, describeWeakDetector, whyNoObjects } from './detector-recall.ts';
import { filterAgainstFlow } from './flow.ts';
import { groupMatches } from './groups.ts';
import { showsPoses } from './poses/pose-actions.ts';
import { filterByCustody, relateToOthers } from './relations/relation-filter.ts';
import { findActions } from './track/track-actions.ts';
import type { TrackMatch, VideoContext } from './types.ts';

/** Finds objects and their actions. */
export function findObjects(what: ObjectTarget, scene: Scene): StepResult {
  const { objects, poses, video } = scene.observations;
  if (!objects) return { unavailable: whyNoObjects(scene) };
  for (const requested of requestsOf(what)) {
    const unknown = findUnknownClasses(requested, objects);
    if (unknown.length > 0 && unknown.length === requested.classes.length)
      return { unavailable: describeUnknownClasses(unknown, objects.model) };
  }

  // A single detection shows that an object is there, but not what it does.
  const views = scene.trackViews().filter(({ isLone }) => !isLone || !needsConsecutiveFrames(what));
  const aspect = video.width / Math.max(1, video.height);
  const hidden = whyHidden(what, { timeS: objects.timeS, views, aspect, kind: scene.footageKind });
  if (hidden !== null) return { unavailable: hidden };
  const context: VideoContext = {
    aspect,
    firstS: objects.timeS[0] ?? 0,
    lastS: objects.timeS.at(-1) ?? 0,
    isDriving: cameraState(what.action === 'close_ahead' || what.action === 'cuts_in' ? 'forward' : null, scene),
    isStandingStill: cameraState(needsStandstill(what) ? 'still' : null, scene),
  };
  const found = findCandidates(what.subject, views).flatMap((candidate) =>
    findActions(what, candidate.view, context).flatMap((action) =>
      intersect([action], candidate.qualifyingSpans).map(
        (span): TrackMatch => ({ ...action, ...span, candidate, other: null, otherConfidence: 1 }),
      ),
    ),
  );
  const actions = what.action === 'goes_against' ? filterAgainstFlow(found, views, aspect) : found;
  const relation = what.relation ?? (what.action === 'collides' ? WITH_ANYTHING : null);
  const related = relation
    ? relateToOthers({ ...what, relation }, actions, findCandidates(relation.other, views), aspect)
    : filterByCustody(what, actions, findCandidates(PERSON, views), aspect);
  // Nothing is in the way of a vehicle that never stands, whatever the detector finds.
  const isNever = what.action === 'blocks_way' && intervalsOf('still', scene).length === 0;
  const table = isNever ? OBJECT_LIMITS.filter((describe) => describe !== describeMissed) : OBJECT_LIMITS;
  const isMisplaced = isZoned(what) && movesOften(scene);
  return {
    matches: groupMatches(what, related, scene),
    by: [
      `objects (${modelName(objects.model)})`,
      ...(poses && showsPoses(what.action) ? [`poses (${modelName(poses.model)})`] : []),
    ],
    limits: (part) => [...limitsOf(table, what)(part), ...(isMisplaced ? [NOT_FIXED] : [])],
    frames: { timeS: objects.timeS, pts: objects.pts },
  };
}

/** Everything that the prompt requests to be detected. */
const requestsOf = ({ subject, relation }: ObjectTarget) => (relation ? [subject, relation.other] : [subject]);

const describeUnknown: LimitDescriber<ObjectTarget> = (what, { observations: { objects } }) =>
  requestsOf(what).flatMap((requested) => {
    const unknown = objects ? findUnknownClasses(requested, objects) : [];
    return unknown.length > 0 ? [{ text: describeUnknownClasses(unknown, objects!.model) }] : [];
  });

/** A detector that replaces a better one. */
const describeWeak: LimitDescriber<ObjectTarget> = (what, part) =>
  requestsOf(what).flatMap((requested) => describeWeakDetector(requested, part));

const describeUnmeasuredMotion: LimitDescriber<ObjectTarget> = (what, { observations: { signals } }) =>
  !signals && needsMotion(what)
    ? [{ text: 'camera motion was not measured and could not be subtracted', doubts: 'slightly' }]
    : [];

/** Motion of a camera that moves most of the time, while it does. */
const describeParallax: LimitDescriber<ObjectTarget> = (what, { observations: { signals } }) => {
  if (!signals || !needsMotion(what)) return [];
  const { enter } = STATES.forward;
  const speed = smooth(signals.advance.map(Math.abs), signals.timeS, LIMITS.smoothing.limit);
  if (median(signals.advance.map(Math.abs)) < enter) return [];
  const isStill = what.action === 'stands' || what.action === 'loiters';
  return [
    {
      text: PARALLAX,
      doubts: 'slightly',
      during: timesOf(signals.timeS, (i) => speed[i]! >= enter),
      ...(isStill ? { recall: STILL_RECALL } : {}),
    },
  ];
};
/** Probability, chosen by hand, that an object that stands still is found to do so while the camera moves past it. */
const STILL_RECALL = 0.5;
const PARALLAX =
  'the camera moves for most of the time: nearby stationary objects may be reported as moving or stopping';

/** Share of the requested objects that the detector finds. */
const describeMissed: LimitDescriber<ObjectTarget> = (what, part) =>
  requestsOf(what).flatMap((requested) => describeDetector(requested, part));

/**
 * Objects that the prompt presumes and that were never found: it is not known what they do. Questions for the presence
 * of the object itself are answered by not finding it, and without a cat, none is on the sofa.
 */
const describeMissing: LimitDescriber<ObjectTarget> = (what, part) => {
  const { subject, relation } = what;
  const isFound = (each: ObjectQuery) =>
    findCandidates({ ...each, state: null, place: null }, part.trackViews()).length > 0;
  const isOfPresence = ASKS_PRESENCE.has(what.action) && relation === null && subject.state === null;
  const presumed = [
    ...(isOfPresence ? [] : [subject]),
    ...(relation && !relation.negated && isFound(subject) ? [relation.other] : []),
  ];
  return presumed
    .filter((each) => each.definite && !isFound(each))
    .map(({ text }) => ({ missing: text.toLowerCase() }));
};
const ASKS_PRESENCE: ReadonlySet<ObjectTarget['action']> = new Set(['present', 'appears', 'enters']);

/** Without its bike, nothing tells a rider from a pedestrian. */
const describeOnFoot: LimitDescriber<ObjectTarget> = (what, { observations: { objects } }) => {
  const isRequested = requestsOf(what).some(({ afoot }) => afoot);
  const hasBikes = objects?.tracks.some(({ className }) => className === 'bicycle' || className === 'motorcycle');
  return isRequested && hasBikes ? [{ text: ON_FOOT }] : [];
};
const ON_FOOT = 'a rider whose bicycle or motorcycle was not detected counts as a person on foot';

/** Confidence of an absence. */
const describeAbsent: LimitDescriber<ObjectTarget> = (what, part) =>
  requestsOf(what).flatMap((requested) => describeAbsence(requested, part));

/** Motion without any detection: "not found" may then mean "not recognized". */
const describeUnexplainedMotion: LimitDescriber<ObjectTarget> = (_what, { observations: { signals, objects } }) => {
  if (!signals || !objects) return [];
  const hasDetection = new Uint8Array(objects.timeS.length);
  const recognized = objects.tracks.filter((track) => track.className !== MOVING_OBJECT);
  for (const { frame, enteredFrom, leftTo } of recognized) {
    // Motion at the edge of the frame before an object comes in, and after it left, is that of the object.
    const [first, last] = [objects.timeS[frame[0]!]!, objects.timeS[frame.at(-1)!]!];
    const from = enteredFrom === null ? first : first - LIMITS.edgeCrossing.limit;
    const to = leftTo === null ? last : last + LIMITS.edgeCrossing.limit;
    hasDetection.fill(1, indexAt(objects.timeS, from - 1e-6) + 1, indexAt(objects.timeS, to) + 1);
  }
  const isUnexplained = new Uint8Array(signals.timeS.length);
  let seconds = 0;
  for (let i = 1, k = 0; i < signals.timeS.length; i++) {
    while (k + 1 < hasDetection.length && objects.timeS[k + 1]! <= signals.timeS[i]!) k++;
    const isCameraStill =
      Math.abs(signals.globalX[i]!) + Math.abs(signals.globalY[i]!) + Math.abs(signals.zoom[i]!) < STATES.moving.enter;
    if (!isCameraStill || signals.localMotion[i]! < UNEXPLAINED || hasDetection[k]) continue;
    isUnexplained[i] = 1;
    seconds += signals.timeS[i]! - signals.timeS[i - 1]!;
  }
  if (seconds < 1) return [];
  const text = `something moved for ${Math.round(seconds)} s while the detector recognized nothing`;
  const during = timesOf(signals.timeS, (i) => isUnexplained[i] === 1);
  return [{ text, during, recall: UNEXPLAINED_RECALL, absence: UNEXPLAINED_RECALL }];
};
/** Share of moving blocks; leaves in the wind are below it. */
const UNEXPLAINED = 0.03;
/** Share of the events that are found while something moves that is not recognized. */
const UNEXPLAINED_RECALL = 0.6;

/** Times at which a flag of frames is set, apart from short gaps. */
const timesOf = (timeS: Float64Array, flag: (i: number) => boolean): TimeWindow[] =>
  mergeGaps(runs(timeS.length, flag), timeS, LIMITS.motionGap.limit).map((span) => ({
    from: timeS[span.from]!,
    to: timeS[span.to]!,
  }));

const OBJECT_LIMITS: readonly LimitDescriber<ObjectTarget>[] = [
  describeUnknown,
  describeWeak,
  describeUnmeasuredMotion,
  describeParallax,
  describeAction,
  describeUnexamined,
  describeOnFoot,
  describeMissing,
  describeMissed,
  describeAbsent,
  describeUnexplainedMotion,
];

const needsStandstill = ({ action, relation }: ObjectTarget) =>
  action === 'blocks_way' || (action === 'overtakes' && !relation);

/** Times of a motion of the camera or its vehicle. */
function intervalsOf(move: CameraTarget['move'], scene: Scene): IntervalMatch[] {
  const what: CameraTarget = { kind: 'camera', move, direction: null };
  const result = findVehicleMotion(what, scene) ?? findCameraMotion(what, scene);
  return 'unavailable' in result ? [] : result.matches;
}

/** Returns a predicate that is true while the camera or its vehicle is in a state. Not computed for null. */
function cameraState(move: CameraTarget['move'] | null, scene: Scene): (timeS: number) => boolean {
  if (move === null) return () => false;
  const intervals = intervalsOf(move, scene);
  return (timeS) => intervals.some(({ start, end }) => timeS >= start.timeS && timeS <= end.timeS);
}

const PERSON: ObjectQuery = {
  text: 'person',
  classes: ['person'],
  colors: [],
  count: { min: 1, max: null },
  state: null,
  place: null,
};

const COLLIDING = [
  'person',
  'bicycle',
  'car',
  'motorcycle',
  'bus',
  'truck',
  'train',
  'dog',
  'cat',
  'horse',
  'cow',
  'sheep',
];
/** The other side of a collision, if the prompt does not say: people, animals and vehicles. */
const WITH_ANYTHING: NonNullable<ObjectTarget['relation']> = {
  kind: 'near',
  other: { ...PERSON, text: 'something', classes: COLLIDING },
  negated: false,
};

/** About the whole video: a camera that moved before shows another place in the zone. */
const NOT_FIXED: Limit = {
  text: 'zones and lines hold for fixed cameras only, and this camera moves',
  doubts: 'decides',
};
/** Share of the time in which a fixed camera may be moved. */
const MOVED_SHARE = 0.1;

/** True if the camera moves for a considerable part of the video. */
function movesOften({ observations: { signals } }: Scene): boolean {
  if (!signals) return false;
  const { globalX, globalY, zoom } = signals;
  const moved = globalX.reduce(
    (sum, x, i) => sum + Number(Math.abs(x) + Math.abs(globalY[i]!) + Math.abs(zoom[i]!) >= STATES.moving.enter),
    0,
  );
  return moved > globalX.length * MOVED_SHARE;
}

const needsMotion = (what: ObjectTarget) =>
  what.subject.state !== null || !['present', 'appears', 'disappears', 'enters', 'leaves'].includes(what.action);

/** Shortens a model name that is a digest. */
const modelName = (model: string) => (/^[0-9a-f]{32,}$/.test(model) ? `model ${model.slice(0, 12)}` : model);
