import type { Determiner, Entity, Leaf, Quantifier, Query } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { Categories } from '../categories.ts';
import { entity, isObject, query } from './build.ts';
import { present, stated } from './clauses.ts';
import { requested } from './requested.ts';

/** Some of several: "one of them", "none of the cars", "how many of those". */
export function partitiveRules(rule: AddRule<Categories>): void {
  rule('NounPhrase', ['PartOf', 'Them'], ['is one of them parked', 'do all of them leave'], (part, them) =>
    partOf(part, set(them)),
  );
  rule('NounPhrase', ['PartOf', 'NounPhrase'], ['none of the cars stop', 'are most of the cars white'], (part, noun) =>
    isDefinite(noun) ? partOf(part, { ...noun, determiner: null }) : null,
  );
  rule('NounPhrase', ['Amount', 'Of', 'Them'], 'do two of them stop', (amount, _, them) => ({ ...set(them), amount }));
  rule('NounPhrase', ['Amount', 'Of', 'NounPhrase'], 'two of the cars stop', (amount, _, noun) =>
    isDefinite(noun) ? { ...noun, amount: withWords(amount, noun.amount), plural: true } : null,
  );
  rule('NounPhrase', ['NounPhrase', 'All'], 'do the cars all leave', (noun, { span, text, id }) =>
    isWhole(noun)
      ? { ...noun, determiner: { ...(noun.determiner ?? { span, text, id, type: 'definite' }), whole: 'all' } }
      : null,
  );
  rule('NounPhrase', ['Another'], 'a car stops and then another stops', ({ span, text, id }) =>
    entity({ type: 'pronoun', word: { span, text, id }, person: false, other: true }),
  );
  rule('NounPhrase', ['Pronoun', 'Both'], 'do they both leave', (word, both) =>
    word.plural ? { ...set(word), amount: bothOf(both) } : null,
  );

  rule(
    'Question',
    ['Questioned', 'Of', 'NounPhrase', 'VerbPhrase'],
    'how many of the cars stop',
    (question, _, noun, verb) =>
      isCount(question) && isDefinite(noun) && verb.form !== 'ing' && verb.form !== 'participle'
        ? counted(question, { ...noun, determiner: null }, verb)
        : null,
  );
  rule(
    'Question',
    ['Questioned', 'Of', 'Them', 'VerbPhrase'],
    'how many of them are trucks',
    (question, _, them, verb) =>
      isCount(question) && verb.form !== 'ing' && verb.form !== 'participle'
        ? counted(question, set(them), verb)
        : null,
  );
  rule('Question', ['Questioned', 'Of', 'Them'], 'how many of those', (question, _, them) => {
    const noun = set(them);
    return isCount(question)
      ? requested(question, { kind: 'event', subject: noun, predicate: null, negation: null })
      : null;
  });
  for (const [category, example] of [
    ['Them', 'which of them stops'],
    ['NounPhrase', 'which of the cars stops'],
  ] as const)
    rule('Question', ['Which', 'Of', category, 'VerbPhrase'], example, (_, _of, of, { form, predicate: what }) => {
      const noun = 'kind' in of ? (isDefinite(of) ? of : null) : set(of);
      const isPredicate = form === 'present' || form === 'past' || form === 'base';
      const statement = noun && isPredicate ? stated(noun, what) : null;
      return statement && query(statement, { isWhich: true });
    });
}

const isCount = ({ sense }: Categories['Questioned']) => sense.question === 'count';

function counted(
  question: Categories['Questioned'],
  noun: Entity,
  { predicate: what }: Categories['VerbPhrase'],
): Query | null {
  const statement = what.head.type === 'exists' && what.modifiers.length === 0 ? present(noun) : stated(noun, what);
  return requested(question, statement);
}

/** Several that were named before. */
export const set = ({ span, text, id }: Leaf): Entity =>
  entity({ type: 'pronoun', word: { span, text, id }, person: false, set: true }, { plural: true });

const isDefinite = (noun: Entity): boolean => isObject(noun) && noun.determiner?.type === 'definite' && noun.plural;
const isWhole = (noun: Entity): boolean =>
  noun.plural && noun.amount === null && noun.negation === null && (noun.head.type === 'pronoun' || isObject(noun));

/** "Two of the three people": the smaller number counts. */
const withWords = (amount: Quantifier, all: Quantifier | null): Quantifier =>
  all ? { ...amount, words: [...amount.words, ...all.words] } : amount;

const bothOf = (word: Leaf): Quantifier => ({ words: [word], min: 2, max: null, vague: true });

function partOf({ of, ...word }: Categories['PartOf'], noun: Entity): Entity | null {
  const determiner = (more: Partial<Determiner>): Determiner => ({
    span: word.span,
    text: word.text,
    id: word.id,
    type: 'definite',
    ...more,
  });
  switch (of) {
    case 'none':
      return { ...noun, negation: { span: word.span, text: word.text, id: word.id } };
    case 'both':
      return noun.amount ? null : { ...noun, amount: bothOf({ span: word.span, text: word.text, id: word.id }) };
    case 'all':
    case 'most':
      return noun.amount ? null : { ...noun, determiner: determiner({ whole: of === 'all' ? 'all' : 'mostly' }) };
    default:
      return noun.amount && noun.head.type !== 'pronoun'
        ? null
        : {
            ...noun,
            plural: of !== 'one' || noun.head.type === 'pronoun',
            determiner: determiner({ type: of === 'any' ? 'any' : 'indefinite' }),
          };
  }
}
