import { ANYTHING, type Clause, PORTABLE } from './clause/index.ts';
import type { Action, Thing, What } from './schema.ts';

/** Who does what is said of nobody. */

export const VEHICLES = ['car', 'truck', 'bus', 'motorcycle'];
/** "We tailgate": somebody else is ahead. */
export const TAILS: ReadonlySet<Action> = new Set(['follows', 'close_ahead']);
/** Who does what is said of nobody; of all else it may be anything. */
const DOERS: Partial<Record<Action, readonly string[]>> = {
  loiters: ['person'],
  follows: VEHICLES,
  close_ahead: VEHICLES,
  left_behind: PORTABLE,
  taken_away: PORTABLE,
};

/** "Loitering", "entering from the left", "stopped for 30 s": null where the verb alone says too little. */
export function doerOf({ action, direction, pick, place }: Clause): Thing | null {
  if (pick === 'most' && action === null) return { ...ANYTHING, place };
  if (!action || action.action === 'present') return null;
  if (action.weak && action.action === 'moves' && direction === null && !action.by) return null;
  const classes = action.by === 'person' ? ['person'] : (DOERS[action.action] ?? []);
  return { ...ANYTHING, classes: [...classes], place };
}

/** "Stopped for over 30 seconds", "waiting at a traffic light": a thing in the picture, or the vehicle that carries the camera. Both are looked for. */
export const restsAlone = ({ subject, place, negated, action, relation }: Clause, what: What): boolean =>
  !subject &&
  !place &&
  !negated &&
  !action?.by &&
  (relation === null || relation.kind === 'near') &&
  what.kind === 'object' &&
  (what.action === 'stops' || what.action === 'stands');

export const READ_AS_CARRIER = 'this was read as the vehicle that carries the camera';
const DRIVEN: ReadonlySet<Action> = new Set(['stops', 'starts', 'stands', 'moves']);

/** "The driver stops": nobody at the wheel is seen to do so. */
export const isDriver = ({ subject, plainSubject, action, relation }: Clause): boolean =>
  plainSubject &&
  relation === null &&
  subject?.classes.includes('person') === true &&
  action !== null &&
  DRIVEN.has(action.action);

/** The same, said of the camera. */
export const asCamera = (clause: Clause): Clause => {
  const { text } = clause.subject!;
  const others = clause.unchecked.filter((u) => u.text !== text);
  return {
    ...clause,
    subject: null,
    camera: true,
    unchecked: [...others, { text, reason: READ_AS_CARRIER, blocks: false }],
  };
};
