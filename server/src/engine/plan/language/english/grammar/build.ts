import type {
  Calculation,
  Entity,
  EntityAttribute,
  EntityHead,
  Event,
  Leaf,
  Link,
  MeasuredAmount,
  Modifier,
  Nominal,
  Predicate,
  PredicateHead,
  Query,
  Sequence,
  Statement,
  Word,
} from '../../../meaning/types.ts';
import { BY_SOUND } from '../../../reasons.ts';
import type { VerbForm } from '../morphology.ts';

/** Meanings without anything that is not stated, for the rules to add to. */

export const entity = (head: EntityHead, more: Partial<Entity> = {}): Entity => ({
  kind: 'entity',
  head,
  plural: false,
  determiner: null,
  negation: null,
  amount: null,
  pick: null,
  attributes: [],
  modifiers: [],
  doing: null,
  ...more,
});

export const predicate = (head: PredicateHead, more: Partial<Predicate> = {}): Predicate => ({
  head,
  negation: null,
  object: null,
  agent: null,
  passive: false,
  modifiers: [],
  ...more,
});

export const event = (subject: Nominal | null, what: Predicate | null, negation: Leaf | null = null): Event => ({
  kind: 'event',
  subject,
  predicate: what,
  negation,
});

/** An action that a noun names: "an accident". */
export const namedEvent = (word: Word<'action'>): Event => ({
  ...event(null, predicate({ type: 'action', word })),
  isNamed: true,
});

/** Something of the whole frame, without a subject. */
export const frameEvent = (head: PredicateHead, negation: Leaf | null = null): Event =>
  event(null, predicate(head), negation);

export const query = (statement: Statement, more: Partial<Query> = {}): Query => ({
  question: null,
  isYesNo: false,
  isWhich: false,
  statement,
  window: null,
  per: null,
  pick: null,
  calculation: null,
  repeats: [],
  ...more,
});

/** A question for values. Its statement is that of the first one. */
export const calculated = (calculation: Calculation, more: Partial<Query> = {}): Query =>
  query(calculation.values[0]!.statement, { ...more, calculation });

/** Any time between two events, in seconds. */
export const LONGEST: MeasuredAmount = { words: [], dimension: 'time', min: 86_400, max: null, bare: true };

const LINK: Link = { join: 'then', same: false, within: null, apart: null };

/** One statement after the other; sequences are joined to one. */
export function sequence(first: Statement, second: Statement, link: Partial<Link> = {}): Sequence {
  const stepsOf = (statement: Statement) =>
    statement.kind === 'sequence' ? statement.steps : [{ statement, link: null }];
  const [next, ...others] = stepsOf(second);
  return {
    kind: 'sequence',
    steps: [...stepsOf(first), { statement: next!.statement, link: { ...LINK, ...link } }, ...others],
  };
}

export const withAttribute = (noun: Entity, attribute: EntityAttribute): Entity => ({
  ...noun,
  attributes: [attribute, ...noun.attributes],
});
/** "A dog next to a person in red": it is the person who wears it. */
export const wears = ({ head }: Entity): boolean =>
  head.type === 'object' && head.word.sense.classes.includes('person');

export const withModifier = (noun: Entity, modifier: Modifier): Entity => ({
  ...noun,
  modifiers: [...noun.modifiers, modifier],
});
export const modified = (what: Predicate, modifier: Modifier): Predicate => ({
  ...what,
  modifiers: [...what.modifiers, modifier],
});

/** Words that one remark is about. */
export function phraseOf(words: readonly Leaf[]): Leaf {
  const [first] = words;
  const last = words.at(-1)!;
  return {
    span: { from: first!.span.from, to: last.span.to },
    text: words.map(({ text }) => text).join(' '),
    id: first!.id,
  };
}

export const isObject = ({ head }: Entity) => head.type === 'object' || head.type === 'unseen';
export const isFiniteForm = (form: VerbForm) => form === 'present' || form === 'past';
/** Forms that describe a noun: "a person carrying a bag", "a car followed by a truck". */
export const describes = (form: VerbForm) => form === 'ing' || form === 'participle';
/** A verb after "do" and "can". */
export const isBase = (form: VerbForm) => form === 'base';

/** Objects in the plural, of which only the presence is stated. */
export const isPlural = (statement: Statement): boolean =>
  statement.kind === 'event' &&
  statement.predicate === null &&
  statement.negation === null &&
  statement.subject?.kind === 'entity' &&
  isObject(statement.subject) &&
  statement.subject.plural &&
  statement.subject.amount === null;

/** A word shortened to the end of another one: "there's". */
export const isClitic = ({ text }: Leaf): boolean => /^['’]|^(?:s|re|m|ve|d|ll)$/i.test(text);

/** A word without what its category adds. */
export const leafOf = ({ span, text, id }: Leaf): Leaf => ({ span, text, id });

/** Neighboring words as one. */
export function joined({ span, text, id }: Leaf, others: readonly Leaf[]): Leaf {
  const to = Math.max(span.to, ...others.map((other) => other.span.to));
  return { id, span: { from: span.from, to }, text: [text, ...others.map((other) => other.text)].join(' ') };
}

/** A word that asks this question. */
export const questionOf = (
  question: Word<'question'>['sense']['question'],
  { span, text, id }: Leaf,
): Word<'question'> => ({
  span,
  text,
  id,
  sense: { type: 'question', question },
});

/** Something that comes and goes is there. */
export const lively = ({ span, text, id }: Leaf) =>
  ({ type: 'empty', word: { span, text, id, sense: { type: 'empty', negated: true } } }) as const;

/** "Nobody", "no car". */
export const isNone = (subject: Nominal): boolean =>
  subject.kind === 'group'
    ? subject.members.some(isNone)
    : subject.negation !== null || (subject.head.type === 'object' && subject.head.word.sense.negated === true);

/** "How many two cars", "how many no cars": not asked. */
export const isCounted = (subject: Nominal): boolean => {
  const members: readonly Entity[] = subject.kind === 'group' ? subject.members : [subject];
  const isCountable = (member: Entity) => isObject(member) || member.head.type === 'light';
  return (
    members.some((member) => member.amount !== null || member.determiner !== null || !isCountable(member)) ||
    isNone(subject)
  );
};

/** Words for the video, and not for what it shows. */
export const LASTING = /^(?:video|clip|footage|recording|film|movie|vid)$/i;

/** A sound beside "hear": that it is looked for by its sound is no caveat there. */
export function audible(statement: Statement): Statement {
  if (statement.kind !== 'event' || statement.predicate?.head.type !== 'sound') return statement;
  const { head } = statement.predicate;
  const { caveat, ...sense } = head.word.sense;
  if (caveat !== BY_SOUND) return statement;
  return {
    ...statement,
    predicate: { ...statement.predicate, head: { type: 'sound', word: { ...head.word, sense } } },
  };
}
