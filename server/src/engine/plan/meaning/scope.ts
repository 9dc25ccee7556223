import type {
  ActionWord,
  Anything,
  Conjunction,
  Entity,
  Event,
  FactStatement,
  Link,
  Modifier,
  Nominal,
  NominalGroup,
  Predicate,
  Statement,
} from './types.ts';

/** One event with one subject; `link` says how it follows the step before. */
export type MeaningStep = { readonly event: SingleEvent | Anything | FactStatement; readonly link: Link | null };
export type SingleEvent = Event & { readonly subject: Entity | null };
/** Steps that are searched as one. */
export type Chain = readonly MeaningStep[];

/** Most chains of one prompt; more would repeat themselves. */
const MOST_CHAINS = 24;
const MEANWHILE: Link = { join: 'while', same: false, within: null, apart: null };

/**
 * Spreads a statement about several subjects: "a car and a truck stop" are two searches, "neither cars nor people"
 * is one. Null where they are too many.
 */
export function spread(statement: Statement): readonly Chain[] | null {
  const chains = chainsOf(statement);
  return chains.length > MOST_CHAINS ? null : chains;
}

function chainsOf(statement: Statement): readonly Chain[] {
  switch (statement.kind) {
    case 'event':
      return ofEvent(statement);
    case 'anything':
    case 'fact':
      return [[{ event: statement, link: null }]];
    case 'list':
      return combine(statement.conjunction, statement.members.map(chainsOf));
    case 'sequence':
      if (statement.steps.some(({ statement: step }, i) => (i > 0 || step.kind === 'list') && isBothOf(step)))
        return TOO_MANY;
      return statement.steps
        .map(({ statement: step, link }) => stepsOf(step, link).map((chain) => linked(chain, link)))
        .reduce<readonly Chain[]>(cross, START);
  }
}

/** "While a person and a dog are there": with both. Of what comes then, each is one to report. */
function stepsOf(step: Statement, link: Link | null): readonly Chain[] {
  if (link?.join !== 'while' || step.kind !== 'event' || step.subject?.kind !== 'group' || !isBoth(step))
    return chainsOf(step);
  return combine(
    'nor',
    step.subject.members.map((member) => ofEvent({ ...step, subject: member })),
  );
}

/** "Then a person enters and a car stops": it is not stated whether both have to. */
const isBothOf = (statement: Statement): boolean => statement.kind === 'list' && isBoth(statement);

const isBoth = (statement: Statement): boolean =>
  (statement.kind === 'list' && statement.conjunction === 'and') ||
  (statement.kind === 'event' && statement.subject?.kind === 'group' && statement.subject.conjunction === 'and');

function ofEvent(event: Event): readonly Chain[] {
  const either = eitherOf(event);
  if (either) {
    const isOfSame = isObject(event.subject) && event.predicate !== null && event.predicate.negation !== null;
    return combine(isNeither(event) ? 'nor' : 'or', either.map(ofEvent), isOfSame);
  }
  const alternatives = alternativesOf(event);
  if (alternatives) return alternatives.flatMap(ofEvent);
  const { subject } = event;
  if (subject?.kind !== 'group') return [[{ event: { ...event, subject }, link: null }]];
  const pair = asPair(event, subject.members);
  if (pair) return [[{ event: pair, link: null }]];
  const isNone = subject.conjunction === 'nor' || subject.members.at(-1)!.negation !== null;
  return combine(
    isNone ? 'nor' : subject.conjunction,
    subject.members.map((member) => ofEvent({ ...event, subject: member })),
  );
}

/** "Goes in and out", "enters from the left or the right": an event for each. */
function eitherOf(event: Event): readonly Event[] | null {
  const { subject, predicate } = event;
  const ofVerb = predicate && (eachAction(predicate) ?? eachMember(predicate));
  if (ofVerb) return ofVerb.map((each) => ({ ...event, predicate: each }));
  const ofNoun = subject?.kind === 'entity' ? (eachMember(subject) ?? eachDoing(subject)) : null;
  return ofNoun?.map((each) => ({ ...event, subject: each })) ?? null;
}

/** Each action of a phrase for two. */
function eachAction(predicate: Predicate): Predicate[] | null {
  if (predicate.head.type !== 'action') return null;
  const { word } = predicate.head;
  const { or, ...sense } = word.sense;
  return or === undefined
    ? null
    : [sense.action, or].map((action, i) => ({
        ...predicate,
        head: { type: 'action', word: { ...halfOf(word, i), sense: { ...sense, action } } },
      }));
}

/** "Come", and "go", of "come and go". */
function halfOf(word: ActionWord, at: number): ActionWord {
  const half = word.halves?.[at];
  return half ? { ...word, span: { from: word.span.from + half.from, to: word.span.from + half.to } } : word;
}

const isObject = (subject: Nominal | null) => subject?.kind === 'entity' && subject.head.type !== 'camera';

/** A description by one of several modifiers, once for each of them. */
function eachMember<Described extends Entity | Predicate>(described: Described): Described[] | null {
  const at = described.modifiers.findIndex(({ type }) => type === 'either');
  const modifier = described.modifiers[at];
  return modifier?.type === 'either'
    ? modifier.members.map((member) => ({ ...described, modifiers: described.modifiers.with(at, member) }))
    : null;
}

function eachDoing(subject: Entity): Entity[] | null {
  const each = subject.doing && (eachAction(subject.doing) ?? eachMember(subject.doing));
  return each?.map((doing) => ({ ...subject, doing })) ?? null;
}

/** "Nobody goes in or out", "does not move left or right": none of them. */
const isNeither = ({ subject, predicate, negation }: Event): boolean =>
  negation !== null ||
  (predicate !== null && predicate.negation !== null) ||
  (subject?.kind === 'entity' && isNone(subject));

const isNone = ({ head, negation }: Entity): boolean =>
  negation !== null || (head.type === 'object' && head.word.sense.negated === true);

/** "A car and a truck next to each other": the one is next to the other. */
function asPair(event: Event, members: readonly Entity[]): SingleEvent | null {
  const [first, second] = members;
  if (members.length !== 2) return null;
  const ofNoun = second!.modifiers.at(-1);
  if (ofNoun?.type === 'mutual') {
    const without = (member: Entity) => ({ ...member, modifiers: member.modifiers.filter((each) => each !== ofNoun) });
    return beside(event, without(first!), { ...ofNoun, other: without(second!) });
  }
  const ofVerb = event.predicate && takeMutual(event.predicate);
  if (ofVerb) return beside({ ...event, predicate: ofVerb.rest }, first!, { ...ofVerb.mutual, other: second! });
  // "A man and a woman walking together": both do.
  const shared = first!.doing && first!.doing === second!.doing ? takeMutual(first!.doing) : null;
  const other = { ...second!, doing: null };
  return shared && beside(event, { ...first!, doing: shared.rest }, { ...shared.mutual, other });
}

type Mutual = Extract<Modifier, { type: 'mutual' }>;

function takeMutual(predicate: Predicate): { mutual: Mutual; rest: Predicate } | null {
  const mutual = predicate.modifiers.find((each): each is Mutual => each.type === 'mutual');
  if (!mutual) return null;
  return { mutual, rest: { ...predicate, modifiers: predicate.modifiers.filter((each) => each !== mutual) } };
}

const beside = (event: Event, subject: Entity, mutual: Mutual): SingleEvent =>
  event.predicate
    ? { ...event, subject, predicate: { ...event.predicate, modifiers: [...event.predicate.modifiers, mutual] } }
    : { ...event, subject: { ...subject, modifiers: [...subject.modifiers, mutual] } };

/** "Near a red car or a blue truck": one event for each, unless they differ in nothing but their class. */
function alternativesOf(event: Event): readonly Event[] | null {
  const { subject, predicate } = event;
  const object = predicate?.object ?? null;
  if (predicate && isAlternative(object))
    return object.members.map((member) => ({ ...event, predicate: { ...predicate, object: member } }));
  for (const [at, modifier] of (predicate?.modifiers ?? []).entries()) {
    const others = membersOf(modifier);
    if (predicate && others)
      return others.map((other) => ({
        ...event,
        predicate: { ...predicate, modifiers: predicate.modifiers.with(at, other) },
      }));
  }
  if (subject?.kind !== 'entity') return null;
  for (const [at, modifier] of subject.modifiers.entries()) {
    const others = membersOf(modifier);
    if (others)
      return others.map((other) => ({
        ...event,
        subject: { ...subject, modifiers: subject.modifiers.with(at, other) },
      }));
  }
  return null;
}

function membersOf(modifier: Modifier): Modifier[] | null {
  if (modifier.type !== 'relation' && modifier.type !== 'role') return null;
  const { other } = modifier;
  return isAlternative(other) ? other.members.map((member) => ({ ...modifier, other: member })) : null;
}

const isAlternative = (nominal: Nominal | null): nominal is NominalGroup =>
  nominal?.kind === 'group' && nominal.conjunction === 'or' && nominal.members.some((member) => !isPlain(member));

const isPlain = ({ attributes, amount, modifiers, doing, negation, head }: Entity) =>
  head.type === 'object' && attributes.length + modifiers.length === 0 && !amount && !doing && !negation;

/** Alternatives are searched one by one; what must all be missing is missing at the same time. */
function combine(conjunction: Conjunction, members: readonly (readonly Chain[])[], same = false): readonly Chain[] {
  if (conjunction !== 'nor') return members.flat();
  const link = { ...MEANWHILE, same };
  return members
    .map((chains, i) => chains.map((chain) => (i === 0 ? chain : linked(chain, link))))
    .reduce<readonly Chain[]>(cross, START);
}

const linked = (chain: Chain, link: Link | null): Chain => chain.map((step, i) => (i === 0 ? { ...step, link } : step));

/** One chain without steps, which others are added to. */
const START: readonly Chain[] = [[]];
const TOO_MANY: readonly Chain[] = Array.from({ length: MOST_CHAINS + 1 }, () => []);

const cross = (before: readonly Chain[], after: readonly Chain[]): readonly Chain[] =>
  before.length * after.length > MOST_CHAINS
    ? TOO_MANY
    : before.flatMap((first) => after.map((second) => [...first, ...second]));
