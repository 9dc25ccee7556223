import type { Entity, Leaf, Predicate, Word } from '../../../meaning/types.ts';
import { REASONS } from '../../../reasons.ts';
import { OF_CARRIERS } from '../../actions.ts';
import type { Ledger } from '../../ledger.ts';
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
  { antecedent, isOnly, isAlone, hasKinds, ledger }: EventContext,
): Entity | null {
  if (entity.head.type !== 'pronoun') return entity;
  // "After the train leaves, how many cars pass before the next one": a train, or a car.
  if (entity.head.other && hasKinds) return null;
  if (entity.head.other) return anotherOf(entity, antecedent, entity.head.word, ledger);
  if (antecedent === null) return isOnly ? standIn(entity, predicate ?? entity.doing) : null;
  if (antecedent.head.type !== 'object') return null;
  const { classes } = antecedent.head.word.sense;
  // "After the bus leaves, does he stay": not the bus.
  const isOfOther = entity.head.person && classes.length > 0 && !classes.some((name) => ALIVE.has(name));
  if (isOfOther && isAlone) return standIn(entity, predicate ?? entity.doing);
  // "A person enters while it is dark": not the person.
  const isOfKind = entity.plural
    ? antecedent.plural || isPersonal(antecedent.head.word)
    : isPersonal(antecedent.head.word) === entity.head.person || antecedent.head.word.sense.classes.length === 0;
  if (!isOfKind) return null;
  ledger.use(entity.head.word);
  return antecedent;
}

const ALIVE: ReadonlySet<string> = new Set([
  'person',
  'dog',
  'cat',
  'horse',
  'bird',
  'cow',
  'sheep',
  'bear',
  'elephant',
  'bicycle',
]);

/** "Another one": of the kind that was named. */
function anotherOf(entity: Entity, antecedent: Entity | null, word: Leaf, ledger: Ledger): Entity | null {
  if (antecedent?.head.type !== 'object') return null;
  ledger.note([word], REASONS.others);
  return { ...antecedent, determiner: null, amount: null, pick: null, modifiers: entity.modifiers, doing: null };
}

/** "Did he fall": nobody was named before, so that anybody counts. "Does it stop" may be about the vehicle. */
function standIn(entity: Entity, predicate: Predicate | null): Entity | null {
  if (entity.head.type !== 'pronoun' || !predicate) return null;
  const { word, set } = entity.head;
  if (entity.determiner?.whole) return null;
  const { head } = predicate;
  // "Are they walking": it is people who do.
  const person = entity.head.person || (entity.plural && head.type === 'action' && head.word.sense.by === 'person');
  if (set) return standInFor(entity, predicate);
  const isOfPerson = head.type === 'state' || (head.type === 'exists' && entity.amount !== null);
  if (head.type !== 'action' && head.type !== 'owns' && !(isOfPerson && person)) return null;
  const isOfVehicle =
    head.type === 'action' && (OF_CARRIERS.has(head.word.sense.action) || head.word.sense.action === 'present');
  const isVehicle = mayDrive(entity, predicate);
  if (!person && isOfVehicle && !isVehicle) return null;
  const sense = { type: 'noun', classes: person ? ['person'] : [] } as const;
  if (isVehicle) {
    const { span, text, id } = word;
    const determiner = { span, text, id, type: 'definite' } as const;
    return { ...entity, determiner, head: { type: 'object', word: { ...word, sense }, indefinite: false } };
  }
  return { ...entity, head: { type: 'object', word: { ...word, sense }, indefinite: true } };
}

/** "Does it stop": in footage from a vehicle, it is that one. "When does it start" may be about the recording. */
export function mayDrive({ head, plural }: Entity, predicate: Predicate | null): boolean {
  if (head.type !== 'pronoun' || head.person || head.set || plural) return false;
  if (predicate?.head.type !== 'action' || predicate.object) return false;
  const { span, sense } = predicate.head.word;
  return OF_CARRIERS.has(sense.action) && (sense.action !== 'starts' || span.to - span.from > 1);
}

/** "One of them": of people, unless the verb says that others are meant. */
function standInFor(entity: Entity, { head, negation }: Predicate): Entity | null {
  if (entity.head.type !== 'pronoun') return null;
  const { word } = entity.head;
  if (head.type === 'is') {
    const { other } = head;
    const isPlain =
      other.kind === 'entity' && other.head.type === 'object' && !other.amount && !other.pick && !negation;
    return isPlain
      ? { ...other, determiner: entity.determiner, amount: entity.amount, negation: entity.negation }
      : null;
  }
  const isAnything =
    head.type === 'state' ||
    head.type === 'color' ||
    (head.type === 'action' && OF_CARRIERS.has(head.word.sense.action));
  const sense = isAnything
    ? ({ type: 'noun', classes: [], caveat: REASONS.namesAnything } as const)
    : ({ type: 'noun', classes: ['person'], caveat: REASONS.namesNothing } as const);
  return { ...entity, head: { type: 'object', word: { ...word, sense }, indefinite: true } };
}

/** "How many of them are trucks": the noun of the predicate is what is counted. */
export const isKindOf = ({ head }: Entity, resolved: Entity, predicate: Predicate | null): boolean =>
  head.type === 'pronoun' &&
  predicate?.head.type === 'is' &&
  predicate.head.other.kind === 'entity' &&
  resolved.head === predicate.head.other.head;
