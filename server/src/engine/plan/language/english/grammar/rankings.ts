import type { Places } from '../../../meaning/senses.ts';
import type { Entity, Leaf, Query, Statement } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import { MOST_PLACES } from '../../../schema.ts';
import { type Choice, LOOK_PICKS } from '../../../terms.ts';
import type { Categories, VerbPhrase } from '../categories.ts';
import { MODIFIER } from '../costs.ts';
import { entity, isFiniteForm, isObject, joined, query } from './build.ts';
import { present, stated } from './clauses.ts';

/** Rankings: "the three longest stops", "second longest silence", "top 5 cars by duration". */
export function rankingRules(rule: AddRule<Categories>): void {
  rule('Ranking', ['Number', 'Pick'], 'the three longest silences', (number, pick) =>
    isOrder(pick) ? firstPlaces(pick, number) : null,
  );
  rule('Ranking', ['Pick', 'Number'], 'the first three cars', (pick, number) =>
    isOrder(pick) ? firstPlaces(pick, number) : null,
  );
  rule(
    'Ranking',
    ['Number', 'Superlative'],
    'the five biggest people',
    (number, pick) => firstPlaces(pick, number),
    -0.1,
  );
  rule('Ranking', ['Superlative', 'Number'], 'the biggest three cars', (pick, number) => firstPlaces(pick, number));
  rule('Ranking', ['Ordinal', 'Superlative'], 'the second biggest car', (ordinal, pick) => nth(ordinal, pick));
  rule(
    'Nominal',
    ['Superlative', 'Nominal'],
    'the fastest car',
    (pick, noun) => {
      if (!isObject(noun) || noun.pick) return null;
      return isGroup(noun) ? largestGroup(noun, pick) : { ...noun, pick };
    },
    MODIFIER,
  );
  for (const order of ['Pick', 'Ordinal'] as const)
    rule(
      'Nominal',
      [order, 'Nominal', 'FromSide'],
      order === 'Pick' ? 'the first car from the right' : 'the third pedestrian from the left',
      (ordinal, noun, side) => {
        const pick = isObject(noun) && !noun.pick && !isGroup(noun) ? nth(ordinal, side) : null;
        return pick && { ...noun, pick };
      },
    );
  rule('Nominal', ['Nominal', 'Outermost'], 'the person on the far left', (noun, pick) =>
    isObject(noun) && !noun.pick && !isGroup(noun) ? { ...noun, pick } : null,
  );
  rule('Question', ['Who', 'Be', 'Outermost'], 'who is on the far right', (who, _, pick) =>
    ranked(present(anybody(who)), pick),
  );
  rule(
    'Question',
    ['What', 'Be', 'Determiner', 'Superlative', 'Nominal'],
    'what is the biggest animal',
    (_, _be, _the, pick, noun) => (isObject(noun) && !isGroup(noun) ? ranked(present(noun), pick) : null),
  );
  rule(
    'Question',
    ['Who', 'Be', 'Determiner', 'Superlative', 'Nominal'],
    ['who is the fastest person', 'which is the fastest car'],
    (_, _be, _the, pick, noun) => (isObject(noun) && !isGroup(noun) ? ranked(present(noun), pick) : null),
  );
  for (const which of ['Which', 'What'] as const)
    rule(
      'Question',
      [which, 'Be', 'Determiner', 'Pick', 'Statement'],
      which === 'Which' ? 'which is the longest silence' : 'what is the shortest stop',
      (_, _be, _the, pick, statement) => {
        const isByLength = pick.sense.pick === 'longest' || pick.sense.pick === 'shortest';
        return isThere(statement) || !isByLength ? null : ranked(statement, pick);
      },
    );
  rule('Ranking', ['Top', 'Ranking'], 'top three longest silences', (word, { sense, ...ranking }) =>
    sense.places?.from === 1 ? { ...joined(word, [ranking]), sense } : null,
  );
  rule('Ranking', ['Ordinal', 'Pick'], 'second longest silence', (ordinal, pick) => nth(ordinal, pick));
  rule('RankBy', ['By', 'Quantity'], 'top 5 cars by speed', (by, { sense, ...noun }) =>
    sense.quantity === 'speed' ? { ...joined(by, [noun]), sense: { type: 'pick', pick: 'fastest' } } : null,
  );
  rule('RankBy', ['By', 'RankNoun'], 'top 5 cars by duration', (by, { sense, ...noun }) => ({
    ...joined(by, [noun]),
    sense,
  }));

  rule(
    'Nominal',
    ['Ranking', 'Nominal'],
    'the first three cars',
    (pick, noun) => (noun.pick || !picksObjects(pick) ? null : { ...noun, pick }),
    MODIFIER,
  );
  rule(
    'Utterance',
    ['Ranking', 'Statement'],
    ['three longest silences', 'three longest stops'],
    (pick, statement) => (isThere(statement) ? null : ranked(statement, pick)),
    0.4,
  );
  for (const join of ['Of', 'With'] as const)
    rule(
      'Utterance',
      ['Ranking', 'Stretch', join, 'Statement'],
      `two longest periods ${join.toLowerCase()} silence`,
      (pick, _, _join, statement) => ranked(statement, pick),
    );
  rule('Utterance', ['Ranking', 'Stretch', 'Statement'], 'three longest times without people', (pick, _, statement) =>
    ranked(statement, pick),
  );
  rule(
    'Utterance',
    ['Ranking', 'Stretch', 'If', 'Statement'],
    'two longest times when it is dark',
    (pick, _, _if, it) => ranked(it, pick),
  );
  rule(
    'Question',
    ['What', 'Be', 'Determiner', 'Ranking', 'Statement'],
    'what are the three longest silences',
    (_, _be, _the, pick, statement) => (isThere(statement) ? null : ranked(statement, pick)),
  );
  rule(
    'Question',
    ['Questioned', 'Be', 'Determiner', 'Ranking', 'Statement'],
    'when is the second longest silence',
    (question, _, _the, pick, statement) => {
      const { question: kind } = question.sense;
      if (isThere(statement)) return null;
      if (kind === 'how_long') return ranked(statement, { ...joined(question, [pick]), sense: pick.sense });
      const made = kind === 'when' ? ranked(statement, pick) : null;
      return made && { ...made, question };
    },
  );

  for (const [determiners, the] of [
    [[], ''],
    [['Determiner'], 'the '],
  ] as const) {
    rule(
      'Question',
      ['Which', 'Number', 'Nominal', 'VerbPhrase', ...determiners, 'Pick'],
      `which two cars are parked ${the}longest`,
      (...parts) => {
        const [, number, noun, verb] = parts;
        return whoNumbered(noun, verb, parts.at(-1) as Categories['Pick'], number);
      },
    );
    rule(
      'Question',
      ['NounPhrase', 'Who', 'VerbPhrase', ...determiners, 'Pick'],
      `the two people who stay ${the}longest`,
      (...parts) => {
        const [noun, , verb] = parts;
        return whoCounted(noun, verb, parts.at(-1) as Categories['Pick']);
      },
    );
    rule(
      'Question',
      ['Who', 'Be', 'NounPhrase', 'Who', 'VerbPhrase', ...determiners, 'Pick'],
      `who are the two people that stay ${the}longest`,
      (...parts) => {
        const [, , noun, , verb] = parts;
        return whoCounted(noun, verb, parts.at(-1) as Categories['Pick']);
      },
    );
    rule(
      'Question',
      ['Who', 'Be', 'Determiner', 'Number', 'Who', 'VerbPhrase', ...determiners, 'Pick'],
      `who are the 3 that stayed ${the}longest`,
      (...parts) => {
        const [who, , , number, , verb] = parts;
        return whoNumbered(anybody(who), verb, parts.at(-1) as Categories['Pick'], number);
      },
    );
    rule(
      'Question',
      ['Which', 'Nominal', 'VerbPhrase', ...determiners, 'Superlative'],
      `which car drives ${the}fastest`,
      (...parts) => whoRank(parts[1], parts[2], parts.at(-1) as Categories['Superlative']),
    );
    rule(
      'Question',
      ['Which', 'Nominal', 'Be', ...determiners, 'Superlative'],
      `which car is ${the}fastest`,
      (...parts) => ranked(present(parts[1]), parts.at(-1) as Categories['Superlative']),
    );
    rule('Question', ['Who', 'VerbPhrase', ...determiners, 'Superlative'], `who runs ${the}fastest`, (...parts) =>
      whoRank(anybody(parts[0]), parts[1], parts.at(-1) as Categories['Superlative']),
    );
    rule('Question', ['Who', 'Be', ...determiners, 'Superlative'], `who is ${the}fastest`, (...parts) =>
      ranked(present(anybody(parts[0])), parts.at(-1) as Categories['Superlative']),
    );
    rule('Question', ['Who', 'VerbPhrase', ...determiners, 'Ranking'], `who stays ${the}second longest`, (...parts) =>
      whoRank(anybody(parts[0]), parts[1], parts.at(-1) as Categories['Ranking']),
    );
    rule(
      'Question',
      ['Which', 'Nominal', 'VerbPhrase', ...determiners, 'Ranking'],
      `which car stands ${the}second longest`,
      (...parts) => whoRank(parts[1], parts[2], parts.at(-1) as Categories['Ranking']),
    );
  }

  rule('Question', ['Top', 'Number', 'Clause', 'RankBy'], 'top 5 cars by duration', (word, number, statement, by) =>
    ranked(statement, topPlaces(word, number, by)),
  );
  rule('Question', ['Top', 'Number', 'RankBy'], 'top 5 by duration', (word, number, by) => {
    const { span, text, id } = word;
    const noun = { span, text, id, sense: { type: 'noun', classes: [] } } as const;
    return ranked(present(entity({ type: 'object', word: noun, indefinite: true })), topPlaces(word, number, by));
  });
  const sorted = (word: Leaf, statement: Statement, by: Categories['RankBy']) =>
    ranked(statement, ranking(by.sense.pick, { from: 1, to: MOST_PLACES }, word, by));
  rule('Question', ['Sorted', 'Clause', 'RankBy'], 'rank the silences by duration', (word, statement, by) =>
    sorted(word, statement, by),
  );
  rule('Question', ['Clause', 'Sorted', 'RankBy'], 'silences ranked by duration', (statement, word, by) =>
    sorted(word, statement, by),
  );
  rule('Question', ['Clause', 'RankBy'], 'silences by duration', (statement, by) => sorted(by, statement, by), 0.2);
}

const LOOKS: ReadonlySet<Choice> = new Set(LOOK_PICKS);
const ORDERED: ReadonlySet<Choice> = new Set(['first', 'last', 'longest', 'shortest', ...LOOK_PICKS]);
const isOrder = ({ sense }: Categories['Pick']) => ORDERED.has(sense.pick);
const picksObjects = ({ sense: { pick } }: Categories['Pick']) =>
  pick === 'first' || pick === 'last' || LOOKS.has(pick);
const isAcross = ({ sense: { pick } }: Categories['Pick']) => pick === 'leftmost' || pick === 'rightmost';
const ORDINALS: readonly Choice[] = ['first', 'second', 'third', 'fourth', 'fifth'];

/** Only an object: the longest car is no time. */
export const isThere = (statement: Statement): boolean =>
  statement.kind === 'event' &&
  statement.subject?.kind === 'entity' &&
  isObject(statement.subject) &&
  statement.predicate === null;

/** Words that are put together as a ranking. */
const ranking = (pick: Choice, places: Places, word: Leaf, ...others: readonly Leaf[]): Categories['Ranking'] => ({
  ...joined(word, others),
  sense: { type: 'pick', pick, places },
});

/** Several that are counted as one: "a crowd". */
const isGroup = ({ head }: Entity) => head.type === 'object' && (head.word.sense.min ?? 0) > 1;

/** "The largest crowd": when there are most. */
const largestGroup = (noun: Entity, pick: Categories['Superlative']): Entity | null =>
  pick.sense.pick === 'largest' ? { ...noun, pick: { ...pick, sense: { type: 'pick', pick: 'most' } } } : null;

/** "Second longest". */
function nth(ordinal: Categories['Ordinal'], pick: Categories['Pick']): Categories['Ranking'] | null {
  const place = ORDINALS.indexOf(ordinal.sense.pick) + 1;
  // "The first longest" is the longest.
  return place > (isAcross(pick) ? 0 : 1) && isOrder(pick)
    ? ranking(pick.sense.pick, { from: place, to: place }, ordinal, pick)
    : null;
}

/** "Three longest", "longest three". */
function firstPlaces(pick: Categories['Pick'], number: Categories['Number']): Categories['Ranking'] | null {
  const { value } = number.sense;
  const isRank = Number.isInteger(value) && value >= 1 && value <= MOST_PLACES && isOrder(pick);
  const words = [number, pick].toSorted((a, b) => a.span.from - b.span.from);
  return isRank ? ranking(pick.sense.pick, { from: 1, to: value }, words[0]!, words[1]!) : null;
}

const topPlaces = (word: Leaf, number: Categories['Number'], by: Categories['RankBy']) => {
  const places = firstPlaces(by, number);
  return places && { ...joined(word, [places]), sense: places.sense };
};

/** A search for the requested places of an order. */
function ranked(statement: Statement | null, pick: Categories['Ranking'] | null): Query | null {
  if (!statement || !pick || statement.kind !== 'event') return null;
  const { subject } = statement;
  // "The three longest two cars" counts twice.
  const isCounted = subject !== null && (subject.kind === 'group' || subject.amount !== null || subject.pick !== null);
  return isCounted ? null : query(statement, { pick });
}

function whoRank(subject: Entity, { form, predicate: what }: VerbPhrase, pick: Categories['Ranking'] | null) {
  const agrees = isFiniteForm(form) || (form === 'base' && subject.plural);
  return isObject(subject) && agrees ? ranked(stated(subject, what), pick) : null;
}

/** "Which two cars stand longest": the number is that of places. */
function whoNumbered(noun: Entity, verb: VerbPhrase, pick: Categories['Pick'], number: Categories['Number']) {
  const { value } = number.sense;
  if (!Number.isInteger(value) || value < 1 || value > MOST_PLACES || !isOrder(pick)) return null;
  const made = whoRank(noun, verb, ranking(pick.sense.pick, { from: 1, to: value }, pick));
  return made && { ...made, repeats: [number] };
}

/** "The 3 people who stayed longest". */
function whoCounted(noun: Entity, verb: VerbPhrase, pick: Categories['Pick']): Query | null {
  const { amount, determiner } = noun;
  const [word] = amount?.words ?? [];
  const isNumber = amount?.words.length === 1 && !amount.vague && amount.min !== null && amount.max === null;
  if (!isNumber || determiner?.type !== 'definite' || noun.pick || noun.negation || !isOrder(pick)) return null;
  const number = { ...word!, sense: { type: 'number', value: amount.min! } } as const;
  return whoNumbered({ ...noun, amount: null, determiner: null }, verb, pick, number);
}

/** The entity that "who" asks for. */
const anybody = ({ span, text, id }: Leaf): Entity =>
  entity({
    type: 'object',
    word: { span, text, id, sense: { type: 'noun', classes: ['person'] } },
    indefinite: true,
  });
