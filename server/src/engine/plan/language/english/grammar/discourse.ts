import type {
  Entity,
  EntityAttribute,
  Event,
  Leaf,
  Modifier,
  Nominal,
  Predicate,
  Query,
  Statement,
} from '../../../meaning/types.ts';
import { isObject, sequence, withAttribute, withModifier } from './build.ts';
import { present, stated } from './clauses.ts';
import { ANIMALS } from './kinds.ts';

/**
 * A statement whose pronouns stand for what an earlier one names: "a car stops. when does it leave" is about the car
 * that stopped. Null if it does not refer to anything there.
 */
export function refer(statement: Statement, before: Statement): Statement | null {
  const named = lastNamed(before);
  return named && referTo(statement, named);
}

/** The question about what an earlier statement names. */
export function referQuery(made: Query, before: Statement): Query | null {
  if (made.calculation || (made.pick && !isOfOne(made.statement))) return null;
  const it = itOf(made);
  if (it && isOfFrame(before)) return { ...made, statement: before, repeats: [...made.repeats, it] };
  const statement = refer(made.statement, before);
  return statement && { ...made, statement };
}

/** "I heard a bang, is it on the audio": whether it is there. */
function itOf({ statement, isYesNo, question }: Query): Leaf | null {
  const isAsking = isYesNo || question?.sense.question === 'when';
  if (!isAsking || statement.kind !== 'event' || statement.subject?.kind !== 'entity') return null;
  const { subject, predicate } = statement;
  const isThere = predicate?.head.type === 'exists' && predicate.modifiers.length === 0;
  return isThere && subject.head.type === 'pronoun' && !subject.head.person ? subject.head.word : null;
}
const isOfFrame = (statement: Statement): boolean =>
  statement.kind === 'event' &&
  statement.subject === null &&
  (statement.predicate?.head.type === 'sound' || statement.predicate?.head.type === 'signal');

type Named = Event & { readonly subject: Entity };

/** The last event of an object that a statement names. */
function lastNamed(statement: Statement): Named | null {
  switch (statement.kind) {
    case 'event': {
      const { subject } = statement;
      const isNamed = subject?.kind === 'entity' && isObject(subject) && !isNone(subject) && !statement.negation;
      return isNamed && !statement.predicate?.negation ? { ...statement, subject } : null;
    }
    case 'list':
      return lastNamed(statement.members.at(-1)!);
    case 'sequence':
      return lastNamed(statement.steps[0]!.statement);
    default:
      return null;
  }
}

function referTo(statement: Statement, named: Named): Statement | null {
  switch (statement.kind) {
    case 'event':
      return continued(statement, named);
    case 'list': {
      const members = statement.members.map((member) => referTo(member, named));
      return members.length > 0 && members.every((member) => member !== null) ? { ...statement, members } : null;
    }
    case 'sequence': {
      const [first, ...others] = statement.steps;
      const start = referTo(first!.statement, named);
      // The others have the subject of the first step.
      return start && others.every(({ link }) => link?.join === 'then')
        ? others.reduce((all, { statement: step, link }) => sequence(all, step, link!), start)
        : null;
    }
    default:
      return null;
  }
}

function continued(own: Event, named: Named): Statement | null {
  const { subject, predicate } = own;
  if (subject?.kind === 'entity' && isReference(subject)) {
    const noun = standsFor(subject, named.subject);
    // "Does the red one stop": one of its kind, whatever the others do.
    if (noun && isOne(subject)) return { ...own, subject: noun };
    if (noun && subject.head.type === 'pronoun' && subject.head.other) return besides(own, noun, named);
    return noun && statedBy(own, noun, named);
  }
  // "A person enters; leaves."
  if (subject === null && predicate?.head.type === 'action' && isThirdPerson(predicate.head.word))
    return named.predicate === null ? null : sequence(named, { ...own, subject: named.subject }, { same: true });
  const other = predicate && withOther(predicate, named.subject);
  if (!other || subject === null) return null;
  const statement = { ...own, predicate: other };
  return named.predicate === null ? statement : sequence(named, statement, { every: 'this' });
}

const isThirdPerson = (word: Leaf) => 'form' in word && word.form === 'present';

/** "Does another one come": of the same kind. */
function besides(own: Event, noun: Entity, named: Named): Statement | null {
  const statement = own.predicate ? statedOf(noun, own.predicate, own.negation) : { ...own, subject: noun };
  return statement && named.predicate !== null ? sequence(named, statement, { every: 'this' }) : statement;
}

/** The event of what was named: a description of it, or what it does then. */
function statedBy(own: Event, noun: Entity, named: Named): Statement | null {
  const { predicate, negation } = own;
  if (predicate === null) return { ...named, subject: noun, negation };
  const described = describedBy(noun, predicate);
  if (described) return { ...named, subject: described, negation };
  const made = statedOf(noun, predicate, negation);
  if (!made || named.predicate === null) return made;
  // The track of an object that comes back is another one.
  return sequence(named, made, { same: predicate.head.type !== 'returns', every: 'this' });
}

function statedOf(noun: Entity, predicate: Predicate, negation: Leaf | null): Event | null {
  const made = predicate.head.type === 'exists' && predicate.modifiers.length === 0 ? null : stated(noun, predicate);
  const there = made ?? (predicate.negation ? null : present(noun));
  return there?.kind === 'event' ? { ...there, negation } : null;
}

/** "Of them are trucks", "of them are red", "of them carry a bag": which of those that were named. */
function describedBy(noun: Entity, { head, negation, object, agent, modifiers }: Predicate): Entity | null {
  if (negation || agent || noun.doing || noun.determiner?.whole) return null;
  if (head.type === 'is') return ofKind(noun, head.other);
  if (head.type === 'color' && modifiers.length === 0)
    return noun.attributes.some(({ type }) => type === 'color')
      ? null
      : withAttribute(noun, { type: 'color', words: head.words });
  if (head.type === 'exists' && modifiers.length > 0)
    return modifiers.reduce((all, modifier) => withModifier(all, modifier), noun);
  if (head.type === 'owns' && object && modifiers.length === 0)
    return withModifier(noun, relation(head.word, 'with', object));
  if (head.type === 'action' && head.word.sense.relation && object && modifiers.length === 0)
    return withModifier(noun, relation(head.word, head.word.sense.relation, object, head.word.sense.caveat));
  return null;
}

type RelationKind = Extract<Modifier, { type: 'relation' }>['word']['sense']['relation'];

function relation({ span, text, id }: Leaf, kind: RelationKind, other: Nominal, caveat?: string): Modifier {
  const sense = { type: 'relation', relation: kind, ...(caveat ? { caveat } : {}) } as const;
  return { type: 'relation', word: { span, text, id, sense }, negation: null, other };
}

/** "Vehicles, of which three are trucks": the trucks among them. */
function ofKind(noun: Entity, other: Nominal): Entity | null {
  if (other.kind === 'group' || !isObject(other) || other.head.type !== 'object' || noun.head.type !== 'object')
    return null;
  const { classes } = noun.head.word.sense;
  if (classes.length > 0 && !other.head.word.sense.classes.every((name) => classes.includes(name))) return null;
  const attributes: EntityAttribute[] = [...noun.attributes, ...other.attributes];
  return { ...noun, head: other.head, attributes, modifiers: [...noun.modifiers, ...other.modifiers] };
}

/** True for a noun phrase that stands for one that was named before. */
const isReference = (noun: Entity) => noun.head.type === 'pronoun' || isOne(noun);
/** "Which one leaves first". */
const isOfOne = (statement: Statement): boolean =>
  statement.kind === 'event' && statement.subject?.kind === 'entity' && isOne(statement.subject);
const isOne = ({ head }: Entity) => head.type === 'object' && head.one === true;

/** The object that a pronoun stands for; null for one of another kind. */
function standsFor(pronoun: Entity, noun: Entity): Entity | null {
  if (isOne(pronoun) && noun.head.type === 'object') {
    const isColored = pronoun.attributes.some(({ type }) => type === 'color');
    const attributes = noun.attributes.filter(({ type }) => !isColored || type !== 'color');
    return { ...pronoun, head: noun.head, attributes: [...pronoun.attributes, ...attributes] };
  }
  if (pronoun.head.type !== 'pronoun' || noun.head.type !== 'object') return null;
  const { classes } = noun.head.word.sense;
  const isPersonal = classes.includes('person') || noun.head.word.sense.ridden === true;
  const isOfKind = pronoun.head.other
    ? true
    : pronoun.plural
      ? isMany(noun) || isPersonal
      : pronoun.head.person
        ? isPersonal || classes.length === 0 || classes.every((name) => ANIMALS.has(name))
        : !isPersonal && !isMany(noun);
  if (!isOfKind) return null;
  const { span, text, id } = pronoun.head.word;
  const { set, other } = pronoun.head;
  if (other)
    return {
      ...noun,
      determiner: { span, text, id, type: 'other' },
      amount: null,
      pick: null,
      modifiers: pronoun.modifiers,
      doing: null,
    };
  const determiner = pronoun.determiner ?? { span, text, id, type: 'definite' };
  // "Is it red and moving": what the sentence states of it belongs to the noun.
  const isColored = (each: Entity) => each.attributes.some(({ type }) => type === 'color');
  if (isColored(pronoun) && isColored(noun)) return null;
  return {
    ...noun,
    attributes: [...pronoun.attributes, ...noun.attributes],
    modifiers: [...noun.modifiers, ...pronoun.modifiers],
    determiner: pronoun.determiner ? { ...determiner, ...joinedSpan(determiner, pronoun.head.word) } : determiner,
    pick: null,
    ...(set ? { amount: pronoun.amount, negation: pronoun.negation, pick: pronoun.pick } : {}),
  };
}

const joinedSpan = (a: Leaf, b: Leaf): Pick<Leaf, 'span'> => ({
  span: { from: Math.min(a.span.from, b.span.from), to: Math.max(a.span.to, b.span.to) },
});

const isMany = ({ plural, amount }: Entity) => plural || (amount !== null && (amount.min ?? 0) > 1);

const isNone = ({ head, negation }: Entity): boolean =>
  negation !== null || (head.type === 'object' && head.word.sense.negated === true);

/** The event with the object that its other pronouns stand for: "does anyone come near it". */
function withOther(predicate: Predicate, noun: Entity): Predicate | null {
  const other: Entity = {
    ...noun,
    doing: null,
    amount: null,
    pick: null,
    modifiers: noun.modifiers.filter(({ type }) => type === 'side'),
  };
  const replaced = (nominal: Nominal | null): Nominal | null =>
    nominal?.kind === 'entity' && isReference(nominal) ? standsFor(nominal, other) : null;
  const object = replaced(predicate.object);
  if (object) return { ...predicate, object };
  const at = predicate.modifiers.findIndex((each) => 'other' in each && each.other && replaced(each.other));
  const modifier = predicate.modifiers[at];
  if (modifier?.type !== 'relation' && modifier?.type !== 'role') return null;
  return { ...predicate, modifiers: predicate.modifiers.with(at, { ...modifier, other: replaced(modifier.other)! }) };
}

export const isReferring = (statement: Statement): boolean =>
  statement.kind === 'event' && statement.subject?.kind === 'entity' && isReference(statement.subject);
