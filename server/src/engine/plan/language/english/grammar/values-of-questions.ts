import type { Calculation, Leaf, Query } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { ComparisonKind, MeasureKind, QuestionKind } from '../../../terms.ts';
import type { Categories } from '../categories.ts';
import { calculated, isPlural } from './build.ts';
import { limitOf } from './values.ts';

/**
 * Calculations with what questions ask for: every question for one number is a value, and every two values of the same
 * measure can be subtracted and compared, whatever they are about.
 */
export function valuesOfQuestionsRules(rule: AddRule<Categories>): void {
  rule('Value', ['Question'], 'number of cars minus number of trucks', requestedValue);
  rule('Value', ['Clause'], 'people entering minus people leaving', (statement) =>
    isPlural(statement) ? { words: [], measure: 'count', compare: null, values: [{ statement, window: null }] } : null,
  );
  rule('Question', ['Value', 'Minus', 'Value'], 'people entering minus people leaving', (a, word, b) =>
    combined('difference', a, b, word),
  );
  rule(
    'Question',
    ['DifferenceOf', 'Value', 'And', 'Value'],
    'difference between the number of cars and the number of trucks',
    (word, a, _, b) => combined('difference', a, b, word),
  );
  const than = (a: Calculation, { compare, ...word }: Categories['Higher'], b: Calculation) =>
    combined(compare, a, b, word);
  rule(
    'Question',
    ['Be', 'Value', 'Higher', 'Than', 'Value'],
    'is the number of cars greater than the number of trucks',
    (_, a, word, _than, b) => than(a, word, b),
  );
  rule(
    'Question',
    ['Value', 'Be', 'Higher', 'Than', 'Value'],
    'the number of cars is greater than the number of trucks',
    (a, _, word, _than, b) => than(a, word, b),
  );
  const beside = (value: Calculation, compare: Categories['Compare'], number: Categories['Number']) => {
    const limits = value.measure === 'count' ? limitOf(compare, number.sense.value, 1) : null;
    return limits && limited(value, [compare, number], limits);
  };
  rule(
    'Question',
    ['Be', 'Value', 'Compare', 'Number'],
    'is the number of cars that stop greater than 5',
    (_, value, compare, number) => beside(value, compare, number),
  );
  rule(
    'Question',
    ['Value', 'Be', 'Compare', 'Number'],
    'the number of cars that stop is greater than 5',
    (value, _, compare, number) => beside(value, compare, number),
  );
  rule(
    'Question',
    ['Be', 'Value', 'Measure'],
    'is the longest time a car stands longer than 10 seconds',
    (_, value, { words, dimension, min, max, bare }) =>
      dimension === 'time' && !bare && LENGTHS.has(value.measure) ? limited(value, words, { min, max }) : null,
  );
}

/** The value that a question asks for; null for one that has other answers. */
function requestedValue(made: Query): Calculation | null {
  const { calculation, question, statement, window, per, pick, isYesNo, moments, during, repeats } = made;
  if (per || pick || isYesNo || moments || during) return null;
  if (calculation) {
    const { compare, by, rank, at, values } = calculation;
    const [value] = values;
    if (compare || by || rank || at || values.length > 1 || (window && value!.window)) return null;
    return {
      ...calculation,
      words: [...calculation.words, ...repeats],
      values: [{ ...value!, window: window ?? value!.window }],
    };
  }
  const measure = question && MEASURED[question.sense.question];
  if (!measure || statement.kind === 'anything' || statement.kind === 'fact') return null;
  return { words: [question, ...repeats], measure, compare: null, values: [{ statement, window }] };
}

const MEASURED: Partial<Record<QuestionKind, MeasureKind>> = { count: 'count', how_long: 'length' };
const LENGTHS: ReadonlySet<Calculation['measure']> = new Set(['length', 'item_length', 'longest', 'shortest', 'start']);

function combined(compare: ComparisonKind, a: Calculation, b: Calculation, word: Leaf): Query | null {
  const isSame = a.measure === b.measure && a.quantity?.sense.quantity === b.quantity?.sense.quantity;
  if (!isSame || a.offset !== b.offset) return null;
  return calculated(
    { ...a, words: [...a.words, word, ...b.words], compare, values: [...a.values, ...b.values] },
    { isYesNo: compare !== 'difference' },
  );
}

const limited = (value: Calculation, words: readonly Leaf[], range: NonNullable<Calculation['range']>): Query =>
  calculated({ ...value, words: [...value.words, ...words], compare: 'within', range }, { isYesNo: true });
