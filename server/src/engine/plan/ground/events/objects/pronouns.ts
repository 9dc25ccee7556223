import type { Entity, Leaf, Predicate, Word } from '../../../meaning/types.ts';
import { REASONS } from '../../../reasons.ts';
import { OF_CARRIERS } from '../../actions.ts';
import { alone, plain } from '../steps.ts';
import type { EventContext, GroundedEvent } from '../types.ts';

/** "Does he come back": nobody says who, and that he was there before. */
export function returnOfSomebody(
  pronoun: Leaf,
  { head, negation, modifiers, object }: Predicate,
  { ledger }: EventContext,
): GroundedEvent | null {
  if (head.type !== 'returns' || modifiers.length > 0 || object) return null;
  ledger.use(pronoun, ...(negation ? [negation] : []));
  ledger.block([head.word], REASONS.noEarlier);
  return alone(plain({ kind: 'unknown' }));
}

/** True for people. */
export const isPersonal = ({ sense }: Word<'noun'>) => sense.classes.includes('person');

/** "It", "she": the subject of the step before. Without one, nobody knows who is meant. */
export function resolvePronoun(
  entity: Entity,
  predicate: Predicate | null,
  { antecedent, isOnly, ledger }: EventContext,
): Entity | null {
  if (entity.head.type !== 'pronoun') return entity;
  if (antecedent === null) return isOnly ? standIn(entity, predicate ?? entity.doing) : null;
  if (antecedent.head.type !== 'object') return null;
  // "A person enters while it is dark": not the person.
  const isOfKind = entity.plural
    ? antecedent.plural || isPersonal(antecedent.head.word)
    : isPersonal(antecedent.head.word) === entity.head.person || antecedent.head.word.sense.classes.length === 0;
  if (!isOfKind) return null;
  ledger.use(entity.head.word);
  return antecedent;
}

/** "Did he fall": nobody was named before, so that anybody counts. "Does it stop" may be about the vehicle. */
function standIn(entity: Entity, predicate: Predicate | null): Entity | null {
  if (entity.head.type !== 'pronoun' || !predicate) return null;
  const { word, person } = entity.head;
  const { head } = predicate;
  if (head.type !== 'action' && head.type !== 'owns' && !(head.type === 'state' && person)) return null;
  const isOfVehicle =
    head.type === 'action' && (OF_CARRIERS.has(head.word.sense.action) || head.word.sense.action === 'present');
  if (!person && isOfVehicle) return null;
  const sense = { type: 'noun', classes: person ? ['person'] : [] } as const;
  return { ...entity, head: { type: 'object', word: { ...word, sense }, indefinite: true } };
}
