import type { Predicate, Query, Statement, Valued } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { Categories, Ranked } from '../categories.ts';
import { calculated, isBase, joined } from './build.ts';
import { present, stated } from './clauses.ts';
import { presentInstead, valuesOf, WHICH } from './comparisons.ts';
import { isMotion } from './values.ts';

/** Comparisons of objects by the operators of `operators/`: "is the dog bigger than the cat". */
export function comparativeRules(rule: AddRule<Categories>): void {
  const compared = (
    { compare, measure, ...word }: Categories['Comparative'],
    a: Statement | null,
    b: Statement | null,
  ): Query | null => {
    const values = valuesOf(a, b);
    return values && calculated({ words: [word], measure, compare, values }, { isYesNo: true });
  };
  rule(
    'Question',
    ['Be', 'NounPhrase', 'Comparative', 'Than', 'NounPhrase'],
    'is the dog bigger than the cat',
    (_, a, word, _than, b) => compared(word, present(a), present(b)),
  );
  rule(
    'Question',
    ['Be', 'NounPhrase', 'Comparative', 'Than', 'OtherOne'],
    'is the red car bigger than the white one',
    (_, a, word, _than, one) => compared(word, present(a), presentInstead(a, one)),
  );
  rule(
    'Question',
    ['Do', 'NounPhrase', 'Seem', 'Comparative', 'Than', 'NounPhrase'],
    'does the dog look bigger than the cat',
    (_, a, verb, word, _than, b) =>
      isBase(verb.form) ? compared({ ...word, ...joined(verb, [word]) }, present(a), present(b)) : null,
  );
  rule('Question', ['Be', 'NounPhrases', 'Comparative'], 'is the dog or the cat bigger', (_, nouns, word) => {
    const values = nouns.conjunction === 'or' ? valuesOf(...nouns.members.map(present)) : null;
    return values && greatest(word, values);
  });
  rule(
    'Question',
    ['Be', 'NounPhrase', 'VerbPhrase', 'Comparative', 'Than', 'NounPhrase'],
    'is the truck driving faster than the car',
    (_, a, { form, predicate: verb }, word, _than, b) =>
      form === 'ing' && isPaced(verb, word) ? compared(word, stated(a, verb), stated(b, verb)) : null,
  );
  rule(
    'Question',
    ['Do', 'NounPhrase', 'VerbPhrase', 'Comparative', 'Than', 'NounPhrase'],
    'does the man walk faster than the dog',
    (_, a, { form, predicate: verb }, word, _than, b) =>
      isBase(form) && isPaced(verb, word) ? compared(word, stated(a, verb), stated(b, verb)) : null,
  );
  rule(
    'Ranked',
    ['VerbPhrase', 'Comparative'],
    'which moves faster, the dog or the cat',
    ({ predicate: verb }, word) => (isPaced(verb, word) ? { ...rankedBy(word), verb } : null),
  );
  rule('Ranked', ['Be', 'Comparative'], 'which is bigger, the dog or the cat', (_, word) => rankedBy(word));
  rule('Ranked', ['Be', 'Utmost'], 'which is biggest, the dog or the cat', (_, word) => rankedBy(word));
  rule('Ranked', ['Be', 'Determiner', 'Utmost'], 'which is the biggest, the dog or the cat', (_, the, word) =>
    the.type === 'definite' ? rankedBy(word) : null,
  );
  rule('Ranked', ['Seem', 'Comparative'], 'which looks bigger, the dog or the cat', (verb, word) =>
    rankedBy({ ...word, ...joined(verb, [word]) }),
  );
  rule(
    'Alternatives',
    ['Clause', 'Comma', 'Alternatives'],
    'which is biggest, the dog, the cat or the bird',
    (a, _, b) => [a, ...b],
  );
}

/** "Walks faster". */
export const isPaced = ({ head }: Predicate, { measure }: Pick<Categories['Comparative'], 'measure'>) =>
  measure === 'pace' && isMotion(head);

const rankedBy = ({ measure, compare, ...word }: Categories['Comparative']): Ranked => ({
  measure,
  compare: WHICH[compare],
  verb: null,
  words: [word],
});

const greatest = ({ measure, compare, ...word }: Categories['Comparative'], values: readonly Valued[]): Query =>
  calculated({ words: [word], measure, compare: WHICH[compare], values });
