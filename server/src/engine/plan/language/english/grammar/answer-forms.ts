import type { Query, Word } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { Categories } from '../categories.ts';
import { MODIFIER } from '../costs.ts';
import { query, questionOf } from './build.ts';
import { measured } from './clauses.ts';

/** Details that an answer states beside what is found: its times, or its order. "Any dogs? Timestamps only." */
export function answerFormRules(rule: AddRule<Categories>): void {
  rule('AnswerForm', ['TimesNoun'], 'timestamps for each car', (word) => ({ ...word, asks: 'when' }), MODIFIER);
  rule('AnswerForm', ['Determiner', 'TimesNoun'], 'the timestamps for each car', (_, word) => ({
    ...word,
    asks: 'when',
  }));
  rule('AnswerForm', ['Only', 'AnswerForm'], 'any dogs? only timestamps', (_, form) => form);
  rule('AnswerForm', ['AnswerForm', 'Only'], 'any dogs? timestamps only', (form) => form);

  rule('Utterance', ['Utterance', 'Comma', 'AnswerForm'], 'any dogs, timestamps only', (made, _, form) =>
    inForm(made, form),
  );
  rule('Utterance', ['Utterance', 'AnswerForm'], 'all dogs in chronological order', (made, form) =>
    form.asks === null || BOUND.test(form.text) ? inForm(made, form) : null,
  );
  rule('Utterance', ['AnswerForm', 'For', 'Statement'], 'timestamps for each car', (form, _, statement) =>
    form.asks === 'when' ? inForm(query(statement), form) : null,
  );
  rule('Question', ['AnswerForm', 'Of', 'Clause'], 'how many seconds of silence', (form, _, statement) =>
    form.asks === 'how_long' && UNITS.test(form.text)
      ? query(statement, { question: questionOf('how_long', form) })
      : null,
  );
  rule('Question', ['AnswerForm', 'Measure'], 'how long above 50 km/h', (form, amount) =>
    form.asks === 'how_long' && amount.dimension === 'speed' && !amount.bare
      ? query(measured(null, amount), { question: questionOf('how_long', form) })
      : null,
  );
  rule('Utterance', ['AnswerForm'], 'timestamps only', (form) => ofForm(form), 1);
  rule('Utterance', ['AnswerForm', 'QuestionMark'], 'which frames?', (form) => ofForm(form), 1);
}

const UNITS = /^how many /i;
const BOUND = /^(?:and|if|which|what|at)\b/i;

/** A sentence that is only about the form of the answer to another one. */
const ofForm = (form: Categories['AnswerForm']): Query => ({
  ...query({ kind: 'list', conjunction: 'and', members: [] }),
  question: requestedBy(form),
  repeats: [form],
});

const requestedBy = ({ asks, ...word }: Categories['AnswerForm']): Word<'question'> | null =>
  asks === null ? null : questionOf(asks, word);

/** Times answer whether something happens, too; other answers have them. */
function inForm(made: Query, form: Categories['AnswerForm']): Query | null {
  if (made.statement.kind === 'fact') return null;
  const repeats = [...made.repeats, form];
  const isAsking = made.question !== null || made.calculation !== null || made.statement.kind === 'anything';
  const question = requestedBy(form);
  if (isAsking || question === null) return { ...made, repeats };
  return { ...made, question, isYesNo: false, repeats };
}
