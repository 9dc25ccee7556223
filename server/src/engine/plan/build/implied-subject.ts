import {
  ANYTHING,
  actionOf,
  type Clause,
  hasPart,
  isImmobile,
  PORTABLE,
  partOf,
  pathOf,
  placeOf,
  ROAD_VEHICLES,
  relationOf,
  subjectOf,
  withoutParts,
  withPart,
} from '../clause/index.ts';
import { REASONS } from '../reasons.ts';
import type { Action, ObjectQuery, ObjectTarget, Target } from '../schema.ts';

/** The subject of verbs that have none. */

/** "We tailgate": somebody else is ahead. */
export const isTailgating = (action: Action) => action === 'follows' || action === 'close_ahead';

/** Actions that only the boxes of people show. */
export const OF_PEOPLE: ReadonlySet<Action> = new Set(['falls', 'lies', 'sits_down', 'crouches', 'stands_up']);

/** Classes that have accidents. */
export const COLLIDING: readonly string[] = [...ROAD_VEHICLES, 'bicycle'];
const COLLIDING_NAME = 'vehicle or bicycle';

/** Default classes of verbs without a subject; other verbs allow any class. */
const IMPLIED: Partial<Record<Action, readonly string[]>> = {
  loiters: ['person'],
  follows: ROAD_VEHICLES,
  close_ahead: ROAD_VEHICLES,
  left_behind: PORTABLE,
  taken_away: PORTABLE,
  collides: COLLIDING,
  goes_against: COLLIDING,
  cuts_in: ROAD_VEHICLES,
  blocks_way: ROAD_VEHICLES,
};

/** "Loitering", "entering from the left", "stopped for 30 s": null where the verb alone says too little. */
export function impliedSubject(clause: Clause): ObjectQuery | null {
  const place = placeOf(clause);
  const action = actionOf(clause);
  if (partOf(clause, 'pick')?.pick === 'most' && action === null) return { ...ANYTHING, place };
  if (!action || action.action === 'present') return null;
  if (action.weak && action.action === 'moves' && pathOf(clause).direction === null && !action.by) return null;
  // "Did it fall": not a person.
  const pronoun = partOf(clause, 'pronoun');
  // "The door blocks the way"
  if (action.action === 'blocks_way' && hasPart(clause, 'setting')) return null;
  const isBody = OF_PEOPLE.has(action.action) || action.action === 'collides';
  if (pronoun && !pronoun.person && isBody) return null;
  const classes =
    action.by === 'person' || partOf(clause, 'pronoun')?.person ? ['person'] : (IMPLIED[action.action] ?? []);
  const text = action.action === 'collides' || action.action === 'goes_against' ? COLLIDING_NAME : ANYTHING.text;
  return { ...ANYTHING, text, classes: [...classes], place };
}

/**
 * "Stopped for over 30 seconds", "waiting at a traffic light": an object or the vehicle with the camera. Both are
 * searched.
 */
export const isObjectOrCarrier = (clause: Clause, what: Target): boolean => {
  const relation = relationOf(clause);
  return (
    !hasPart(clause, 'subject', 'place', 'negation', 'open') &&
    !actionOf(clause)?.by &&
    !partOf(clause, 'pronoun')?.person &&
    (relation === null || relation.relation === 'near') &&
    what.kind === 'object' &&
    (what.action === 'stops' || what.action === 'stands')
  );
};

const DRIVEN: ReadonlySet<Action> = new Set(['stops', 'starts', 'stands', 'moves', 'collides']);

/**
 * "The driver stops": the subject becomes the vehicle with the camera, since its driver is not visible. Other clauses
 * are unchanged.
 */
export function resolveDriver(clause: Clause): Clause {
  const subject = partOf(clause, 'subject');
  const action = actionOf(clause);
  // "Stops at the stop sign": where it stops is not measured for the vehicle.
  const near = partOf(clause, 'relation');
  const isNear = near === null || (near.relation === 'near' && !near.negated && isImmobile(near.other.classes));
  const isDriver = subject?.plain && isNear && subjectOf(clause)?.classes.includes('person') === true;
  if (!isDriver || action === null || !DRIVEN.has(action.action)) return clause;
  const { text } = subject.noun;
  const others = clause.unchecked.filter((u) => u.text !== text);
  return {
    ...withPart(withoutParts(clause, 'subject', 'relation'), { kind: 'camera' }),
    unchecked: [
      ...others,
      { text, reason: REASONS.readAsCarrier, blocks: false },
      ...(near ? [{ text: near.other.text, reason: REASONS.notPlaced, blocks: false }] : []),
    ],
  };
}

const OF_VEHICLES: ReadonlySet<Action> = new Set(['stops', 'starts', 'stands', 'moves']);

/**
 * True if the vehicle with the camera may be meant: "the car stops" in a drive. "Car stops" and "the car stops at the
 * gate" may mean either; "a car", "the red car", "the car on the left" and "the car at the gate" never do. "The driver"
 * is then not in view.
 */
export function vehicleReading(clause: Clause, what: ObjectTarget): ObjectTarget['vehicle'] {
  const subject = partOf(clause, 'subject');
  const isNear = what.relation === null || (what.relation.kind === 'near' && isImmobile(what.relation.other.classes));
  if (what.action === 'collides') return mayBeOurs(clause, what) ? 'also' : undefined;
  const isFree = !hasPart(clause, 'place', 'border', 'line', 'leading_relation') && what.direction === null;
  if (!subject?.plain || !isNear || !isFree) return undefined;
  const isPlaced = hasPart(clause, 'setting');
  const isRoadVehicle = subject.noun.classes.every((name) => ROAD_VEHICLES.includes(name));
  const isDriver = what.action === 'present' && !isRoadVehicle && !isPlaced && what.relation === null;
  if (isDriver) return subject.definite ? 'instead' : undefined;
  if (!isRoadVehicle || !OF_VEHICLES.has(what.action)) return undefined;
  if (isPlaced) return subject.definite ? 'also' : undefined;
  return subject.definite ? 'instead' : 'also';
}

/** "Any accident", "did anybody crash": in footage from a vehicle, also its own. "A car crashes" is one in view. */
function mayBeOurs(clause: Clause, { subject, relation }: ObjectTarget): boolean {
  const named = partOf(clause, 'subject');
  const isAnyone = named === null || subject.text === COLLIDING_NAME || (named.plain && named.definite);
  return isAnyone && relation === null && subject.place === null;
}

const SOMEBODY = /^(any|some|every)(one|body)$|^(any1|some1|smb|who)$|^no(body| one)$/i;

/** "Anyone overtaking us?", "is anyone coming towards us": the subject drives. */
export function trafficOf(clause: Clause): ObjectQuery | null {
  const subject = subjectOf(clause);
  const isCrash = actionOf(clause)?.action === 'collides';
  // "Someone hits another person": no accident.
  const isBlow = relationOf(clause)?.other.classes.includes('person') === true;
  if (subject && isCrash && !isBlow && SOMEBODY.test(subject.text))
    return { ...subject, text: COLLIDING_NAME, classes: [...COLLIDING] };
  if (subject && SOMEBODY.test(subject.text) && /\b(?:broken down|stranded)\b/i.test(clause.text))
    return { ...subject, classes: [...ROAD_VEHICLES] };
  if (
    !subject ||
    !SOMEBODY.test(subject.text) ||
    !/\b(?:us|me|our|my)\b/i.test(clause.text) ||
    hasPart(clause, 'relation')
  )
    return null;
  const verb = actionOf(clause)?.action;
  const isDriving =
    verb === 'overtakes' ||
    verb === 'passes' ||
    verb === 'cuts_in' ||
    verb === 'blocks_way' ||
    pathOf(clause).direction === 'towards';
  return isDriving ? { ...subject, classes: [...ROAD_VEHICLES] } : null;
}
