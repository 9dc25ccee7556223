import type { Leaf, Query, Statement } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { Action } from '../../../terms.ts';
import type { Categories, Circumstance } from '../categories.ts';
import { event, isBase, LONGEST, query, sequence } from './build.ts';
import { stated } from './clauses.ts';
import { fromTo } from './paired-questions.ts';
import { isSubjectless } from './sequences.ts';
import { valueFor } from './values.ts';

/** Waiting times: until something happens, from the start of the video or after something else. */
export function waitingRules(rule: AddRule<Categories>): void {
  rule('Question', ['HowSoon', 'Inverted'], 'how soon does a car appear', (word, statement) =>
    isFromStart(word) ? untilStart(word, statement) : null,
  );
  rule(
    'Question',
    ['After', 'Questioned', 'Inverted'],
    'after how many seconds does a car appear',
    (word, question, it) => (isLength(question) && /^after$/i.test(word.text) ? untilStart(question, it) : null),
  );
  rule(
    'Question',
    ['Questioned', 'Window', 'Inverted'],
    'how many seconds after the start does a car appear',
    (question, { sense }, it) => (sense.from && sense.window === 'first' ? untilStart(question, it) : null),
  );
  rule('Question', ['Questioned', 'Before', 'Clause'], 'how much time before a car appears', (question, word, it) =>
    /^before$/i.test(word.text) ? untilStart(question, it) : null,
  );
  for (const end of ['Until', 'Before'] as const)
    rule(
      'Question',
      ['Questioned', 'GoesBy', end, 'Clause'],
      `how much time passes ${end.toLowerCase()} a car appears`,
      (question, passes, _, it) => untilStart(question, it, passes),
    );
  rule(
    'Question',
    ['Questioned', 'Subject', 'To', 'VerbPhrase'],
    ['how long does it take a car to appear', 'how much time does it take for a car to appear'],
    (question, subject, _, { form, predicate: what }) => {
      const isTaken = / takes?\b/i.test(question.text);
      const isSudden = what.head.type === 'action' && SUDDEN.has(what.head.word.sense.action);
      return isTaken && isSudden && isBase(form) ? untilStart(question, stated(subject, what)) : null;
    },
  );

  rule(
    'Question',
    ['HowSoon', 'Inverted', 'Circumstance'],
    ['how soon does the bus leave after it stops', 'how quickly does the bus leave after stopping'],
    (word, then, when) => since(word, when, then),
  );
  rule(
    'Question',
    ['HowSoon', 'After', 'Clause', 'Inverted'],
    'how soon after the bang does a car stop',
    (word, _, first, then) => fromTo(word, first, then),
  );
  rule(
    'Question',
    ['HowSoon', 'Before', 'Clause', 'Inverted'],
    'how soon before the bang does a car stop',
    (word, _, then, first) => fromTo(word, first, then),
  );
  rule(
    'Question',
    ['Questioned', 'After', 'VerbPhrase', 'Inverted'],
    'how long after stopping does the car leave',
    (question, word, { form, predicate: what }, then) =>
      form === 'ing' && isLength(question)
        ? since(question, { order: 'after', statement: event(null, what), word }, then)
        : null,
  );
  for (const mark of [[], ['Comma']] as const) {
    const comma = mark.length > 0 ? ',' : '';
    rule(
      'Question',
      ['Circumstance', ...mark, 'HowSoon', 'Inverted'],
      `after the truck leaves${comma} how soon does a car stop`,
      (...parts) => since(parts.at(-2) as Categories['HowSoon'], parts[0], parts.at(-1) as Statement),
    );
  }
  rule(
    'Question',
    ['Circumstance', 'Comma', 'Questioned', 'Until', 'Clause'],
    'after the truck leaves, how long until a car stops',
    (when, _, question, _until, then) => since(question, when, then),
  );
}

/** "How quickly does a car appear" may ask for its pace. */
const isFromStart = ({ text }: Categories['HowSoon']) => /soon/i.test(text);
const isLength = ({ sense }: Categories['Questioned']) => sense.question === 'how_long';

/** Actions that happen at once: "how long does it take for a car to appear" asks for no duration of them. */
const SUDDEN: ReadonlySet<Action> = new Set(['appears', 'disappears', 'stops', 'starts', 'falls']);

const untilStart = (
  question: Categories['Questioned'],
  statement: Statement | null,
  ...words: readonly Leaf[]
): Query | null =>
  statement?.kind === 'event' && isLength(question) ? valueFor('start', statement, [question, ...words]) : null;

/** From one event until another one; without a subject, the first one is of the same object. */
function since(
  question: Categories['Questioned'],
  { order, statement: first, within }: Circumstance,
  then: Statement,
): Query | null {
  if (within || (order !== 'after' && order !== 'then' && order !== 'when')) return null;
  if (!isSubjectless(first)) return fromTo(question, first, then);
  if (first.kind !== 'event' || then.kind !== 'event' || !first.predicate || then.subject?.kind !== 'entity')
    return null;
  const own = stated(then.subject, first.predicate);
  const requested = { ...question, sense: { ...question.sense, question: 'time_between' } } as const;
  return own && query(sequence(own, then, { same: true, within: LONGEST }), { question: requested });
}
