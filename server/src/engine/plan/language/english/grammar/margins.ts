import type { Calculation, Leaf, Query, Valued } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { Categories, Margin } from '../categories.ts';
import { calculated, isBase, joined, leafOf } from './build.ts';
import { present, stated } from './clauses.ts';
import { isPaced } from './comparatives.ts';
import { amountOf, presentInstead, replaced, valuesOf, withOther } from './comparisons.ts';
import { limitOf } from './values.ts';

/**
 * By how much one value is greater than another: "twice as many cars as trucks", "two more cars than trucks", "how much
 * bigger is the dog than the cat".
 */
export function marginRules(rule: AddRule<Categories>): void {
  multipleRules(rule);
  countRules(rule);
  objectRules(rule);
  lengthRules(rule);
}

function multipleRules(rule: AddRule<Categories>): void {
  // "More cars as trucks" is a frequent slip, too.
  rule('Than', ['As'], 'twice as many cars as trucks', (word) => word, 1);
  const multiple = (words: readonly [Leaf, ...Leaf[]], range: Margin['range']): Categories['Multiple'] => ({
    ...joined(words[0], words.slice(1)),
    margin: { compare: 'ratio', range },
  });
  rule('Times', ['Twice'], 'twice as many cars as trucks', ({ times, ...word }) =>
    times > 1 ? { ...word, times } : null,
  );
  rule('Times', ['Number', 'TimesWord'], 'three times as many cars as trucks', (number, word) => ({
    ...joined(leafOf(number), [word]),
    times: number.sense.value,
  }));
  rule('Multiple', ['Times'], 'twice as many cars as trucks', ({ times, ...word }) =>
    multiple([word], { min: times, max: null }),
  );
  rule('Multiple', ['HalfOf'], 'half as many cars as trucks', (word) => multiple([word], { min: null, max: 0.5 }));
  rule('Multiple', ['Compare', 'Times'], 'at least twice as many cars as trucks', (compare, { times, ...word }) => {
    const range = limitOf(compare, times, 0.01) ?? { min: times, max: times };
    return multiple([leafOf(compare), word], range);
  });
}

function countRules(rule: AddRule<Categories>): void {
  rule('MoreBy', ['Multiple', 'Same'], 'twice as many cars as trucks', ({ margin, ...word }, same) =>
    /^as /i.test(same.text) ? { ...joined(word, [same]), margin } : null,
  );
  rule('MoreBy', ['Multiple', 'More'], 'three times more cars than trucks', ({ margin, ...word }, more) =>
    more.compare === 'more' ? { ...joined(word, [more]), margin } : null,
  );
  rule('MoreBy', ['Number', 'More'], 'two more cars than trucks', (number, more) =>
    apart([number, more], more.compare, number.sense.value),
  );
  rule('MoreBy', ['Compare', 'Number', 'More'], 'at least two more cars than trucks', (compare, number, more) => {
    const { value } = number.sense;
    const range = limitOf(compare, value, 1) ?? { min: value, max: value };
    return more.compare === 'more'
      ? { ...joined(leafOf(compare), [number, more]), margin: { compare: 'difference', range } }
      : null;
  });
  const compared = ({ margin, ...word }: Categories['MoreBy'], values: readonly Valued[]): Query =>
    byMargin({ words: [word], measure: amountOf(values), compare: null, values }, margin);
  rule('Question', ['Be', 'There', 'MoreBy', 'Pair'], 'are there twice as many cars as trucks', (_, _there, by, pair) =>
    compared(by, pair),
  );
  rule('Question', ['There', 'Be', 'MoreBy', 'Pair'], 'there are two more cars than trucks', (_, _be, by, pair) =>
    compared(by, pair),
  );
  rule('Question', ['Be', 'MoreBy', 'Pair'], 'are twice as many people on the left as on the right', (_, by, pair) =>
    compared(by, pair),
  );
  rule('Question', ['Do', 'MoreBy', 'Pair'], 'do twice as many people enter as leave', (_, by, pair) =>
    compared(by, pair),
  );
  rule('Question', ['MoreBy', 'Pair'], 'twice as many cars as trucks', compared);
  rule('Question', ['Questioned', 'More', 'Pair'], 'how many times more cars than trucks', (question, more, pair) =>
    question.sense.question === 'how_often' && more.compare === 'more'
      ? compared({ ...joined(leafOf(question), [more]), margin: RATIO }, pair)
      : null,
  );
}

function objectRules(rule: AddRule<Categories>): void {
  rule(
    'ComparativeBy',
    ['Multiple', 'Equative'],
    'is the dog twice as big as the cat',
    ({ margin, ...word }, equal) => ({
      ...joined(word, [equal]),
      measure: equal.measure,
      margin,
    }),
  );
  rule('ComparativeBy', ['Multiple', 'Comparative'], 'is the dog three times bigger than the cat', (by, comparative) =>
    comparative.compare === 'more'
      ? { ...joined(leafOf(by), [comparative]), measure: comparative.measure, margin: by.margin }
      : null,
  );
  const compared = (
    { measure, margin, ...word }: Categories['ComparativeBy'],
    values: readonly Valued[] | null,
  ): Query | null => values && byMargin({ words: [word], measure, compare: null, values }, margin);
  rule(
    'Question',
    ['Be', 'NounPhrase', 'ComparativeBy', 'Than', 'NounPhrase'],
    'is the dog twice as big as the cat',
    (_, a, by, _than, b) => compared(by, valuesOf(present(a), present(b))),
  );
  rule(
    'Question',
    ['Be', 'NounPhrase', 'ComparativeBy', 'Than', 'OtherOne'],
    'is the red car twice as big as the white one',
    (_, a, by, _than, one) => compared(by, valuesOf(present(a), presentInstead(a, one))),
  );
  rule(
    'Question',
    ['Do', 'NounPhrase', 'VerbPhrase', 'ComparativeBy', 'Than', 'NounPhrase'],
    'does the man walk twice as fast as the dog',
    (_, a, { form, predicate: verb }, by, _than, b) =>
      isBase(form) && isPaced(verb, by) ? compared(by, valuesOf(stated(a, verb), stated(b, verb))) : null,
  );
  rule(
    'Question',
    ['How', 'Comparative', 'Be', 'NounPhrase', 'Than', 'NounPhrase'],
    'how much bigger is the dog than the cat',
    (how, { measure, ...word }, _, a, _than, b) =>
      isMuch(how)
        ? compared({ ...joined(how, [word]), measure, margin: RATIO }, valuesOf(present(a), present(b)))
        : null,
  );
}

function lengthRules(rule: AddRule<Categories>): void {
  rule('LongerBy', ['Multiple', 'AsLong'], 'does the car stand twice as long as the truck', (by, long) => ({
    ...joined(leafOf(by), [long]),
    margin: by.margin,
  }));
  rule('LongerBy', ['Multiple', 'Longer'], 'does the car stand three times longer than the truck', (by, longer) =>
    longer.compare === 'more' ? { ...joined(leafOf(by), [longer]), margin: by.margin } : null,
  );
  rule(
    'LongerBy',
    ['Measure', 'Longer'],
    'does the car stand 10 s longer than the truck',
    ({ words, dimension, min, bare }, longer) => {
      const [first, ...others] = words;
      return dimension === 'time' && bare && min !== null
        ? apart([first!, ...others, longer], longer.compare, min)
        : null;
    },
  );
  for (const [other, name] of [
    ['NounPhrase', 'the truck'],
    ['OtherOne', 'the white one'],
  ] as const) {
    const long = (
      statement: Categories['Inverted'],
      { margin, ...word }: Categories['LongerBy'],
      it: Categories[typeof other],
    ) => {
      const values = withOther(statement, (noun) => ('kind' in it ? it : replaced(noun, it)));
      return values && byMargin({ words: [word], measure: 'length', compare: null, values }, margin);
    };
    rule(
      'Question',
      ['Inverted', 'LongerBy', 'Than', other],
      `does the red car stand twice as long as ${name}`,
      (it, by, _, b) => long(it, by, b),
    );
    rule(
      'Question',
      ['How', 'Longer', 'Inverted', 'Than', other],
      `how much longer does the red car stand than ${name}`,
      (how, longer, it, _, b) => (isMuch(how) ? long(it, { ...joined(how, [longer]), margin: DIFFERENCE }, b) : null),
    );
  }
}

const RATIO: Margin = { compare: 'ratio', range: null };
const DIFFERENCE: Margin = { compare: 'difference', range: null };

/** So many more, or fewer. */
function apart(words: readonly [Leaf, ...Leaf[]], compare: 'more' | 'less', by: number): Leaf & { margin: Margin } {
  const margin: Margin = { compare: 'difference', range: { min: by, max: null } };
  return {
    ...joined(leafOf(words[0]), words.slice(1)),
    margin: compare === 'more' ? margin : { ...margin, ofSecond: true },
  };
}

/** The question for the margin of two values; with a range, for yes or no. */
export function byMargin(calculation: Calculation, { compare, range, ofSecond }: Margin): Query {
  const values = ofSecond ? calculation.values.toReversed() : calculation.values;
  return calculated({ ...calculation, values, compare, ...(range ? { range } : {}) }, { isYesNo: range !== null });
}

/** "How much", "by how much", not "how". */
export const isMuch = ({ text }: Leaf) => /much$/i.test(text);
