import type { Calculation, Leaf, MomentsOf, Query, Reference, Statement, Valued } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { Categories, EachSide, Graded } from '../categories.ts';
import { calculated, isCounted, joined } from './build.ts';
import { OF_ALL_TIME } from './circumstances.ts';
import { present } from './clauses.ts';
import { amountOf, WHICH } from './comparisons.ts';
import { byMargin } from './margins.ts';
import { quantityWord, valueOfAll } from './values.ts';

/** Comparisons of the time before an event with the time after it: "more cars before the bang or after it". */
export function eachSideRules(rule: AddRule<Categories>): void {
  for (const [first, second] of [
    ['Before', 'After'],
    ['After', 'Before'],
  ] as const) {
    const kinds = [KINDS[first], KINDS[second]] as const;
    const [a, b] = kinds;
    for (const join of ['Or', 'Than'] as const) {
      const link = join === 'Or' ? 'or' : 'than';
      const word = join.toLowerCase();
      const ask = (text: string) => `${join === 'Or' ? 'are we faster' : 'are there more cars'} ${text}`;
      rule('EachSide', [first, 'EventPhrase', join, second], ask(`${a} the stop ${word} ${b}`), (one, it, _, other) =>
        sidesOf(it, kinds, [one, other], link),
      );
      if (second === 'Before')
        rule(
          'EachSide',
          [first, 'EventPhrase', join, second, 'Expletive'],
          ask(`after the stop ${word} before it`),
          (one, it, _, other, pronoun) => sidesOf(it, kinds, [one, joined(other, [pronoun])], link),
        );
    }
    rule('EachSide', [first, 'Or', second, 'EventPhrase'], `are we faster ${a} or ${b} the stop`, (one, _, other, it) =>
      sidesOf(it, kinds, [one, other], 'or'),
    );
    rule(
      'EachSide',
      [first, 'And', second, 'EventPhrase'],
      `how many cars are there ${a} and ${b} the bang`,
      (one, _, other, it) => sidesOf(it, kinds, [one, other], 'and'),
    );
  }
  for (const join of ['Or', 'Than'] as const)
    rule(
      'EachSide',
      ['Before', 'EventPhrase', join, 'AfterThat'],
      join === 'Or' ? 'are we faster before the stop or after it' : 'are we faster before the stop than afterwards',
      (one, it, _, other) =>
        /^after/i.test(other.text)
          ? sidesOf(it, ['before', 'after'], [one, other], join === 'Or' ? 'or' : 'than')
          : null,
    );

  const faster = (
    { compare, ...higher }: Categories['Higher'],
    it: EachSide,
    ...words: readonly Leaf[]
  ): Query | null => {
    if (!isOfSpeed(higher)) return null;
    return compareQuantity(valueOfAll(null, quantityWord('speed', higher), ...words).calculation!, compare, it);
  };
  rule(
    'Question',
    ['Be', 'Expletive', 'Higher', 'EachSide'],
    'is it slower before the turn than after',
    (_, word, higher, it) => faster(higher, it, word),
  );
  rule('Question', ['Higher', 'EachSide'], 'faster before the stop or after it', (higher, it) => faster(higher, it));

  const more = ({ compare, ...word }: Categories['More'], statement: Statement, it: EachSide): Query | null => {
    if (statement.kind !== 'event') return null;
    const values = [{ statement, window: null }];
    return compareSides({ words: [word], measure: amountOf(values), compare: null, values }, compare, it);
  };
  rule(
    'Question',
    ['Be', 'There', 'More', 'Clause', 'EachSide'],
    'are there more cars before the bang or after it',
    (_, _there, word, statement, it) => more(word, statement, it),
  );
  rule(
    'Question',
    ['Be', 'More', 'Clause', 'EachSide'],
    'are more cars in view before the bang or after it',
    (_, word, statement, it) => more(word, statement, it),
  );
  rule('Question', ['More', 'Clause', 'EachSide'], 'more cars before the bang than after it', (word, statement, it) =>
    more(word, statement, it),
  );
  rule(
    'Question',
    ['Do', 'More', 'Clause', 'EachSide'],
    'did more people come before the bang or after it',
    (_, word, statement, it) => more(word, statement, it),
  );

  rule('Question', ['Question', 'EachSide'], 'how many cars are there before and after the bang', (made, it) =>
    valuesOfBoth(made, it),
  );
  rule(
    'Question',
    ['Questioned', 'Subject', 'EachSide'],
    'how many cars before and after the bang',
    (question, subject, it) => {
      const statement = question.sense.question === 'count' && !isCounted(subject) ? present(subject) : null;
      return statement && it.link === 'and'
        ? calculatedOn(
            { words: [question], measure: 'count', compare: null, values: [{ statement, window: null }] },
            it,
          )
        : null;
    },
  );
  rule('Question', ['Inverted', 'EachSide'], 'does the car stop before the bang or after it', (first, sides) =>
    inOrder(first, sides),
  );
  rule(
    'Question',
    ['Clause', 'EachSide'],
    'the car stops before or after the bang',
    (first, sides) => inOrder(first, sides),
    0.3,
  );
}

/** Which of two is earlier: "before" is the answer where the first one is, whatever was named first. */
function inOrder(first: Statement, { pair, link }: EachSide): Query | null {
  const [{ statement: second, pick, moments }] = pair;
  return link === 'or' && !pick && first.kind === 'event'
    ? calculated({
        words: moments!.words,
        measure: 'start',
        compare: 'order',
        values: [first, second].map((statement) => ({ statement, window: null })),
      })
    : null;
}

/** Both sides of an event. With one word, the other side is not named. */
export function sidesOf(
  { statement, pick }: Categories['EventPhrase'],
  kinds: readonly [Side, Side],
  words: readonly [Leaf, Leaf?],
  link: EachSide['link'],
): EachSide {
  const of = (at: 0 | 1): Reference => {
    const word = words[at];
    return { statement, pick, moments: { kind: kinds[at], seconds: null, words: word ? [word] : [] } };
  };
  return { pair: [of(0), of(1)], link };
}

/** "Faster", "slower": other words, such as "higher", name no quantity. */
export const isOfSpeed = ({ text }: Pick<Leaf, 'text'>) => /\b(?:fast|slow)/i.test(text);

type Side = Extract<MomentsOf['kind'], 'before' | 'after'>;
const KINDS = { Before: 'before', After: 'after' } as const satisfies Record<string, Side>;

/** The value on each side of the event. */
const valuesOn = ({ statement }: Valued, { pair }: EachSide): readonly Valued[] =>
  pair.map((during) => ({ statement, window: null, during }));

const calculatedOn = (calculation: Calculation, it: EachSide, more: Partial<Query> = {}): Query =>
  calculated({ ...calculation, values: valuesOn(calculation.values[0]!, it) }, more);

/** Which side has more of it, whether the first one has, or by how much; a pair with "and" compares nothing. */
export function compareSides(calculation: Calculation, compare: Graded['compare'], it: EachSide): Query | null {
  if (it.link === 'and') return null;
  if (typeof compare === 'object')
    return byMargin({ ...calculation, values: valuesOn(calculation.values[0]!, it) }, compare);
  if (compare !== 'more' && compare !== 'less') return calculatedOn({ ...calculation, compare }, it);
  return it.link === 'or'
    ? calculatedOn({ ...calculation, compare: WHICH[compare] }, it)
    : calculatedOn({ ...calculation, compare }, it, { isYesNo: true });
}

/**
 * Compares a quantity. Beside an event such as a stop it rises or falls for a part of the time, which is longer on one
 * side: so its highest value is compared if no statistic is named.
 */
export const compareQuantity = (calculation: Calculation, compare: Graded['compare'], it: EachSide): Query | null =>
  compareSides(
    { ...calculation, measure: calculation.measure === 'mean' ? 'highest' : calculation.measure },
    compare,
    it,
  );

/** "How fast are we before and after the stop": the value on each side. */
function valuesOfBoth(made: Query, it: EachSide): Query | null {
  const { calculation, question, statement } = made;
  if (it.link !== 'and' || made.during || made.moments || made.window || made.per || made.pick) return null;
  if (calculation) {
    const isPlain =
      calculation.compare === null && calculation.values.length === 1 && !calculation.by && !calculation.at;
    return isPlain && !OF_ALL_TIME.has(calculation.measure) ? calculatedOn(calculation, it) : null;
  }
  return question?.sense.question === 'count' && statement.kind === 'event'
    ? calculatedOn({ words: [question], measure: 'count', compare: null, values: [{ statement, window: null }] }, it)
    : null;
}
