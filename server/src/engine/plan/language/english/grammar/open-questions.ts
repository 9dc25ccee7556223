import type { Leaf, Query, Statement } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { Categories } from '../categories.ts';
import { MODIFIER } from '../costs.ts';
import { query, sequence } from './build.ts';
import { apart } from './sequences.ts';

/** Prompts that ask for all that happens: "describe the video", "what happens within 5 s of a bang". */
export function openQuestionRules(rule: AddRule<Categories>): void {
  rule('AnswerLength', ['Number', 'AnswerUnit'], 'summarize in three sentences', (number, unit) => [number, unit]);
  rule('AnswerLength', ['Determiner', 'AnswerUnit'], 'summarize in a sentence', (_, unit) => [unit]);
  rule('AnswerLength', ['One', 'AnswerUnit'], 'summarize in one sentence', (one, unit) => [one, unit]);
  rule('AnswerLength', ['Compare', 'AnswerLength'], 'summarize in at most 3 sentences', (word, rest) => [
    word,
    ...rest,
  ]);
  rule('AnswerUnit', ['Vague', 'AnswerUnit'], 'summarize in three short sentences', ({ span }, unit) => ({
    ...unit,
    span: { from: span.from, to: unit.span.to },
  }));
  rule('Utterance', ['Utterance', 'In', 'AnswerLength'], 'summarize in three sentences', (made, _, words) =>
    inWords(made, words),
  );
  rule('Utterance', ['Utterance', 'Comma', 'In', 'AnswerLength'], 'what happens, in ten words', (made, _, _in, words) =>
    inWords(made, words),
  );
  rule(
    'Utterance',
    ['In', 'AnswerLength', 'Comma', 'Utterance'],
    'in one sentence, describe what happens',
    (_, words, _comma, made) => inWords(made, words),
  );

  rule('Question', ['WhatHappens'], 'what happens', (word) => everything(word));
  rule('Question', ['WhatHappens', 'Determiner', 'Picture'], 'summarize the video', (word) => everything(word));
  rule('Question', ['WhatHappens', 'WhatHappens'], 'describe everything that happens', (a, b) => everything(a, b));
  rule('Question', ['Determiner', 'WhatHappens'], 'give me a summary', ({ type }, word) =>
    type === 'each' ? null : everything(word),
  );
  rule('Question', ['WhatHappens', 'Of', 'Recording'], 'summary of the video', (word, _, words) =>
    everything(word, ...words),
  );
  rule('Question', ['Watch', 'Recording'], 'watch this video', (word, words) => everything(word, ...words));
  rule(
    'Question',
    ['Recording'],
    'the video',
    (words) =>
      words.some(({ text }) => /^(?:file|stream)$/i.test(text))
        ? null
        : everything(...words.map((word) => ({ ...word, isRecording: true }))),
    ALONE,
  );

  rule(
    'Question',
    ['WhatHappens', 'After', 'Clause'],
    'what happens after a car stops',
    (word, _, statement) => query(sequence(statement, anything(word))),
    MODIFIER,
  );
  rule(
    'Question',
    ['WhatHappens', 'Before', 'Clause'],
    'what happens right before the bang',
    (word, _, statement) => query(sequence(anything(word), statement)),
    MODIFIER,
  );
  const within = (word: Leaf, amount: Categories['Measure'], statement: Statement): Query | null =>
    amount.dimension === 'time' && amount.bare ? query(sequence(statement, anything(word), { within: amount })) : null;
  rule(
    'Question',
    ['WhatHappens', 'Within', 'Measure', 'Of', 'Clause'],
    'what happens within 10 seconds of the bang',
    (word, _, amount, _of, statement) => within(word, amount, statement),
  );
  rule(
    'Question',
    ['WhatHappens', 'Within', 'Measure', 'After', 'Clause'],
    'what happens within 10 seconds after the bang',
    (word, _, amount, _after, statement) => within(word, amount, statement),
  );
  rule(
    'Question',
    ['WhatHappens', 'Measure', 'After', 'Clause'],
    'what happens 10 seconds after the bang',
    (word, amount, _, statement) => {
      const made = apart(statement, anything(word), amount);
      return made && query(made);
    },
  );
}

/** Cost of words that name nothing to look for. */
const ALONE = 3;

const anything = (...words: readonly Leaf[]): Statement => ({ kind: 'anything', words });
const everything = (...words: readonly Leaf[]): Query => query(anything(...words));

/** "Search for the clip": there is nothing to look for. */
export const isRecording = (statement: Statement): boolean =>
  statement.kind === 'anything' && statement.words.some((word) => 'isRecording' in word);

/** True if a statement asks for all that happens, alone or beside an event. */
export const isOpen = (statement: Statement): boolean =>
  statement.kind === 'anything' ||
  (statement.kind === 'sequence' && statement.steps.some(({ statement: step }) => isOpen(step)));

/** The form of an answer in words, which is not searched. */
function inWords(made: Query, words: readonly Leaf[]): Query | null {
  const { statement } = made;
  if (statement.kind !== 'anything') return null;
  return { ...made, statement: { ...statement, words: [...statement.words, ...words] } };
}
