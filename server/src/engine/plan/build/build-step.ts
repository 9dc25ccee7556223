import {
  ANYTHING,
  actionOf,
  blocked,
  type Clause,
  hasPart,
  NONE,
  partOf,
  pathOf,
  placeOf,
  ROAD_VEHICLES,
  relationOf,
  relationsOf,
  subjectOf,
  withDefault,
  withoutParts,
  withPart,
} from '../clause/index.ts';
import { REASONS } from '../reasons.ts';
import type { Action, CameraMove, ObjectQuery, Step, Target, Unchecked } from '../schema.ts';
import { cameraMotion, cameraSubjectMotion } from './build-camera.ts';
import { buildObject, isAnyMotion } from './build-object.ts';
import {
  impliedSubject,
  isObjectOrCarrier,
  isTailgating,
  resolveDriver,
  trafficOf,
  vehicleReading,
} from './implied-subject.ts';

/** The target of a clause, and the remarks that arise when it is built. */
type Built = { what: Target; negated: boolean; unchecked: readonly Unchecked[] };

const NOT_NAMED = 'the prompt does not say who or what does this';
const APART = REASONS.aside;
const UNKNOWN: Target = { kind: 'unknown' };

export const excerpt = (text: string) => text.slice(0, 200);
const remark = (text: string, reason: string, blocks = false): Unchecked => ({ text: excerpt(text), reason, blocks });

/** Builds a step of a plan from a clause. Parts that its kind of step does not use are reported. */
export function buildStep(parsed: Clause): Step {
  const clause = resolveDriver(parsed);
  const built = orNone(clause, buildWhat(clause));
  const { what, remarks: unused } = withoutUnused(clause, built);
  const whole = partOf(clause, 'throughout');
  const isWhole = whole !== null && isState(what) && !built.negated;
  const remarks = whole && !isWhole ? [...unused, remark(whole.text, REASONS.notMeasured)] : unused;
  const isUnknown = what.kind === 'unknown';
  // Without a search, remarks that only narrow are the reason.
  const unchecked = isUnknown && remarks.length === 0 ? [remark(clause.text, NOT_NAMED, true)] : remarks;
  const blocks = isUnknown && !unchecked.some((u) => u.blocks);
  return {
    text: clause.text.slice(0, 2000),
    what,
    negated: built.negated,
    duration: partOf(clause, 'duration')?.range ?? null,
    ...(isWhole ? { throughout: true } : {}),
    join: null,
    within: null,
    same: false,
    unchecked: unchecked.slice(0, 200).map((u) => ({ ...u, blocks: u.blocks || blocks })),
  };
}

/** True for states that last, which can hold during the whole video. */
function isState(what: Target): boolean {
  if (what.kind === 'object') return LASTING.has(what.action) && !what.idle;
  if (what.kind === 'camera') return what.move === 'moves' || what.move === 'still' || what.move === 'forward';
  return what.kind === 'signal' || what.kind === 'motion' || what.kind === 'sound';
}
const LASTING: ReadonlySet<Action> = new Set(['present', 'stands', 'moves']);

/** "Fewer than 3 people" are there whenever there are not 3 of them; with a verb, at least one is meant. */
function orNone(clause: Clause, built: Built): Built {
  const { what, negated } = built;
  const count = subjectOf(clause)?.count;
  const max = count?.min === NONE ? count.max : null;
  if (max === null || what.kind !== 'object' || what.action !== 'present') return built;
  if (what.relation || relationsOf(clause).length > 1) return built;
  const subject = { ...what.subject, count: { min: max + 1, max: null } };
  return { ...built, what: { ...what, subject }, negated: !negated };
}

/** Reports parts of the clause that this kind of step does not use. */
function withoutUnused(clause: Clause, built: Built): { what: Target; remarks: readonly Unchecked[] } {
  const { what } = built;
  const subject = subjectOf(clause);
  const place = placeOf(clause);
  const action = actionOf(clause);
  const relation = relationOf(clause);
  const remarks = [...built.unchecked];
  const isUndirected = what.kind === 'camera' && UNDIRECTED.has(what.move) && what.direction !== null;
  if (isUndirected) remarks.push(remark(what.direction!, 'this motion is looked for in any direction'));
  const leading = partOf(clause, 'leading_relation');
  if (leading && what.kind === 'object' && !blocked(clause)) remarks.push(remark(leading.text, UNRELATED, true));
  const { direction, from, to } = pathOf(clause);
  const path = direction ?? from ?? to;
  if (path !== null && PATHLESS.has(what.kind)) remarks.push(remark(path, 'this has no direction', true));
  const isDepth = direction === 'towards' || direction === 'away';
  if (isDepth && partOf(clause, 'camera_move') && what.kind === 'camera' && !DEPTH.has(what.move) && !blocked(clause))
    remarks.push(remark(direction, 'this has no direction', true));
  // "Zooms in down", "a sharp left off"
  const own = partOf(clause, 'camera_move')?.move.direction;
  if (own && direction !== null && direction !== own && !isDepth && !blocked(clause))
    remarks.push(remark(direction, 'two directions at once: join them with "and" or "then"', true));
  const isPicture = what.kind === 'signal' || what.kind === 'sound';
  const isWhole = isPicture || what.kind === 'camera';
  const isStill = what.kind === 'motion' && action !== null && action.action !== 'moves';
  if ((isPicture || isStill) && action && action.action !== 'present') remarks.push(remark(action.action, APART));
  const isMove = what.kind === 'camera' && hasPart(clause, 'camera_move');
  if (isMove && action && !action.weak)
    remarks.push(remark(clause.text, 'two actions at once: join them with "and" or "then"', true));
  if (what.kind === 'quantity' && action && !action.weak) remarks.push(remark(clause.text, APART, true));
  const turn = partOf(clause, 'camera_move')?.move.move;
  if (what.kind === 'quantity' && what.quantity === 'acceleration' && turn && !ONWARD.has(turn))
    remarks.push(remark(clause.text, APART, true));
  if (what.kind === 'quantity' && relation) remarks.push(remark(relation.other.text, APART, true));
  if (what.kind === 'camera' && hasPart(clause, 'open'))
    remarks.push(remark(clause.text, 'these are two questions', true));
  const isDoing = partOf(clause, 'subject')?.verbFirst === true;
  if (what.kind === 'quantity' && isDoing) remarks.push(remark(subject!.text, APART, true));
  if (isWhole && relation && relation.other !== subject) remarks.push(remark(relation.other.text, APART));
  const isHit = what.kind === 'camera' && what.move === 'jolts';
  if (isWhole && subject) remarks.push(remark(subject.text, isHit ? NOT_SEEN : APART));
  else if (isWhole && place) remarks.push(remark(place.name, REASONS.wholeFrame));
  const isElsewhere = place !== null && subject !== null && what.kind === 'object' && !hasPlace(what, place.name);
  if (isElsewhere && subject.place !== null) remarks.push(remark(place.name, 'two places at once: name one', true));
  const other = what.kind === 'object' ? what.relation?.other : undefined;
  if (other && hasCount(other) && !remarks.some((u) => u.text === other.text))
    remarks.push(remark(other.text, REASONS.uncounted));
  return { what: isUndirected ? { ...what, direction: null } : what, remarks };
}

const hasPlace = ({ subject, relation, region }: Extract<Target, { kind: 'object' }>, name: string) =>
  [subject.place, relation?.other.place, region].some((each) => each?.name === name);

/** Motions of the camera beside which "away" or "towards" adds nothing, or says which way. */
const DEPTH: ReadonlySet<CameraMove> = new Set(['zooms', 'turns', 'moves', 'forward', 'backward']);
const NOT_SEEN = 'what the recording vehicle hits is not checked';
const UNRELATED = 'what this relates to was not named';
const PATHLESS: ReadonlySet<Target['kind']> = new Set(['signal', 'sound', 'quantity', 'motion']);

/** Motions of the camera that have no direction of their own. */
const UNDIRECTED: ReadonlySet<CameraMove> = new Set([
  'moves',
  'still',
  'forward',
  'backward',
  'stops',
  'starts',
  'brakes',
]);

const hasCount = ({ count }: ObjectQuery) => count.min !== 1 || count.max !== null;

function buildWhat(clause: Clause): Built {
  const { unchecked } = clause;
  const negated = hasPart(clause, 'negation');
  const heads = [
    ...(['signal', 'sound', 'quantity', 'motion'] as const).filter((kind) => hasPart(clause, kind)),
    ...(hasPart(clause, 'camera', 'camera_move') ? ['camera'] : []),
  ];
  // A quantity is measured of the vehicle that carries the camera.
  const isMeasured = hasPart(clause, 'quantity') && hasPart(clause, 'camera_move', 'camera');
  if (heads.length > 1 && !isMeasured)
    return withRemark(
      { what: UNKNOWN, negated, unchecked },
      clause.text,
      'these are two conditions; join them with "while" or "then"',
      true,
    );
  if (hasPart(clause, 'empty')) return buildEmpty(clause, heads.length > 0);
  return buildHead(clause);
}

const withRemark = (built: Built, text: string, reason: string, blocks = false): Built => ({
  ...built,
  unchecked: [...built.unchecked, remark(text, reason, blocks)],
});

const withRemarks = (clause: Clause, remarks: readonly Unchecked[]): Clause => ({
  ...clause,
  unchecked: [...clause.unchecked, ...remarks],
});

function buildEmpty(clause: Clause, hasHead: boolean): Built {
  const full = withoutParts(clause, 'empty');
  if (hasPart(clause, 'subject'))
    return buildHead(withRemarks(full, [remark(clause.text, 'whether an object is empty cannot be detected', true)]));
  if (hasHead) return buildHead(withRemarks(full, [remark('empty', APART)]));
  // A room with chairs and a road with hydrants are empty all the same.
  const place = partOf(clause, 'setting');
  const zone = placeOf(clause);
  const isZone = zone !== null && 'points' in zone;
  const nothing = isZone ? { ...LIVELY, place: zone } : place && !place.surface ? LIVELY : ANYTHING;
  return { ...buildObject(clause, nothing), negated: !hasPart(clause, 'negation') };
}

/** Classes that make a place one that is not empty. */
const LIVELY: ObjectQuery = {
  ...ANYTHING,
  text: 'person, vehicle or pet',
  classes: ['person', 'bicycle', ...ROAD_VEHICLES, 'cat', 'dog'],
};

function buildHead(clause: Clause): Built {
  const { unchecked } = clause;
  const negated = hasPart(clause, 'negation');
  const built = (what: Target): Built => ({ what, negated, unchecked });
  const quantity = partOf(clause, 'quantity');
  if (quantity && isBesideQuantity(clause)) return buildWhat(withoutParts(clause, 'quantity'));
  if (quantity?.range) return built({ kind: 'quantity', quantity: quantity.quantity, range: quantity.range });
  if (quantity)
    return withRemark(
      built(UNKNOWN),
      clause.text,
      'a quantity needs a number with its unit, as in "above 80 km/h"',
      true,
    );
  const action = actionOf(clause);
  const hasSubject = hasPart(clause, 'subject');
  const isCamera = hasPart(clause, 'camera');
  if (isCamera && action && isTailgating(action.action) && !hasSubject) {
    const ahead = withPart(clause, { kind: 'verb', action: { type: 'action', action: 'close_ahead' } });
    return { ...buildObject(ahead, { ...ANYTHING, classes: [...ROAD_VEHICLES] }), negated };
  }
  const move = partOf(clause, 'camera_move');
  if (move) return built(cameraMotion(clause, move.move));
  if (isCamera) return buildCameraSubject(clause);
  const signal = partOf(clause, 'signal');
  if (signal) return built({ kind: 'signal', signal: signal.signal.signal });
  const sound = partOf(clause, 'sound');
  if (sound) return built({ kind: 'sound', sound: sound.sound.sound });
  return hasSubject ? buildSubject(clause) : buildWithoutSubject(clause);
}

function buildCameraSubject(clause: Clause): Built {
  const what = cameraSubjectMotion(clause);
  const built: Built = { what: what ?? UNKNOWN, negated: hasPart(clause, 'negation'), unchecked: clause.unchecked };
  if (what || blocked(clause)) return built;
  const reason =
    'only the motion of the camera is detected: pan, tilt, zoom, turn, forward, backward, stop, start, brake, shake';
  return withRemark(built, clause.text, reason, true);
}

function buildSubject(clause: Clause): Built {
  const moves = { kind: 'verb', action: { type: 'action', action: 'moves' } } as const;
  const isTwice = hasPart(clause, 'motion') && hasPart(clause, 'verb');
  if (isTwice) return buildSubject(withRemarks(withoutParts(clause, 'motion'), [remark('motion', APART, true)]));
  const moving = hasPart(clause, 'motion') ? withDefault(clause, moves) : clause;
  const { what, unchecked } = buildObject(moving, trafficOf(clause) ?? subjectOf(clause)!);
  const negated = hasPart(clause, 'negation');
  // "Something moves": frame motion finds it better than a detector, which knows only its classes.
  const vehicle = vehicleReading(clause, what);
  if (vehicle) return { what: { ...what, vehicle }, negated, unchecked };
  if (isAnyMotion(what)) return { what: { kind: 'motion', place: what.subject.place }, negated, unchecked };
  return { what, negated, unchecked };
}

const PEOPLE: ObjectQuery = { ...ANYTHING, text: 'person', classes: ['person'] };

function buildWithoutSubject(clause: Clause): Built {
  const { unchecked } = clause;
  const negated = hasPart(clause, 'negation');
  const place = placeOf(clause);
  const action = actionOf(clause);
  const isOpen = hasPart(clause, 'open');
  const isBlocked = blocked(clause);
  if (hasPart(clause, 'motion')) return { what: { kind: 'motion', place }, negated, unchecked };
  if (isOpen && (place || hasPart(clause, 'relation')))
    return { ...buildObject(clause, { ...ANYTHING, place }), negated };
  if (isOpen && !isBlocked && (action === null || action.action === 'present') && !hasPart(clause, 'path'))
    return { what: { kind: 'notable' }, negated, unchecked };
  if (action?.by === 'camera' && !isBlocked)
    return buildCameraSubject(withRemarks(clause, [remark(clause.text, REASONS.readAsCarrier)]));
  // "The till is unattended": nobody is there.
  if (hasPart(clause, 'setting') && action?.action === 'left_behind')
    return { ...buildObject(withoutParts(clause, 'verb'), PEOPLE), negated: !negated };
  const implied = isBlocked ? null : impliedSubject(clause);
  if (!implied) {
    const built: Built = { what: UNKNOWN, negated, unchecked };
    const isTimeOnly = hasPart(clause, 'duration') && unchecked.length === 0;
    return isTimeOnly
      ? withRemark(built, clause.text, 'the prompt does not say what has to last this long', true)
      : built;
  }
  const object = buildObject(clause, implied);
  const vehicle = action?.action === 'collides' ? vehicleReading(clause, object.what) : undefined;
  const built = { ...object, what: vehicle ? { ...object.what, vehicle } : object.what, negated };
  if (!isObjectOrCarrier(clause, built.what)) return built;
  const reason = 'the prompt does not say what stops, so objects in the frame and the camera are both checked';
  return withRemark(built, clause.text, reason);
}

/** "A sharp turn at more than 30 km/h": both; "driving at more than 30 km/h": the speed alone. */
function isBesideQuantity(clause: Clause): boolean {
  const quantity = partOf(clause, 'quantity');
  if (quantity?.quantity !== 'speed' || quantity.range === null) return false;
  const move = partOf(clause, 'camera_move');
  if (move && !ONWARD.has(move.move.move)) return true;
  const action = actionOf(clause);
  return !hasPart(clause, 'subject') && action !== null && isTailgating(action.action);
}
const ONWARD: ReadonlySet<CameraMove> = new Set(['moves', 'forward', 'starts']);

/** A condition at the same time: "at night", "at more than 30 km/h". */
export function conditionOf(clause: Clause): Target | null {
  const during = partOf(clause, 'during');
  if (during) return { kind: 'signal', signal: during.signal.signal };
  const quantity = partOf(clause, 'quantity');
  return quantity && isBesideQuantity(clause)
    ? { kind: 'quantity', quantity: quantity.quantity, range: quantity.range! }
    : null;
}
