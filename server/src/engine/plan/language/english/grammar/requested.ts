import type { Query, Statement, Word } from '../../../meaning/types.ts';
import type { SignalName } from '../../../signals.ts';
import { query } from './build.ts';
import { valueFor } from './values.ts';

/** A question about a statement; "how long is each car parked" is about the time of each. */
export const requested = (question: Word<'question'>, statement: Statement | null): Query | null =>
  statement &&
  (question.sense.question === 'how_long' && isOfEach(statement)
    ? valueFor('item_length', statement, [question])
    : query(question.sense.question === 'how_long' ? litState(statement) : statement, { question }));

/** "How long is the light on": the state, and not the change. */
function litState(statement: Statement): Statement {
  const head = statement.kind === 'event' ? statement.predicate?.head : null;
  if (statement.kind !== 'event' || !statement.predicate || head?.type !== 'signal') return statement;
  const signal = / (?:on|off|out)$/i.test(head.word.text) ? STATES[head.word.sense.signal] : undefined;
  if (!signal) return statement;
  const word = { ...head.word, sense: { ...head.word.sense, signal } };
  return { ...statement, predicate: { ...statement.predicate, head: { type: 'signal', word } } };
}
const STATES: Partial<Record<SignalName, SignalName>> = { gets_dark: 'dark', gets_bright: 'well_lit' };

const isOfEach = (statement: Statement): boolean =>
  statement.kind === 'event' && statement.subject?.kind === 'entity' && statement.subject.determiner?.type === 'each';
