import type { Entity, Predicate } from '../../meaning/types.ts';
import { REASONS } from '../../reasons.ts';
import { ANYTHING } from '../objects.ts';
import { LIVELY } from '../signals.ts';
import { alone, plain, present } from './steps.ts';
import type { EventContext, GroundedEvent, Timing } from './types.ts';

/** "The room is empty": nobody is there, and nothing that comes and goes. */
export function emptyPlace(
  subject: Entity,
  predicate: Predicate,
  timing: Timing,
  context: EventContext,
): GroundedEvent | null {
  const { ledger } = context;
  const { head, negation } = predicate;
  if (head.type !== 'empty' || timing.others.length > 0) return null;
  const { head: place, attributes, modifiers, amount, doing } = subject;
  if (modifiers.length > 0 || attributes.length > 0 || amount || doing || subject.negation) return null;
  ledger.use(head.word);
  if (negation) ledger.use(negation);
  const isThere = (negation !== null) !== (head.word.sense.negated === true);
  if (place.type === 'picture' || (place.type === 'pronoun' && !place.person)) {
    ledger.use(place.word);
    return alone(plain(present(ANYTHING), !isThere));
  }
  if (place.type !== 'place') return null;
  const { surface, enclosed, zone } = place.word.sense;
  if (zone) {
    ledger.use(place.word);
    return alone(plain(present({ ...LIVELY, place: zone }), !isThere));
  }
  ledger.note(
    [place.word],
    enclosed && subject.determiner?.type === 'definite' ? REASONS.shown : REASONS.place,
    enclosed && subject.determiner?.type === 'definite' ? { presumed: 'fixed' } : {},
  );
  return alone(plain(present(surface ? ANYTHING : LIVELY), !isThere));
}
