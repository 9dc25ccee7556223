import type { Event, List, Modifier, Query, Statement } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import { REASONS } from '../../../reasons.ts';
import type { Categories } from '../categories.ts';
import { MODIFIER } from '../costs.ts';
import {
  entity,
  event,
  isBase,
  isFiniteForm,
  isObject,
  LONGEST,
  modified,
  predicate,
  query,
  sequence,
} from './build.ts';
import { arrives, stated } from './clauses.ts';
import { isReferring, refer } from './discourse.ts';
import { isSubjectless } from './sequences.ts';

/** Questions about two events or parts of the video, and two questions in one. */
export function pairedQuestionRules(rule: AddRule<Categories>): void {
  for (const join of ['And', 'To', 'Until'] as const) {
    const word = join.toLowerCase();
    rule(
      'Question',
      ['Questioned', 'Clause', join, 'Clause'],
      `time between a cut ${word} a bang`,
      (question, a, _, b) =>
        question.sense.question === 'time_between' && !isSubjectless(b) ? between(question, a, b) : null,
    );
    rule(
      'Question',
      ['Questioned', 'Clause', join, 'NounPhrase', 'Come'],
      `time between a cut ${word} a car coming`,
      (question, a, _, noun, come) =>
        question.sense.question === 'time_between' && come.form === 'ing'
          ? between(question, a, event(noun, arrives(come)))
          : null,
      -0.1,
    );
    rule(
      'Question',
      ['Questioned', 'Clause', join, 'VerbPhrase'],
      `time between a person entering ${word} leaving`,
      (question, first, _, { form, predicate: what }) => {
        const subject = first.kind === 'event' && first.subject?.kind === 'entity' ? first.subject : null;
        const isAction = subject !== null && (subject.doing !== null || (first.kind === 'event' && first.predicate));
        if (question.sense.question !== 'time_between' || form !== 'ing' || !isAction) return null;
        const second = stated({ ...subject, doing: null }, what);
        return second && query(sequence(first, second, { same: true, within: LONGEST }), { question });
      },
    );
  }
  for (const join of ['To', 'Until'] as const)
    for (const when of [[], ['If']] as const) {
      const text = when.length > 0 ? ' when' : '';
      rule(
        'Question',
        ['Questioned', 'From', ...when, 'Clause', join, ...when, 'Clause'],
        `how many seconds from${text} the dog appears ${join === 'To' ? 'to' : 'until'}${text} the car stops`,
        (...parts) => fromTo(parts[0], parts[when.length + 2] as Statement, parts.at(-1) as Statement),
      );
    }
  rule(
    'Question',
    ['Circumstance', 'Questioned', 'Until', 'Clause'],
    'when the light turns green how long until the car moves',
    (when, question, _, then) =>
      when.order === 'before' || when.order === 'until' ? null : fromTo(question, when.statement, then),
  );
  rule(
    'Question',
    ['Questioned', 'Until', 'Clause', 'Circumstance'],
    'how long until the car leaves after the person gets out',
    (question, _, then, when) => (when.order === 'after' ? fromTo(question, when.statement, then) : null),
  );
  rule('Question', ['Questioned', 'NounPhrases'], 'time between the first and the last car', (question, nouns) => {
    const isPair = nouns.conjunction === 'and' && nouns.members.length === 2;
    return question.sense.question === 'time_between' && isPair && nouns.members.every(({ pick }) => pick !== null)
      ? query(event(nouns, null), { question })
      : null;
  });

  // "How long between" is no noun.
  const isTimeBetween = ({ sense, text }: Categories['Questioned']) =>
    sense.question === 'time_between' && !/^(?:how|what)\b/i.test(text);
  rule(
    'Questioned',
    ['Determiner', 'Questioned'],
    'the time between the first and the last car',
    ({ type }, question) => (type === 'definite' && isTimeBetween(question) ? question : null),
  );
  rule(
    'Questioned',
    ['What', 'Be', 'Questioned'],
    'what is the gap between the first and the last car',
    (_, _is, question) => (isTimeBetween(question) ? question : null),
  );
  rule('Question', ['Questioned', 'VerbPhrase'], 'how many enter', (question, { form, predicate: what }) =>
    isCount(question) && form !== 'ing' && form !== 'participle' ? query(event(null, what), { question }) : null,
  );
  const somebodyWith = (question: Categories['Questioned'], modifier: Modifier) => {
    const { span, text, id } = question;
    const sense = { type: 'noun', classes: ['person'], caveat: REASONS.namesNothing } as const;
    const subject = entity({ type: 'object', word: { span, text, id, sense }, indefinite: false }, { plural: true });
    return requestOf(event(subject, predicate({ type: 'exists' }, { modifiers: [modifier] })), question);
  };
  rule('Question', ['Questioned', 'Be', 'Modifier'], 'how many are near the door', (question, be, modifier) => {
    const isPlace = modifier.type === 'role' || modifier.type === 'relation' || modifier.type === 'side';
    return isCount(question) && isPlace && isFiniteForm(be.form) ? somebodyWith(question, modifier) : null;
  });
  const wearing = (question: Categories['Questioned'], modifier: Modifier) =>
    isCount(question) && modifier.type === 'worn' ? somebodyWith(question, modifier) : null;
  rule('Question', ['Questioned', 'Be', 'Complement'], 'how many are wearing red', (question, be, modifier) =>
    isFiniteForm(be.form) ? wearing(question, modifier) : null,
  );
  rule('Question', ['Questioned', 'Complement'], 'how many wear red', wearing);
  rule('Question', ['Questioned', 'VerbPhrases'], 'how many enter and leave', (question, { join, predicates }) => {
    const isEach = join === 'and' || join === 'or';
    const members = predicates.map((what) => event(null, what));
    return isCount(question) && isEach ? query({ kind: 'list', conjunction: join, members }, { question }) : null;
  });
  for (const join of [['And'], ['Comma', 'And'], ['Comma']] as const) {
    const mark = join.length === 2 ? ', and' : join[0] === 'Comma' ? ',' : ' and';
    rule(
      'Question',
      ['Question', ...join, 'Question'],
      `how many cars are there${mark} how many trucks are there`,
      (...parts) => bothQuestions(parts[0] as Query, parts.at(-1) as Query),
      MODIFIER,
    );
  }
  rule(
    'Question',
    ['SignalTime', 'Comma', 'Question'],
    'at night, how many cars stop',
    (word, _, made) => {
      const { statement } = made;
      if (made.calculation || statement.kind !== 'event') return null;
      const own = statement.predicate ?? predicate({ type: 'exists' });
      return { ...made, statement: { ...statement, predicate: modified(own, { type: 'signal', word }) } };
    },
    MODIFIER,
  );
  rule(
    'Question',
    ['Questioned', 'Subject', 'To', 'VerbPhrase'],
    'how long does it take the person to cross the road',
    (question, subject, _, { form, predicate: what }) => {
      const isTaken = question.sense.question === 'how_long' && / takes?\b/i.test(question.text);
      return isTaken && isBase(form) && hasPath(what) ? requestOf(stated(subject, what), question) : null;
    },
  );
  rule(
    'Question',
    ['Questioned', 'Subject', 'Direction', 'Or', 'Direction'],
    'how many people left to right vs right to left',
    (question, subject, a, _, b) => {
      if (!isCount(question) || subject.kind === 'group' || !isObject(subject)) return null;
      const members = [a, b].map(({ sense, ...word }) =>
        event(subject, predicate({ type: 'action', word: { ...word, sense: movingTo(sense.direction) } })),
      );
      return query({ kind: 'list', conjunction: 'and', members }, { question });
    },
  );
}

/** "How long from when the dog appears to when the car stops": the time between them. */
export function fromTo(question: Categories['Questioned'], first: Statement, then: Statement): Query | null {
  const kind = question.sense.question;
  if ((kind !== 'how_long' && kind !== 'time_between') || isSubjectless(first) || isSubjectless(then)) return null;
  if (first.kind === 'anything' || then.kind === 'anything') return null;
  return between({ ...question, sense: { ...question.sense, question: 'time_between' } }, first, then);
}

const requestOf = (statement: Statement | null, question: Categories['Questioned']): Query | null =>
  statement && query(statement, { question });

const movingTo = (direction: Categories['Direction']['sense']['direction']) =>
  ({ type: 'action', action: 'moves', direction }) as const;

const isCount = ({ sense }: Categories['Questioned']) => sense.question === 'count';

const pickOf = (statement: Statement) =>
  statement.kind === 'event' && statement.subject?.kind === 'entity' ? statement.subject.pick : null;

/** From one event to the next; of two that are picked, each is found by itself. */
const between = (question: Categories['Questioned'], a: Statement, b: Statement): Query =>
  pickOf(a) && pickOf(b)
    ? query({ kind: 'list', conjunction: 'and', members: [a, b] }, { question })
    : query(sequence(a, asNext(b), { within: LONGEST }), { question });

/** "The next car": the one after the first event, as any second event is. */
function asNext(statement: Statement): Statement {
  if (statement.kind !== 'event' || statement.subject?.kind !== 'entity') return statement;
  const { determiner } = statement.subject;
  const isNext = determiner?.type === 'other' && /next$/i.test(determiner.text);
  if (!isNext) return statement;
  const { span, text, id } = determiner;
  return { ...statement, subject: { ...statement.subject, determiner: { span, text, id, type: 'definite' } } };
}

/** Actions that take a time from their start to their end. */
const hasPath = ({ head }: Categories['VerbPhrase']['predicate']): boolean =>
  head.type === 'action' && PATHS.has(head.word.sense.action);
const PATHS: ReadonlySet<string> = new Set([
  'crosses',
  'moves',
  'passes',
  'overtakes',
  'enters',
  'leaves',
  'approaches',
]);

/**
 * Two questions of one kind. "How many cars and how many trucks stop": the verb is that of both. "How many people
 * enter and how many leave": the subject is.
 */
function bothQuestions(a: Query, b: Query): Query | null {
  const kind = a.question?.sense.question;
  if (!a.question || !b.question || kind !== b.question.sense.question || kind === 'time_between') return null;
  if (a.calculation || b.calculation || a.per || b.per || a.window || b.window || a.pick || b.pick) return null;
  if (a.statement.kind !== 'event' && a.statement.kind !== 'list') return null;
  const last = a.statement.kind === 'list' ? a.statement.members.at(-1)! : a.statement;
  // "How many cars enter and how many of them leave": of those that enter.
  const own = isReferring(b.statement) ? refer(b.statement, last) : b.statement;
  if (own && own !== b.statement) return withBoth(a, b, [last, own]);
  const pair = own?.kind === 'event' && last.kind === 'event' ? shared(last, own) : null;
  if (!pair) return null;
  return withBoth(a, b, pair);
}

function withBoth(a: Query, b: Query, pair: readonly Statement[]): Query {
  const before = a.statement.kind === 'list' ? a.statement.members.slice(0, -1) : [];
  const statement: List = { kind: 'list', conjunction: 'and', members: [...before, ...pair] };
  return { ...a, statement, repeats: [...a.repeats, ...(b.question ? [b.question] : []), ...b.repeats] };
}

function shared(a: Event, b: Event): readonly Event[] | null {
  if (b.subject === null && b.predicate && a.subject) {
    const own = stated(a.subject, b.predicate);
    return own && [a, own];
  }
  if (a.predicate === null && a.subject && b.predicate && b.predicate.head.type !== 'exists') {
    const own = stated(a.subject, b.predicate);
    return own && [own, b];
  }
  return [a, b];
}
