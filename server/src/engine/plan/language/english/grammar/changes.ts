import type { Calendar } from '../../../calendar-schema.ts';
import type { Entity, Leaf, Query, Statement, Window } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { Categories } from '../categories.ts';
import { MODIFIER } from '../costs.ts';
import { calculated, entity, frameEvent, isBase, isNone, isObject, isPlural, leafOf, lively } from './build.ts';
import { present } from './clauses.ts';
import { edgeOf, inWindows } from './comparisons.ts';

/** Changes: "did the number of cars change", "what is different at the end", "compare Monday with Tuesday". */
export function changeRules(rule: AddRule<Categories>): void {
  countRules(rule);
  differenceRules(rule);
  contrastRules(rule);
}

/** Changes of the number of objects from the start to the end. */
function countRules(rule: AddRule<Categories>): void {
  rule('CountOf', ['Questioned', 'Subject'], 'did number of cars change', (question, subject) =>
    question.sense.question === 'count' ? countOf(subject, question) : null,
  );
  rule('CountOf', ['Determiner', 'AmountOf', 'Subject'], 'did the amount of traffic change', (_, word, subject) =>
    countOf(subject, word),
  );
  rule('CountOf', ['Determiner', 'CountOf'], 'did the number of cars change', ({ type }, count) =>
    type === 'definite' ? count : null,
  );
  const over = (pair: Categories['Spanned'] | null): readonly [Window, Window] =>
    pair ? [pair.to, pair.from] : [END, START];
  const changed = (
    { statement, word }: Categories['CountOf'],
    compare: Categories['Vary']['compare'] | 'same' | 'difference',
    verb: Leaf,
    pair: Categories['Spanned'] | null = null,
  ): Query =>
    calculated(
      { words: [word, verb], measure: 'count', compare, values: inWindows(statement, ...over(pair)) },
      { isYesNo: compare !== 'difference' },
    );
  rule(
    'Spanned',
    ['Between', 'Edge', 'And', 'Edge'],
    'did the number of cars change between the start and the end',
    (_, a, _and, b) => spanned(edgeOf(a), edgeOf(b)),
  );
  rule(
    'Spanned',
    ['From', 'Edge', 'To', 'Edge'],
    'did the number of cars change from the start to the end',
    (_, a, _to, b) => spanned(edgeOf(a), edgeOf(b)),
  );
  rule(
    'Spanned',
    ['Between', 'WindowPhrase', 'And', 'WindowPhrase'],
    'did the number of cars change between yesterday and today',
    (_, a, _and, b) => spanned(a, b),
  );
  rule(
    'Spanned',
    ['WindowPhrase', 'And', 'WindowPhrase'],
    'is the number of cars the same at the start and at the end',
    (a, _, b) => spanned(a, b),
  );
  rule('Question', ['Do', 'CountOf', 'Vary'], 'did the number of cars change', (_, count, verb) =>
    isBase(verb.form) ? changed(count, verb.compare, leafOf(verb)) : null,
  );
  rule(
    'Question',
    ['Do', 'CountOf', 'Vary', 'Spanned'],
    'did the number of cars change between the start and the end',
    (_, count, verb, pair) => (isBase(verb.form) ? changed(count, verb.compare, leafOf(verb), pair) : null),
  );
  rule('Question', ['Have', 'CountOf', 'Vary'], 'has the number of cars changed', (_, count, verb) =>
    changed(count, verb.compare, leafOf(verb)),
  );
  rule('Question', ['Be', 'CountOf', 'Vary'], 'is the number of cars increasing', (_, count, verb) =>
    verb.form === 'ing' ? changed(count, verb.compare, leafOf(verb)) : null,
  );
  rule('Question', ['How', 'Do', 'CountOf', 'Vary'], 'how did the number of cars change', (how, _, count, verb) =>
    isBase(verb.form) ? changed(count, 'difference', joinedLeaf(how, verb)) : null,
  );
  rule('Question', ['Be', 'CountOf', 'Constant'], 'is the number of cars constant', (_, count, word) =>
    changed(count, 'same', word),
  );
  rule(
    'Question',
    ['Be', 'CountOf', 'Constant', 'Spanned'],
    'is the number of cars the same at the start and at the end',
    (_, count, word, pair) => changed(count, 'same', word, pair),
  );
  rule(
    'Question',
    ['Do', 'CountOf', 'Remain', 'Constant'],
    'does the number of cars stay the same',
    (_, count, stay, word) => changed(count, 'same', joinedLeaf(stay, word)),
  );
  rule(
    'Question',
    ['Do', 'Subject', 'Vary'],
    'does the traffic increase',
    (_, subject, verb) => {
      const count = isBase(verb.form) && verb.compare !== 'changed' && isMany(subject) ? countOf(subject, verb) : null;
      return count && changed(count, verb.compare, leafOf(verb));
    },
    MODIFIER,
  );
}

/** Differences between the start and the end: kinds of objects of which there are more or fewer. */
function differenceRules(rule: AddRule<Categories>): void {
  const difference = (word: Leaf, more: readonly Leaf[] = [], pair: Categories['Spanned'] | null = null): Query => {
    const { from, to } = pair ?? { from: START, to: END };
    return calculated({
      words: more,
      measure: 'count',
      compare: 'difference',
      by: 'kind',
      values: inWindows(anyObject(word), to, from),
    });
  };
  rule('Question', ['WhatChanged'], 'what changed', (word) => difference(word));
  rule('Question', ['WhatChanged', 'Spanned'], 'what is different between the start and the end', (word, pair) =>
    difference(word, [], pair),
  );
  rule('Question', ['WhatChanged', 'WindowPhrase'], 'what is different at the end', (word, window) =>
    window.edge && window.from < 0 ? difference(word, window.words) : null,
  );
  rule(
    'Spanned',
    ['Between', 'Window', 'And', 'Window', 'Picture'],
    'what is different between the first and the last frame',
    (_, a, _and, b) => spanned(...edgesOf(a, b)),
  );
  rule('Question', ['Do', 'Noun', 'Vary'], 'does anything change', (_, noun, verb) =>
    noun.indefinite && noun.sense.classes.length === 0 && verb.compare === 'changed' && isBase(verb.form)
      ? difference(leafOf(noun), [leafOf(verb)])
      : null,
  );
  rule('Question', ['What', 'Be', 'NewThere', 'WindowPhrase'], 'what is new at the end', (what, _, word, window) =>
    window.edge && window.from < 0 ? difference(what, [word, ...window.words]) : null,
  );
  for (const negation of ['Not', 'BeNot'] as const)
    rule(
      'Question',
      [
        'What',
        'Be',
        'There',
        'WindowPhrase',
        'Who',
        ...(negation === 'Not' ? (['Be', 'Not'] as const) : ([negation] as const)),
        'There',
        'WindowPhrase',
      ],
      `what is there at the end that ${negation === 'Not' ? 'was not' : "wasn't"} there at the start`,
      (...parts) => {
        const [what, to, from] = [parts[0], parts[3], parts.at(-1) as Window];
        const negated = parts.at(-3) as Leaf;
        return difference(what, [negated], { from, to });
      },
    );
}

/** Two parts of the video, or two days, beside each other. */
function contrastRules(rule: AddRule<Categories>): void {
  rule('TimePart', ['Edge'], 'compare the start with the end', (word) => edgeOf(word));
  rule('TimePart', ['Day'], 'compare Monday with Tuesday', ({ words, day }) => ({
    words,
    unit: 'clock',
    from: 0,
    to: null,
    calendar: { ...ANY_TIME, from: { day, time: null }, to: { day, time: null } },
  }));
  rule('TimePart', ['WindowPhrase'], 'compare the first minute with the last minute', (window) => window, MODIFIER);
  const beside = (statement: Statement, word: Leaf, a: Window, b: Window): Query =>
    calculated({ words: [word], measure: 'count', compare: null, values: inWindows(statement, a, b) });
  for (const link of ['And', 'With', 'To', 'Or'] as const) {
    const text = { And: 'and', With: 'with', To: 'to', Or: 'vs' }[link];
    rule('Question', ['Contrast', 'TimePart', link, 'TimePart'], `compare Monday ${text} Tuesday`, (word, a, _, b) =>
      beside(frameEvent(lively(word)), word, a, b),
    );
    rule(
      'Question',
      ['Contrast', 'Clause', 'WindowPhrase', link, 'TimePart'],
      `compare cars on Monday ${text} Tuesday`,
      (word, statement, a, _, b) => (isPlural(statement) ? beside(statement, word, a, b) : null),
    );
    rule(
      'Question',
      ['Contrast', 'CountOf', 'WindowPhrase', link, 'TimePart'],
      `compare the number of cars on Monday ${text} Tuesday`,
      (contrast, { statement, word }, a, _, b) => beside(statement, joinedLeaf(contrast, word), a, b),
    );
  }
  rule(
    'Question',
    ['Clause', 'WindowPhrase', 'Or', 'Clause', 'WindowPhrase'],
    'cars on Monday vs cars on Tuesday',
    (first, a, word, second, b) =>
      VERSUS.test(word.text) && isPlural(first) && isPlural(second)
        ? calculated({
            words: [],
            measure: 'count',
            compare: null,
            values: [
              { statement: first, window: a },
              { statement: second, window: b },
            ],
          })
        : null,
  );
  rule(
    'Question',
    ['Question', 'WindowPhrase', 'Than', 'TimePart'],
    'how many people entered on Saturday compared to Sunday',
    (made, a, _, b) =>
      made.question?.sense.question === 'count' && !made.calculation && !made.window && !made.per && !made.pick
        ? beside(made.statement, made.question, a, b)
        : null,
  );
  rule(
    'Question',
    ['Be', 'TimePart', 'Busier', 'Than', 'TimePart'],
    'was Monday busier than Tuesday',
    (_, a, { compare, ...word }, _than, b) =>
      calculated(
        { words: [word], measure: 'count', compare, values: inWindows(frameEvent(lively(word)), a, b) },
        { isYesNo: true },
      ),
  );
}

const START: Window = { words: [], from: 0, to: 10, edge: true };
const END: Window = { words: [], from: -10, to: null, edge: true };
const ANY_TIME: Calendar = { from: null, to: null, times: null, weekdays: [] };
const VERSUS = /^(?:vs|versus)$/i;
const joinedLeaf = (first: Leaf, last: Leaf): Leaf => ({
  span: { from: first.span.from, to: last.span.to },
  text: `${first.text} ${last.text}`,
  id: first.id,
});

const spanned = (from: Window | null, to: Window | null): Categories['Spanned'] | null =>
  from && to ? { from, to } : null;

function edgesOf(a: Categories['Window'], b: Categories['Window']): [Window | null, Window | null] {
  const of = ({ sense, ...word }: Categories['Window']) =>
    sense.from ? null : edgeOf({ ...leafOf(word), window: sense.window });
  return [of(a), of(b)];
}

/** Objects whose number is requested. */
function countOf(subject: Categories['Subject'], word: Leaf): Categories['CountOf'] | null {
  const members: readonly Entity[] = subject.kind === 'group' ? [] : [subject];
  const isCountable = members.length > 0 && members.every((noun) => isObject(noun) && !noun.amount && !isNone(noun));
  const statement = isCountable ? present(subject) : null;
  return statement && { statement, word: leafOf(word) };
}

/** "Traffic", "the cars". */
const isMany = (subject: Categories['Subject']): boolean =>
  subject.kind === 'entity' && subject.plural && isObject(subject);

/** Any object, by the word that asks for it. */
const anyObject = ({ span, text, id }: Leaf): Statement =>
  present(
    entity(
      { type: 'object', word: { span, text, id, sense: { type: 'noun', classes: [] } }, indefinite: true },
      { plural: true },
    ),
  )!;
