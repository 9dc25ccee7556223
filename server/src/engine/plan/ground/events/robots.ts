import type { Entity, Predicate } from '../../meaning/types.ts';
import { NO_ROBOTS, REASONS } from '../../reasons.ts';
import { cameraMotion } from './camera-motion.ts';
import { alone, plain } from './steps.ts';
import type { EventContext, GroundedEvent, Timing } from './types.ts';

/** "The arm stops moving": its motion is the motion in the frame. */
export function robotMotion(
  { head, attributes, modifiers, doing, amount, negation, pick }: Entity,
  predicate: Predicate | null,
  timing: Timing,
  isNegated: boolean,
  context: EventContext,
): GroundedEvent | null {
  const { ledger, isOnly } = context;
  const { others } = timing;
  const isPlain = attributes.length + modifiers.length === 0 && !amount && !negation && !pick;
  if (
    head.type === 'unseen' &&
    isPlain &&
    !doing &&
    predicate?.head.type === 'camera_move' &&
    head.words.every(({ drives }) => drives)
  ) {
    // "The robot turns left": a motion that only the camera shows.
    ledger.note(head.words, REASONS.readAsCarrier);
    if (predicate.negation) ledger.use(predicate.negation);
    const own = { ...predicate, modifiers: others };
    return cameraMotion(own, isNegated !== (predicate.negation !== null), timing, context);
  }
  // Whatever else is named may move as well.
  if (!isOnly) return null;
  const verb = predicate ?? doing;
  if (head.type !== 'unseen' || !head.words.every(({ robot }) => robot) || !isPlain || (predicate && doing) || !verb)
    return null;
  if (verb.object || verb.agent || others.length > 0 || (doing && doing.modifiers.length > 0)) return null;
  const isMoving = motionOf(verb.head);
  if (isMoving === null) return null;
  ledger.note(head.words, NO_ROBOTS);
  ledger.use(
    ...('word' in verb.head && verb.head.word ? [verb.head.word] : []),
    ...(verb.negation ? [verb.negation] : []),
  );
  const isNot = [isNegated, !isMoving, verb.negation !== null].filter(Boolean).length % 2 === 1;
  return alone(plain({ kind: 'motion', place: null }, isNot));
}

/** True if the event is movement, false if it is standing still, null for other events. */
function motionOf(head: Predicate['head']): boolean | null {
  if (head.type === 'state') return head.word.sense.state === 'moving';
  if (head.type !== 'action' || head.word.sense.caveat || head.word.sense.direction) return null;
  const { action } = head.word.sense;
  if (action === 'moves' || action === 'starts') return true;
  return action === 'stops' || action === 'stands' ? false : null;
}
