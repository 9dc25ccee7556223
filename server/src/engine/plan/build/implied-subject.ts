import {
  ANYTHING,
  actionOf,
  type Clause,
  hasPart,
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
import type { Action, ObjectQuery, Target } from '../schema.ts';

/** The subject of verbs that have none. */

/** "We tailgate": somebody else is ahead. */
export const isTailgating = (action: Action) => action === 'follows' || action === 'close_ahead';

/** Default classes of verbs without a subject; other verbs allow any class. */
const IMPLIED: Partial<Record<Action, readonly string[]>> = {
  loiters: ['person'],
  follows: ROAD_VEHICLES,
  close_ahead: ROAD_VEHICLES,
  left_behind: PORTABLE,
  taken_away: PORTABLE,
};

/** "Loitering", "entering from the left", "stopped for 30 s": null where the verb alone says too little. */
export function impliedSubject(clause: Clause): ObjectQuery | null {
  const place = placeOf(clause);
  const action = actionOf(clause);
  if (partOf(clause, 'pick')?.pick === 'most' && action === null) return { ...ANYTHING, place };
  if (!action || action.action === 'present') return null;
  if (action.weak && action.action === 'moves' && pathOf(clause).direction === null && !action.by) return null;
  const classes = action.by === 'person' ? ['person'] : (IMPLIED[action.action] ?? []);
  return { ...ANYTHING, classes: [...classes], place };
}

/**
 * "Stopped for over 30 seconds", "waiting at a traffic light": an object or the vehicle with the camera. Both are
 * searched.
 */
export const isObjectOrCarrier = (clause: Clause, what: Target): boolean => {
  const relation = relationOf(clause);
  return (
    !hasPart(clause, 'subject', 'place', 'negation') &&
    !actionOf(clause)?.by &&
    (relation === null || relation.relation === 'near') &&
    what.kind === 'object' &&
    (what.action === 'stops' || what.action === 'stands')
  );
};

export const READ_AS_CARRIER = 'this was read as the vehicle that carries the camera';
const DRIVEN: ReadonlySet<Action> = new Set(['stops', 'starts', 'stands', 'moves']);

/**
 * "The driver stops": the subject becomes the vehicle with the camera, since its driver is not visible. Other clauses
 * are unchanged.
 */
export function resolveDriver(clause: Clause): Clause {
  const subject = partOf(clause, 'subject');
  const action = actionOf(clause);
  const isDriver =
    subject?.plain && !hasPart(clause, 'relation') && subjectOf(clause)?.classes.includes('person') === true;
  if (!isDriver || action === null || !DRIVEN.has(action.action)) return clause;
  const { text } = subject.noun;
  const others = clause.unchecked.filter((u) => u.text !== text);
  return {
    ...withPart(withoutParts(clause, 'subject'), { kind: 'camera' }),
    unchecked: [...others, { text, reason: READ_AS_CARRIER, blocks: false }],
  };
}
