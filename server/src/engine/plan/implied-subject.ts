import {
  ANYTHING,
  actionOf,
  type Clause,
  hasPart,
  PORTABLE,
  partOf,
  placeOf,
  ROAD_VEHICLES,
  relationOf,
  subjectOf,
  wayOf,
  withoutParts,
  withPart,
} from './clause/index.ts';
import type { Action, Thing, What } from './schema.ts';

/** The subject of verbs that have none. */

/** "We tailgate": somebody else is ahead. */
export const isTailgating = (action: Action) => action === 'follows' || action === 'close_ahead';

/** Classes that do what is written without a subject; of other verbs any class may. */
const IMPLIED: Partial<Record<Action, readonly string[]>> = {
  loiters: ['person'],
  follows: ROAD_VEHICLES,
  close_ahead: ROAD_VEHICLES,
  left_behind: PORTABLE,
  taken_away: PORTABLE,
};

/** "Loitering", "entering from the left", "stopped for 30 s": null where the verb alone says too little. */
export function impliedSubject(clause: Clause): Thing | null {
  const place = placeOf(clause);
  const action = actionOf(clause);
  if (partOf(clause, 'pick')?.pick === 'most' && action === null) return { ...ANYTHING, place };
  if (!action || action.action === 'present') return null;
  if (action.weak && action.action === 'moves' && wayOf(clause).direction === null && !action.by) return null;
  const classes = action.by === 'person' ? ['person'] : (IMPLIED[action.action] ?? []);
  return { ...ANYTHING, classes: [...classes], place };
}

/** "Stopped for over 30 seconds", "waiting at a traffic light": an object, or the vehicle that carries the camera. Both are searched. */
export const isObjectOrCarrier = (clause: Clause, what: What): boolean => {
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

/** "The driver stops": the vehicle that carries the camera does, since nobody at the wheel is seen. Other clauses stay as they are. */
export function resolveDriver(clause: Clause): Clause {
  const subject = partOf(clause, 'subject');
  const action = actionOf(clause);
  const isDriver =
    subject?.plain && !hasPart(clause, 'relation') && subjectOf(clause)?.classes.includes('person') === true;
  if (!isDriver || action === null || !DRIVEN.has(action.action)) return clause;
  const { text } = subject.thing;
  const others = clause.unchecked.filter((u) => u.text !== text);
  return {
    ...withPart(withoutParts(clause, 'subject'), { kind: 'camera' }),
    unchecked: [...others, { text, reason: READ_AS_CARRIER, blocks: false }],
  };
}
