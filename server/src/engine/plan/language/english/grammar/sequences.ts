import type {
  Entity,
  Event,
  Link,
  List,
  MeasuredAmount,
  Modifier,
  Nominal,
  PredicateHead,
  Sequence,
  Statement,
} from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import { Unlikely } from '../../../parse/rules.ts';
import { REASONS } from '../../../reasons.ts';
import type { Categories, VerbPhrase } from '../categories.ts';
import { JOINED_CLAUSES, UNLIKE } from '../costs.ts';
import { event, isNone, modified, phraseOf, predicate, sequence } from './build.ts';
import { present, stated } from './clauses.ts';
import { refer } from './discourse.ts';
import { likewise, withVerbOf } from './ellipsis.ts';
import { isExcepting } from './nominals.ts';

/** Clauses in sequence, at the same time, and side by side. */
export function sequenceRules(rule: AddRule<Categories>): void {
  rule('Statement', ['Clause'], 'a car stops', (statement) => statement);
  rule(
    'Statement',
    ['Statement', 'Then', 'Statement'],
    'a car stops then a person appears',
    (a, _, b) => follows(a, b),
    0.4,
  );
  rule(
    'Statement',
    ['Statement', 'Comma', 'Then', 'Statement'],
    'a car stops, then a person appears',
    (a, _, _then, b) => follows(a, b),
    0.4,
  );
  rule(
    'Statement',
    ['After', 'Clause', 'Comma', 'Statement'],
    'after a car stops, a person appears',
    (_, a, _comma, b) => follows(a, b),
    0.3,
  );
  rule(
    'Statement',
    ['After', 'Clause', 'Statement'],
    'once it gets dark a person appears',
    (_, a, b) => follows(a, b),
    FRONTED,
  );
  rule(
    'Statement',
    ['Before', 'Clause', 'Statement'],
    'before the car stops a person appears',
    (_, b, a) => follows(a, b),
    FRONTED,
  );
  rule(
    'Statement',
    ['While', 'Clause', 'Statement'],
    'as the car stops a person appears',
    (_, a, b) => amid(a, b),
    FRONTED,
  );
  rule(
    'Statement',
    ['Measure', 'After', 'Clause', 'Clause'],
    'at least one minute after the truck leaves a car arrives',
    (gap, _, a, b) => apart(a, b, gap),
    FRONTED,
  );
  rule(
    'Statement',
    ['Statement', 'Comma', 'BeforeThat', 'Clause'],
    'a car stops, before that a person crosses',
    (b, _, _that, a) => follows(a, b),
    0.3,
  );
  rule(
    'Statement',
    ['First', 'Statement'],
    'first a person, then a dog',
    (_, statement) =>
      statement.kind === 'sequence' && statement.steps.every(({ link }) => link?.join !== 'while') ? statement : null,
    0.1,
  );
  rule(
    'Statement',
    ['Statement', 'Stop', 'Then', 'Statement'],
    'a car stops. then a person appears',
    (a, _, _then, b) => follows(a, b),
    0.4,
  );
  rule(
    'Statement',
    ['Statement', 'Stop', 'Then', 'VerbPhrase'],
    'a car stops. then leaves',
    (a, _, _then, verb) => thenAlso(a, verb),
    LEFT_OUT,
  );
  rule(
    'Statement',
    ['Statement', 'During', 'Clause'],
    'a car stops during rain',
    (a, _, b) => (isFrameOnly(b) ? meanwhile(a, b) : null),
    0.4,
  );
  rule(
    'Statement',
    ['During', 'Clause', 'Statement'],
    'during rain a car stops',
    (_, a, b) => (isFrameOnly(a) ? amid(a, b) : null),
    FRONTED,
  );
  rule(
    'Statement',
    ['During', 'Clause', 'Comma', 'Statement'],
    'during rain, a car stops',
    (_, a, _comma, b) => (isFrameOnly(a) ? amid(a, b) : null),
    0.4,
  );

  rule(
    'Statement',
    ['Statement', 'After', 'Clause'],
    'a person appears after a car stops',
    (b, after, a) => (/^right/i.test(after.text) && isTurn(b) ? null : follows(likewise(b, a), b)),
    0.4,
  );
  rule(
    'Statement',
    ['Before', 'Clause', 'Comma', 'Statement'],
    'before a car stops, a person appears',
    (_, b, _comma, a) => follows(a, b),
    0.3,
  );
  rule(
    'Statement',
    ['Statement', 'After', 'NounPhrase', 'Do'],
    'the dog leaves after the man does',
    (b, word, noun) => {
      const a = /^after$/i.test(word.text) ? withVerbOf(b, event(noun, null)) : null;
      return a && follows(a, b);
    },
    0.4,
  );
  rule(
    'Statement',
    ['Statement', 'Before', 'NounPhrase', 'Do'],
    'the dog leaves before the man does',
    (a, word, noun) => {
      const b = /^before$/i.test(word.text) ? withVerbOf(a, event(noun, null)) : null;
      return b && follows(a, b);
    },
    0.4,
  );
  rule(
    'Statement',
    ['Statement', 'Before', 'Clause'],
    'a person appears before a car stops',
    (a, _, b) => follows(a, b),
    0.4,
  );
  rule(
    'Statement',
    ['Statement', 'Within', 'Measure', 'After', 'Clause'],
    'a person appears within 5 s after a car stops',
    (b, _, within, _after, a) => follows(likewise(b, a), b, { within: timed(within) }),
    0.3,
  );
  rule(
    'Statement',
    ['Statement', 'Within', 'Measure', 'Of', 'Clause'],
    'a person enters within 5 s of a bang',
    (b, _, within, _of, a) => follows(a, b, { within: timed(within) }),
    0.3,
  );

  rule(
    'Statement',
    ['Statement', 'Comma', 'But', 'Clause'],
    'a car stops, but nobody gets out',
    (a, _, _but, b) => (isBare(b) && !isMissing(b) ? null : meanwhile(a, b)),
    0.5,
  );
  rule(
    'Statement',
    ['Statement', 'If', 'NounPhrase', 'Be'],
    'motion where nobody is',
    (a, _, noun) => {
      const there = present(noun);
      return there && meanwhile(a, there);
    },
    0.5,
  );
  rule(
    'Statement',
    ['Statement', 'Within', 'Measure'],
    'a car stops and leaves within 5 s',
    (statement, _, within) => limitLast(statement, { within: timed(within) }),
    0.1,
  );
  rule(
    'Statement',
    ['Statement', 'After', 'Measure'],
    'a car stops and leaves after 5 minutes',
    (statement, _, gap) => limitLast(statement, { apart: timed(gap) }),
    0.1,
  );
  rule(
    'Statement',
    ['Statement', 'TimeRange', 'After', 'Clause'],
    'a car leaves between 10 and 20 seconds after a person appears',
    (b, gap, _, a) => apart(a, b, gap),
    0.1,
  );
  rule(
    'Statement',
    ['Statement', 'Then', 'VerbPhrase'],
    'a person appears then stops then leaves',
    (a, _, verb) => thenAlso(a, verb),
    LEFT_OUT,
  );
  rule(
    'Statement',
    ['Statement', 'Comma', 'Then', 'VerbPhrase'],
    'a person appears, then disappears, then appears again',
    (a, _, _then, verb) => thenAlso(a, verb),
    LEFT_OUT,
  );
  rule(
    'Statement',
    ['NounPhrase', 'Complement', 'Then', 'Complement'],
    'cup left of the bowl then right of it',
    (noun, a, _, b) => movedFrom(noun, a, b),
    0.5,
  );
  rule(
    'Statement',
    ['NounPhrase', 'Complement', 'Comma', 'Then', 'Complement'],
    'cup left of the bowl, then right of it',
    (noun, a, _, _then, b) => movedFrom(noun, a, b),
    0.5,
  );
  rule(
    'Statement',
    ['NounPhrase', 'Comma', 'NounPhrase', 'VerbPhrase'],
    'three people, two of them sitting',
    (all, _, part, { form, predicate: what }) => {
      const named = form === 'ing' || form === 'participle' ? present(all) : null;
      const own = named && isSet(part) ? refer(event(part, what), named) : null;
      return own && meanwhile(named!, own);
    },
    0.3,
  );
  rule('Clause', ['Together'], 'both a bus and a truck', (statement) => statement);
  rule('Together', ['Both', 'NounPhrase', 'And', 'NounPhrase'], 'both a bus and a truck', (_, a, _and, b) =>
    atOnce(present(a), present(b)),
  );
  rule(
    'Clause',
    ['NounPhrases', 'VerbPhrase', 'AtOnce'],
    'a man and a woman walking at the same time',
    ({ conjunction, members }, { form, predicate: what }) =>
      conjunction === 'and' && form !== 'base'
        ? members.map((member): Statement | null => stated(member, what)).reduce(atOnce)
        : null,
    0.1,
  );
  rule(
    'Statement',
    ['Statement', 'Comma', 'All', 'Within', 'Measure'],
    'a van, then a bus, all within a minute',
    (statement, _, _all, _within, amount) => allWithin(statement, timed(amount)),
    0.3,
  );
  rule(
    'Statement',
    ['Statement', 'Measure', 'After', 'Clause'],
    'a person appears 10 s after a car stops',
    (b, gap, _, a) => apart(a, b, gap),
    0.3,
  );
  rule(
    'Statement',
    ['Measure', 'After', 'Clause', 'Comma', 'Clause'],
    '10 s after a car stops, a person appears',
    (gap, _, a, _comma, b) => apart(a, b, gap),
    0.3,
  );
  rule(
    'Statement',
    ['Statement', 'Measure', 'Before', 'Clause'],
    'a person enters less than 10 s before a car',
    (a, gap, _, b) => apart(a, b, gap),
    0.1,
  );
  rule(
    'Statement',
    ['Statement', 'And', 'Measure', 'Later', 'Clause'],
    'a car stops and 2 minutes later a person appears',
    (a, _, gap, _later, b) => apart(a, b, gap),
    0.1,
  );
  rule(
    'Statement',
    ['Statement', 'And', 'Clause', 'Measure', 'Later'],
    'a car stops and a person appears 2 minutes later',
    (a, _, b, gap) => apart(a, b, gap),
    0.1,
  );
  for (const mark of [[], ['Comma']] as const) {
    const pause = mark.length > 0 ? ',' : '';
    rule(
      'Statement',
      ['After', 'VerbPhrase', ...mark, 'Clause'],
      `after stopping${pause} the truck leaves`,
      (...parts) => ofSame(parts[1], parts.at(-1) as Statement, false),
      FRONTED,
    );
    rule(
      'Statement',
      ['Before', 'VerbPhrase', ...mark, 'Clause'],
      `before leaving${pause} the man sits down`,
      (...parts) => ofSame(parts[1], parts.at(-1) as Statement, true),
      FRONTED,
    );
  }
  rule(
    'Statement',
    ['Statement', 'Until', 'Clause'],
    'the car waits until the person has crossed',
    (a, _, b) => follows(a, b),
    0.4,
  );
  rule(
    'Statement',
    ['Clause', 'After', 'VerbPhrase'],
    'a car comes back after leaving',
    (b, _, { form, predicate: what }) =>
      form === 'ing' && b.kind === 'event' && b.subject?.kind === 'entity'
        ? sequence(event(b.subject, what), b, { same: true })
        : null,
    0.2,
  );
  rule(
    'Statement',
    ['Statement', 'While', 'Clause'],
    'a car stops while a person appears',
    (a, _, b) => meanwhile(a, b),
    0.4,
  );
  rule(
    'Statement',
    ['While', 'Clause', 'Comma', 'Statement'],
    'while a person is there, a car stops',
    (_, a, _comma, b) => amid(a, b),
    0.4,
  );
  rule(
    'Statement',
    ['Statement', 'But', 'Clause'],
    'sound but no motion',
    (a, _, b) => (isBare(b) && !isMissing(b) ? null : meanwhile(a, b)),
    0.5,
  );
  rule(
    'Statement',
    ['Clause', 'And', 'Clause', 'AtOnce'],
    'a car and a person at the same time',
    (a, _, b) => meanwhile(a, b),
    0.1,
  );
  rule(
    'Statement',
    ['Statement', 'And', 'Clause'],
    'a car stops and a person appears',
    (a, _, b) => list('and', a, b),
    JOINED_CLAUSES,
  );
  rule(
    'Statement',
    ['Statement', 'Or', 'Clause'],
    'camera blocked or black screen',
    (a, _, b) => list('or', a, b),
    JOINED_CLAUSES,
  );
  rule(
    'Statement',
    ['Statement', 'Comma', 'Clause'],
    'a person enters, a car stops',
    (a, _, b) => list('and', a, b),
    0.9,
  );
  rule(
    'Statement',
    ['Statement', 'Comma', 'And', 'Clause'],
    'a person enters, and a car stops',
    (a, _, _and, b) => list('and', a, b),
    JOINED_CLAUSES,
  );
}

/** "After stopping, the car turns": both of one subject. */
function ofSame({ form, predicate: what }: VerbPhrase, main: Statement, isLater: boolean): Statement | null {
  if (form !== 'ing' || main.kind !== 'event' || main.subject?.kind !== 'entity') return null;
  const other = event(main.subject, what);
  const same = main.subject.head.type !== 'camera';
  return isLater ? sequence(main, other, { same }) : sequence(other, main, { same });
}

/** A clause before the one that it belongs to, without a comma between them. */
const FRONTED = 0.6;

/** Each step at most so long after the one before. */
function allWithin(statement: Statement, within: MeasuredAmount | null): Statement | null {
  if (statement.kind !== 'sequence' || within === null) return null;
  const isPlain = statement.steps.every(({ link }) => !link || (link.join === 'then' && !link.within && !link.apart));
  if (!isPlain) return null;
  return {
    ...statement,
    steps: statement.steps.map((step) => ({ ...step, link: step.link && { ...step.link, within } })),
  };
}

/** A verb whose subject is that of the step before. */
const LEFT_OUT = 0.6;

/** "Then leaves": the subject of the step before. */
function thenAlso(a: Statement, { form, predicate: what }: VerbPhrase): Statement | null {
  const last = a.kind === 'sequence' ? a.steps.at(-1)!.statement : a;
  if (last.kind !== 'event' || last.subject?.kind === 'group' || form === 'adjective') return null;
  const isFrame = last.subject === null;
  if (isFrame !== (what.head.type === 'signal' || what.head.type === 'sound')) return null;
  if (last.subject && isNone(last.subject)) return null;
  if (last.predicate === null && form !== 'ing') return null;
  return sequence(a, event(last.subject, what), { same: !isFrame });
}

/** "Left of the bowl then right of it": first the one, then the other. */
function movedFrom(noun: Entity, a: Modifier, b: Modifier): Statement | null {
  const at = (modifier: Modifier) => event(noun, modified(predicate({ type: 'exists' }), modifier));
  if (a.type === 'side' && b.type === 'side') return sequence(at(a), at(b), { same: true });
  if ((a.type !== 'relation' && a.type !== 'role') || (b.type !== 'relation' && b.type !== 'role')) return null;
  return sequence(at(a), at(b), { same: true });
}

const isOther = (nominal: Nominal) =>
  nominal.kind === 'entity' && nominal.head.type === 'pronoun' && nominal.head.other === true;
/** "A person on the left and another on the right": both at the same time. */
function besides(a: Statement, b: Statement): Statement | null {
  const named = a.kind === 'event' && a.subject?.kind === 'entity' ? a.subject : null;
  const other = named && refer(b, { kind: 'event', subject: named, predicate: null, negation: null });
  return other && meanwhile(a, other);
}
const isSet = (nominal: Nominal) =>
  nominal.kind === 'entity' && nominal.head.type === 'pronoun' && nominal.head.set === true;
const isPronoun = (nominal: Nominal) => nominal.kind === 'entity' && nominal.head.type === 'pronoun';

const atOnce = (a: Statement | null, b: Statement | null): Statement | null =>
  a && b && sequence(a, b, { join: 'while' });

/** Each event of a statement while a signal holds: "at night". */
export function during(statement: Statement, word: Categories['SignalTime']): Statement | null {
  switch (statement.kind) {
    case 'anything':
    case 'fact':
      return null;
    case 'event': {
      const isTimed = statement.predicate?.modifiers.some(({ type }) => type === 'signal') === true;
      if (!word.sense.leads || isTimed || isTimeOnly(statement)) return null;
      const what = statement.predicate ?? predicate({ type: 'exists' });
      return { ...statement, predicate: modified(what, { type: 'signal', word }) };
    }
    case 'list': {
      const members = statement.members.map((member) => during(member, word));
      return members.every((member) => member !== null) ? { ...statement, members } : null;
    }
    case 'sequence': {
      const steps = statement.steps.map((step) => ({ ...step, statement: during(step.statement, word) }));
      return steps.every((step): step is Sequence['steps'][number] => step.statement !== null)
        ? { ...statement, steps }
        : null;
    }
  }
}

/** The limits of the last step of a sequence. */
export function limitLast(statement: Statement, limits: Partial<Link>): Statement | null {
  if (statement.kind !== 'sequence' || limits.within === null || limits.apart === null) return null;
  const last = statement.steps.at(-1)!;
  if (last.link?.join !== 'then' || last.link.within || last.link.apart) return null;
  return { ...statement, steps: [...statement.steps.slice(0, -1), { ...last, link: { ...last.link, ...limits } }] };
}

const isTime = ({ dimension, bare }: MeasuredAmount) => dimension === 'time' && bare;
export const timed = (amount: MeasuredAmount): MeasuredAmount | null => (isTime(amount) ? amount : null);

export function follows(a: Statement, b: Statement, limits: Partial<Link> = {}): Statement | null {
  if (limits.within === null || a.kind === 'anything' || isSubjectless(b) || isSubjectless(a)) return null;
  return sequence(narrated(a), likewise(a, b), { join: 'then', ...limits });
}

/** "A car arrives, a person gets out, then …": one after the other. */
function narrated(statement: Statement): Statement {
  if (statement.kind !== 'list' || statement.conjunction !== 'and') return statement;
  const isNarrative = statement.members.every((member) => member.kind === 'event' && member.predicate !== null);
  return isNarrative ? statement.members.reduce((before, next) => sequence(before, next)) : statement;
}

/** About so long after: a fifth either way, unless a comparison says more. */
const TOLERANCE = 0.2;

export function apart(a: Statement, b: Statement, gap: MeasuredAmount): Statement | null {
  if (gap.dimension !== 'time') return null;
  const [min, max] = gap.bare ? [gap.min! * (1 - TOLERANCE), gap.min! * (1 + TOLERANCE)] : [gap.min, gap.max];
  const limit = (seconds: number | null): MeasuredAmount | null =>
    seconds === null ? null : { ...gap, min: round(seconds) };
  return follows(a, b, {
    ...(max === null ? {} : { within: limit(max) }),
    ...(min === null ? {} : { apart: limit(min) }),
  });
}
const round = (seconds: number) => Math.round(seconds * 1e6) / 1e6;

export const meanwhile = (a: Statement, b: Statement): Statement | null =>
  a.kind === 'anything' || isSubjectless(b) ? null : sequence(a, b, { join: 'while' });

/** Something that lasts, rather than something that is done. */
const isLasting = (statement: Statement): boolean =>
  isFrameOnly(statement) ||
  (statement.kind === 'event' && (statement.predicate === null || isStateHead(statement.predicate.head)));
const isStateHead = (head: PredicateHead): boolean =>
  head.type === 'exists' ||
  head.type === 'color' ||
  head.type === 'state' ||
  (head.type === 'action' && head.word.sense.action === 'present');

/** "While it rains, a car stops": what happens is named first. */
const amid = (circumstance: Statement, main: Statement): Statement | null =>
  main.kind === 'event' && isLasting(circumstance) && !isSubjectless(main)
    ? meanwhile(main, circumstance)
    : meanwhile(circumstance, main);

/** A verb without a subject, which has that of the clause before it. */
export const isSubjectless = (statement: Statement): boolean => {
  const first = statement.kind === 'sequence' ? statement.steps[0]!.statement : statement;
  if (first.kind !== 'event' || first.subject !== null || first.predicate === null || first.isNamed) return false;
  const { type } = first.predicate.head;
  return type === 'action' || type === 'unseen' || type === 'returns' || type === 'state';
};

/** "We turn right after the bus": to the right. */
export const isTurn = (statement: Statement): boolean =>
  statement.kind === 'event' &&
  statement.predicate?.head.type === 'camera_move' &&
  statement.predicate.head.word.sense.move === 'turns';

/** Nothing of it is there. */
export const isMissing = (statement: Statement): boolean =>
  statement.kind === 'event' &&
  (statement.negation !== null || (statement.subject !== null && isNone(statement.subject)));

/** "An unattended backpack or suitcase": it describes both, as one phrase. */
const isShared = (a: Statement, b: Statement): boolean =>
  a.kind === 'event' &&
  b.kind === 'event' &&
  isBare(b) &&
  a.subject?.kind === 'entity' &&
  a.subject.doing !== null &&
  a.predicate === null &&
  b.subject?.kind === 'entity' &&
  b.subject.determiner === null;
/** "Except birds and cats": both are excepted. */
const isExceptionOf = (a: Statement, b: Statement): boolean =>
  a.kind === 'event' && a.subject?.kind === 'entity' && isExcepting(a.subject) && isBare(b);
/** "Traffic light and pedestrian crossing": either what both do, or a place. */
const isUnlike = (a: Statement, b: Statement): boolean =>
  a.kind === 'event' &&
  b.kind === 'event' &&
  isBare(a) &&
  isBare(b) &&
  a.subject?.kind === 'entity' &&
  !a.subject.doing &&
  !a.subject.determiner &&
  b.subject?.kind === 'entity' &&
  b.subject.doing !== null &&
  b.subject.determiner === null;

/** "At night": says when, and nothing else. */
const isTimeOnly = (statement: Statement): boolean =>
  statement.kind === 'event' &&
  statement.subject === null &&
  statement.predicate?.head.type === 'signal' &&
  statement.predicate.head.word.sense.when === true;

export const isFrameOnly = (statement: Statement): boolean =>
  statement.kind === 'event' &&
  ((statement.subject === null &&
    (statement.predicate?.head.type === 'sound' || statement.predicate?.head.type === 'signal')) ||
    (statement.subject?.kind === 'entity' && statement.subject.head.type === 'light'));

/** "No one gets out within 30 seconds": only that nobody does at the same time is checked. */
export function withDeadline(statement: Event, { words }: MeasuredAmount): Event {
  const word = { ...phraseOf(words), sense: { type: 'vague', reason: REASONS.deadline } as const };
  return {
    ...statement,
    predicate: modified(statement.predicate ?? predicate({ type: 'exists' }), { type: 'vague', word }),
  };
}

/** True if a statement only names an object. */
const isBare = (statement: Statement): boolean =>
  statement.kind === 'list'
    ? statement.members.every(isBare)
    : statement.kind === 'event' && statement.predicate === null && statement.subject !== null;

/** "Two people get out, they go to the left": the next step of those. */
function continued(a: Statement, b: Statement): Statement | null {
  if (b.kind !== 'event' || b.subject === null || !isPronoun(b.subject)) return null;
  if (isSet(b.subject)) return refer(b, a);
  if (isOther(b.subject)) return besides(a, b);
  const last = a.kind === 'list' ? a.members.at(-1)! : a;
  const named = last.kind === 'sequence' ? last.steps[0]!.statement : last;
  if (named.kind !== 'event' || named.subject?.kind !== 'entity' || isPronoun(named.subject) || isNone(named.subject))
    return null;
  const steps = sequence(last, b, { same: true });
  return a.kind === 'list' ? { ...a, members: [...a.members.slice(0, -1), steps] } : steps;
}

function list(conjunction: List['conjunction'], a: Statement, b: Statement): Statement | Unlikely<Statement> | null {
  if (conjunction === 'and' && a.kind === 'event' && isMissing(b) && !isMissing(a)) return meanwhile(a, b);
  if (isSubjectless(b) || a.kind === 'anything' || b.kind === 'anything' || isTimeOnly(a) !== isTimeOnly(b))
    return null;
  if (isShared(a, b) || isUnlike(a, b) || isExceptionOf(a, b)) return null;
  const chained = conjunction === 'and' ? continued(a, b) : null;
  if (chained) return chained;
  const isSame = a.kind === 'list' && (a.conjunction === conjunction || a.conjunction === 'and');
  const members = isSame ? [...a.members, b] : [a, b];
  const made: List = { kind: 'list', conjunction, members };
  return isBare(a) === isBare(b) ? made : new Unlikely(made, UNLIKE);
}
