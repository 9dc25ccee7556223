import type { Entity, Predicate } from '../../meaning/types.ts';
import { hitBy, hitsCamera, ofOwnVehicle, ofVehicle } from './carrier.ts';
import { impliedEither } from './implied-subject.ts';
import { objectInView } from './objects/index.ts';
import { returnOfSomebody } from './objects/pronouns.ts';
import { robotMotion } from './robots.ts';
import type { EventContext, GroundedEvent, Timing } from './types.ts';

/** A noun or a pronoun: the vehicle that carries the camera, a robot, or an object in the frame. */
export function namedSubject(
  entity: Entity,
  predicate: Predicate | null,
  timing: Timing,
  isNegated: boolean,
  context: EventContext,
): GroundedEvent | null {
  const { ledger } = context;
  if (entity.head.type === 'pronoun' && predicate?.head.type === 'returns' && context.isFirst)
    return returnOfSomebody(entity.head.word, predicate, context);
  if (entity.head.type === 'pronoun' && context.implied !== null && predicate) {
    if (entity.head.person) return null;
    ledger.use(entity.head.word);
    return impliedEither(predicate, isNegated, timing, context);
  }
  const drives = isNegated ? null : ofVehicle(entity, predicate, timing, context);
  if (drives) return drives;
  if (predicate && !isNegated && hitsCamera(predicate)) return hitBy(entity, predicate, timing, context);
  const carried = isNegated ? null : ofOwnVehicle(entity, predicate, timing, context);
  if (carried) return carried;
  const motion = robotMotion(entity, predicate, timing, isNegated, context);
  return motion ?? objectInView(entity, predicate, timing, isNegated, context);
}
