import type { Compare } from '../../../meaning/senses.ts';
import type { Leaf, MeasuredAmount, Quantifier, Word } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { Categories } from '../categories.ts';
import { UNSEEN } from '../costs.ts';

type Limits = { min: number | null; max: number | null };

/** Counts, durations and other measures, with their limits. */
export function amountRules(rule: AddRule<Categories>): void {
  rule('Amount', ['Number'], 'two cars', (number) => atLeast([number], number.sense.value));
  // "Few cars" are not "a few".
  rule('Amount', ['Count'], 'several cars', (count) =>
    /^few$/i.test(count.text) ? null : { words: [count], min: count.sense.min, max: count.sense.max, vague: true },
  );
  rule('Amount', ['Limit'], 'more than two cars', (limit) => limit);
  rule(
    'Amount',
    ['Count', 'Limit'],
    'a group of more than ten people',
    (count, limit) => ({ ...limit, words: [count, ...limit.words] }),
    0.2,
  );
  rule(
    'Amount',
    ['Count', 'Number'],
    'a group of 4 cyclists',
    (count, number) => atLeast([count, number], number.sense.value),
    0.2,
  );
  rule('Limit', ['Compare', 'Number'], 'at least four cars', (compare, number) => limited(compare, number));
  rule('Limit', ['Number', 'OrMore'], 'two or more cars', (number, more) =>
    atLeast([number, more], number.sense.value),
  );
  rule('Limit', ['Number', 'OrLess'], 'two or fewer cars', (number, less) =>
    quantity([number, less], { min: null, max: number.sense.value }),
  );
  rule('Limit', ['Number', 'Dash', 'Number'], '2-4 people', (from, _, to) => between(from, to));
  rule('Limit', ['Number', 'To', 'Number'], 'two to four people', (from, _, to) => between(from, to));
  rule('Limit', ['Number', 'Or', 'Number'], 'two or three people', (from, _, to) => between(from, to));
  rule('Limit', ['Between', 'Number', 'And', 'Number'], 'between 2 and 4 people', (_, from, _and, to) =>
    between(from, to),
  );
  rule('Limit', ['Limit', 'But', 'Limit'], 'at least 2 but no more than 4 people', (a, _, b) => bothLimits(a, b), 0.2);
  rule('Limit', ['Limit', 'And', 'Limit'], 'more than 2 and fewer than 5 people', (a, _, b) => bothLimits(a, b), 0.2);

  rule('Measure', ['Number', 'Unit'], 'a person stands for 10 seconds', (number, unit) =>
    measure([number, unit], unit, { min: number.sense.value, max: null }, true),
  );
  rule('Measure', ['Unit'], 'a person stands for half a minute', (unit) =>
    unit.sense.counted ? measure([unit], unit, { min: 1, max: null }, true) : null,
  );
  rule('Measure', ['Determiner', 'Unit'], 'a person stands for a minute', (determiner, unit) =>
    determiner.type === 'indefinite' && !unit.sense.counted ? measure([unit], unit, { min: 1, max: null }, true) : null,
  );
  rule('Measure', ['Measure', 'Measure'], 'a person stands for 1 minute 30 seconds', (a, b) => sum(a, b));
  rule('Measure', ['Measure', 'And', 'Measure'], 'a person stands for 1 minute and 30 seconds', (a, _, b) => sum(a, b));
  rule(
    'Measure',
    ['Compare', 'Measure'],
    'a person stands for more than 10 s',
    (compare, { words, dimension, min, bare }) =>
      bare ? { words: [compare, ...words], dimension, bare: false, ...limitsOf(compare.sense.compare, min!) } : null,
  );
  rule(
    'Measure',
    ['Compare', 'Number'],
    'were we ever below 90',
    (compare, number) =>
      SPEEDS.test(compare.text)
        ? {
            words: [compare, number],
            dimension: 'speed',
            bare: false,
            unitless: true,
            ...limitsOf(compare.sense.compare, number.sense.value * KM_PER_HOUR),
          }
        : null,
    UNSEEN,
  );
  rule('Measure', ['Measure', 'OrMore'], 'a person stands for 10 s or more', ({ words, bare, ...limits }, more) =>
    bare ? { ...limits, words: [...words, more], bare: false } : null,
  );
  rule('Measure', ['Measure', 'OrLess'], 'a person stands for 10 s or less', ({ words, bare, dimension, min }, less) =>
    bare ? { words: [...words, less], dimension, min: null, max: min, bare: false } : null,
  );
  rule('Measure', ['Number', 'Dash', 'Number', 'Unit'], 'a person stands for 10-20 s', (from, _, to, unit) =>
    from.sense.value < to.sense.value
      ? measure([from, to, unit], unit, { min: from.sense.value, max: to.sense.value }, false)
      : null,
  );
  rule('Measure', ['Number', 'To', 'Number', 'Unit'], 'a person stands for 10 to 20 s', (from, _, to, unit) =>
    from.sense.value < to.sense.value
      ? measure([from, to, unit], unit, { min: from.sense.value, max: to.sense.value }, false)
      : null,
  );
  rule(
    'Measure',
    ['Measure', 'And', 'Measure'],
    'speed above 30 km/h and below 50 km/h',
    (a, _, b) => bothMeasures(a, b),
    0.2,
  );
  rule(
    'Measure',
    ['Measure', 'But', 'Measure'],
    'black longer than half a sec but shorter than 2 s',
    (a, _, b) => bothMeasures(a, b),
    0.2,
  );
  rule(
    'Measure',
    ['Compare', 'Number', 'And', 'Compare', 'Number', 'Unit'],
    'speed above 30 and below 50 km/h',
    (above, from, _, below, to, unit) => {
      const a = limitsOf(above.sense.compare, from.sense.value);
      const b = limitsOf(below.sense.compare, to.sense.value);
      const limits = { min: a.min ?? b.min, max: a.max ?? b.max };
      const isRange =
        (a.min === null) !== (b.min === null) && (a.max === null) !== (b.max === null) && limits.min! < limits.max!;
      return isRange ? measure([above, from, below, to, unit], unit, limits, false) : null;
    },
    0.2,
  );

  rule(
    'TimeRange',
    ['Between', 'Number', 'And', 'Number', 'Unit'],
    'motion between 10 and 20 seconds',
    (_, from, _and, to, unit) =>
      unit.sense.dimension === 'time' && from.sense.value < to.sense.value
        ? measure([from, to, unit], unit, { min: from.sense.value, max: to.sense.value }, false)
        : null,
  );
  rule('Measure', ['Count', 'Unit'], 'a person stands for a couple of minutes', (count, unit) =>
    unit.sense.counted ? null : measure([count, unit], unit, { min: count.sense.min, max: count.sense.max }, true),
  );
  rule('Time', ['Clock'], 'cars after 0:30', (clock) => ({ words: [clock], seconds: clock.seconds }));
  rule('Time', ['Measure'], 'cars after 30 seconds', ({ words, dimension, min, bare }) =>
    bare && dimension === 'time' ? { words, seconds: min! } : null,
  );
}

const quantity = (words: readonly Leaf[], limits: Limits): Quantifier => ({ words, ...limits, vague: false });
const atLeast = (words: readonly Leaf[], min: number) => quantity(words, { min, max: null });

const between = (from: Word<'number'>, to: Word<'number'>) =>
  from.sense.value < to.sense.value ? quantity([from, to], { min: from.sense.value, max: to.sense.value }) : null;

/** Limits of whole numbers: "more than two" begins at three. */
function limited(compare: Word<'compare'>, number: Word<'number'>): Quantifier | null {
  const { value } = number.sense;
  const words = [compare, number];
  switch (compare.sense.compare) {
    case 'above':
      return quantity(words, { min: value + 1, max: null });
    case 'min':
      return quantity(words, { min: value, max: null });
    case 'below':
      return value < 1 ? null : quantity(words, { min: null, max: value - 1 });
    case 'max':
      return quantity(words, { min: null, max: value });
    case 'exact':
      return quantity(words, { min: value, max: value });
    default:
      return null;
  }
}

function bothLimits(a: Quantifier, b: Quantifier): Quantifier | null {
  const isBounded = (a.min === null) !== (b.min === null) && (a.max === null) !== (b.max === null);
  const limits = { min: a.min ?? b.min, max: a.max ?? b.max };
  return isBounded && limits.min! <= limits.max! ? quantity([...a.words, ...b.words], limits) : null;
}

const toSi = (value: number | null, factor: number) => (value === null ? null : Math.round(value * factor * 1e6) / 1e6);

const measure = (
  words: readonly Leaf[],
  { sense }: Word<'unit'>,
  { min, max }: Limits,
  bare: boolean,
): MeasuredAmount => ({
  words,
  dimension: sense.dimension,
  min: toSi(min, sense.factor),
  max: toSi(max, sense.factor),
  bare,
});

const MINUTE_S = 60;
/** "1 minute 30 seconds": the smaller unit second. */
const sum = (a: MeasuredAmount, b: MeasuredAmount): MeasuredAmount | null =>
  a.dimension === 'time' && b.dimension === 'time' && a.bare && b.bare && a.min! >= MINUTE_S && b.min! < MINUTE_S
    ? { ...a, words: [...a.words, ...b.words], min: a.min! + b.min! }
    : null;

function bothMeasures(a: MeasuredAmount, b: MeasuredAmount): MeasuredAmount | null {
  const isBounded =
    a.dimension === b.dimension &&
    !a.bare &&
    !b.bare &&
    (a.min === null) !== (b.min === null) &&
    (a.max === null) !== (b.max === null);
  const limits = { min: a.min ?? b.min, max: a.max ?? b.max };
  if (!isBounded || limits.min! > limits.max!) return null;
  return { words: [...a.words, ...b.words], dimension: a.dimension, bare: false, ...limits };
}

function limitsOf(compare: Compare, value: number): Limits {
  if (compare === 'below' || compare === 'max') return { min: null, max: value };
  return { min: value, max: compare === 'exact' ? value : null };
}

/** Of a vehicle, a number alone is its speed: "were we ever below 90". */
const SPEEDS = /^(?:above|below|over|under|faster than|slower than)$/i;
/** Meters a second. */
const KM_PER_HOUR = 1 / 3.6;
