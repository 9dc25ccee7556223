import type { Entity, Nominal, Predicate } from '../../meaning/types.ts';
import { NAMES, REASONS } from '../../reasons.ts';
import { ROAD_VEHICLES } from '../classes.ts';
import { carrierOf, isMeasured, nameBeside } from '../ego.ts';
import type { Ledger } from '../ledger.ts';
import { findLightStop } from '../lights.ts';
import { edgeOf, type GroundedObject, groundObject, leavesOfSide } from '../objects.ts';
import { cameraMotion } from './camera-motion.ts';
import { nameObject } from './objects/blocked.ts';
import { isNamed } from './objects/draft.ts';
import { objectInView } from './objects/index.ts';
import { alone, plain, present, unnamed } from './steps.ts';
import { takeTiming } from './timing.ts';
import type { EventContext, GroundedEvent, Timing } from './types.ts';
import { placed } from './whole-frame.ts';

/** An event whose subject is the camera: "we stop", "the camera pans". */
export function ofCamera(
  subject: Entity,
  predicate: Predicate | null,
  timing: Timing,
  isNegated: boolean,
  context: EventContext,
): GroundedEvent | null {
  const { ledger } = context;
  if (
    !predicate ||
    isNegated ||
    subject.head.type !== 'camera' ||
    subject.attributes.length > 0 ||
    subject.modifiers.length > 0 ||
    subject.doing ||
    subject.amount
  )
    return null;
  ledger.use(subject.head.word);
  const isCarrier = subject.head.word.sense.carrier === true;
  return ofCarrier(predicate, isCarrier, timing, context);
}

/** An event of the camera, or of the vehicle or person that carries it. */
function ofCarrier(
  predicate: Predicate,
  isCarrier: boolean,
  timing: Timing,
  context: EventContext,
): GroundedEvent | null {
  const { ledger } = context;
  const { head, negation } = predicate;
  if (negation) ledger.use(negation);
  const own = { ...predicate, modifiers: timing.others };
  const stop = findLightStop(own);
  if (stop) {
    if (negation || !placed(stop.others, stop.what, context)) return null;
    ledger.use(...stop.words);
    return alone(plain(stop.what));
  }
  const isNegated = negation !== null;
  if (isCarrier) {
    const made = toOthers(own, isNegated, timing, context);
    if (made !== undefined) return made;
  } else if (head.type === 'action' && head.word.sense.by === 'person') return null;
  return cameraMotion(own, isNegated, timing, context);
}

/** An event between the carrier of the camera and other objects; undefined for its own motion. */
function toOthers(
  predicate: Predicate,
  isNegated: boolean,
  timing: Timing,
  context: EventContext,
): GroundedEvent | null | undefined {
  const { head, object, agent, passive } = predicate;
  const { ledger } = context;
  const other = object ?? agent;
  if (head.type === 'owns') return object ? inView(object, isNegated, timing, context) : null;
  if (head.type !== 'action') return undefined;
  const { action, caveat } = head.word.sense;
  const isClose = action === 'close_ahead' || (action === 'follows' && caveat !== undefined);
  if (action === 'collides' && other) {
    if (!nameHit(other, ledger)) return null;
    return cameraMotion({ ...predicate, object: null, agent: null, passive: false }, isNegated, timing, context);
  }
  if (passive) return action === 'overtakes' ? overtaken(predicate, isNegated, timing, context) : undefined;
  if (isClose && !agent) {
    const ahead = object ? takeOther(object, context) : unnamed(NAMES.traffic, ROAD_VEHICLES);
    if (!ahead || timing.others.length > 0) return null;
    ledger.use(head.word);
    ledger.caveat(head.word, caveat, head.word.sense.decides ? { decides: true } : {});
    return alone(plain({ ...present(ahead.query), action: 'close_ahead' }, isNegated));
  }
  if (!object) return undefined;
  if (action === 'passes') {
    ledger.note([head.word], REASONS.passedByVehicle);
    return inView(object, isNegated, timing, context);
  }
  if (action === 'overtakes') {
    // All that are in view may be passed, and few of them are overtaken.
    ledger.block([head.word], REASONS.overtakenByVehicle);
    const isNamed = timing.others.length === 0 && nameObject(object, context);
    return isNamed ? alone(plain({ kind: 'unknown' }, isNegated)) : null;
  }
  return undefined;
}

/** An object that the carrier of the camera meets is in view. */
function inView(object: Nominal, isNegated: boolean, timing: Timing, context: EventContext): GroundedEvent | null {
  if (object.kind === 'group' || timing.others.length > 0) return null;
  const made = objectInView(object, null, timing, false, context);
  return made && { ...made, main: { ...made.main, negated: made.main.negated !== isNegated } };
}

/** "Overtaken by a truck", "we get overtaken": by somebody who drives. */
export function overtaken(
  { head, agent }: Predicate,
  isNegated: boolean,
  timing: Timing,
  context: EventContext,
): GroundedEvent | null {
  const [side, ...more] = timing.others;
  const from = side?.type === 'side' ? edgeOf(side.place) : null;
  if (head.type !== 'action' || more.length > 0 || (side && !from)) return null;
  if (side?.type === 'side') context.ledger.use(...leavesOfSide(side.place));
  const by = agent ? takeOther(agent, context) : unnamed(NAMES.traffic, ROAD_VEHICLES);
  if (!by) return null;
  context.ledger.use(head.word);
  return alone(plain({ ...present(by.query), action: 'overtakes', from }, isNegated !== by.negated));
}

/** An object without anything else; null for a place and others that are no object. */
function takeOther(other: Nominal, { ledger, textOf }: EventContext): GroundedObject | null {
  if (other.kind === 'group' || other.modifiers.length > 0 || other.doing || other.pick) return null;
  return groundObject(other, ledger, textOf);
}

/** The recording vehicle hits something, which is not in view. */
function nameHit(other: Nominal, ledger: Ledger): boolean {
  return nameBeside(other, 'jolts', ledger);
}

/** "The car turns left", "the driver stops": the vehicle that carries the camera; null for an object in the frame. */
export function ofOwnVehicle(
  entity: Entity,
  predicate: Predicate | null,
  timing: Timing,
  context: EventContext,
): GroundedEvent | null {
  const { ledger } = context;
  const isBare = predicate?.head.type === 'exists' && predicate.modifiers.every(({ type }) => type !== 'measure');
  const own = isBare ? entity.doing : (predicate ?? entity.doing);
  const noun = own && (entity.doing === null || own === entity.doing) ? carrierOf(entity, own) : null;
  if (!own || !noun) return null;
  const inner = own === entity.doing ? takeTiming(own.modifiers, context) : timing;
  if (!inner || (inner !== timing && (inner.conditions.length > 0 || inner.throughout))) return null;
  // Nothing else is measured.
  if (isMeasured(own)) ledger.use(noun);
  else ledger.note([noun], REASONS.readAsCarrier);
  const made = ofCarrier(own, true, inner, context);
  timing.duration ??= inner.duration;
  return made && withCarrier(made);
}

/** "Did it turn left": what only the recording vehicle is observed to do, if nothing was named before. */
export function ofVehicle(
  { head, plural }: Entity,
  predicate: Predicate | null,
  timing: Timing,
  context: EventContext,
): GroundedEvent | null {
  if (head.type !== 'pronoun' || head.person || head.set || head.other || plural || context.antecedent) return null;
  if (predicate?.head.type !== 'camera_move' || !context.isOnly) return null;
  context.ledger.note([head.word], REASONS.readAsCarrier);
  const made = ofCarrier(predicate, true, timing, context);
  return made && withCarrier(made);
}

/** True for "hits us". */
export const hitsCamera = ({ head, object, passive }: Predicate): boolean =>
  head.type === 'action' &&
  head.word.sense.action === 'collides' &&
  !passive &&
  object?.kind === 'entity' &&
  object.head.type === 'camera' &&
  object.head.word.sense.carrier === true &&
  isNamed(object);

/** "Did anybody hit us": we are hit. */
export function hitBy(
  entity: Entity,
  predicate: Predicate,
  timing: Timing,
  context: EventContext,
): GroundedEvent | null {
  const { ledger } = context;
  const { object, negation } = predicate;
  if (object?.kind !== 'entity' || object.head.type !== 'camera' || !nameHit(entity, ledger)) return null;
  ledger.use(object.head.word, ...(negation ? [negation] : []));
  const own = { ...predicate, object: null, modifiers: timing.others };
  return cameraMotion(own, negation !== null, timing, context);
}

const withCarrier = (made: GroundedEvent): GroundedEvent => ({
  ...made,
  main: made.main.what.kind === 'camera' ? { ...made.main, what: { ...made.main.what, vehicle: true } } : made.main,
});
