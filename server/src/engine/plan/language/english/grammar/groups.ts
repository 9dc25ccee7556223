import type { Entity, Leaf, Query, Statement } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import { MOST_PLACES } from '../../../schema.ts';
import type { Categories } from '../categories.ts';
import { MODIFIER } from '../costs.ts';
import { calculated, entity, frameEvent, isBase, isPlural, leafOf, lively, query, questionOf } from './build.ts';
import { present, stated } from './clauses.ts';
import { recalculated, valueFor, withWords } from './values.ts';

/** Values by group, and the greatest group: "vehicles by class", "busiest minute", "which sound lasts longest". */
export function groupRules(rule: AddRule<Categories>): void {
  rule('GroupBy', ['By', 'GroupNoun'], 'cars by color', (word, noun) => ({ by: noun.by, words: [word, noun] }));
  rule('GroupBy', ['Per', 'GroupNoun'], 'how many vehicles per class', (word, noun) =>
    word.sense.seconds === null ? { by: noun.by, words: [word, noun] } : null,
  );
  for (const join of ['Of', 'For'] as const)
    rule(
      'GroupBy',
      [join, 'Determiner', 'GroupNoun'],
      `how many vehicles ${join.toLowerCase()} each class`,
      (_, determiner, noun) => (determiner.type === 'each' ? { by: noun.by, words: [determiner, noun] } : null),
    );

  const counts = (
    statement: Statement | null,
    { by, words }: Categories['GroupBy'],
    ...more: readonly Leaf[]
  ): Query | null =>
    statement && isPlural(statement) ? grouped(valueFor('count', statement, [...words, ...more]), by) : null;
  rule('Question', ['Question', 'GroupBy'], 'how many vehicles by class', (made, { by, words }) => {
    const kind = made.question?.sense.question;
    const measure = kind === 'count' ? 'count' : kind === 'how_long' ? 'length' : null;
    const own = measure && recalculated(made, measure, words[0]!);
    return own?.calculation ? grouped(withWords(own, own.calculation, ...words.slice(1)), by) : null;
  });
  rule('Question', ['Clause', 'GroupBy'], 'cars by color', (statement, by) => counts(statement, by), MODIFIER);
  rule('Question', ['NounPhrase', 'Tally', 'GroupBy'], 'vehicle counts by class', (noun, word, by) =>
    noun.determiner || noun.amount ? null : counts(present({ ...noun, plural: true }), by, word),
  );
  rule('Question', ['Duration', 'GroupBy'], 'total time per object class', (word, { by, words }) => {
    const { span, text, id } = word;
    const noun = { span, text, id, sense: { type: 'noun', classes: [] } } as const;
    const statement = present(entity({ type: 'object', word: noun, indefinite: true }));
    return statement && grouped(valueFor('length', statement, [word, ...words]), by);
  });
  rule('Question', ['Breakdown', 'Subject'], 'breakdown of vehicles', (word, subject) => {
    const statement = present(subject);
    return statement && isPlural(statement) ? grouped(valueFor('count', statement, [word]), 'kind') : null;
  });
  rule('Question', ['RoadMix'], 'modal split', (word) => {
    const statement = roadUsers(word);
    return statement && grouped(valueFor('count', statement, []), 'kind');
  });
  rule('Question', ['Determiner', 'RoadMix'], 'the modal split', (_, word) => {
    const statement = roadUsers(word);
    return statement && grouped(valueFor('count', statement, []), 'kind');
  });

  kindRules(rule);
  periodRules(rule);
  binRules(rule);
}

/** Counts in periods: "cars in 5 minute bins". */
function binRules(rule: AddRule<Categories>): void {
  const isBin = (number: Categories['Number'], unit: Categories['Unit']) =>
    isTime(unit) && !unit.sense.counted && number.sense.value * unit.sense.factor >= 1;
  const inBins = (made: Query, number: Categories['Number'], unit: Categories['Unit'], ...words: readonly Leaf[]) =>
    made.question?.sense.question === 'count' && !made.per && !made.calculation && isBin(number, unit)
      ? { ...made, per: { words: [number, unit, ...words], seconds: number.sense.value * unit.sense.factor } }
      : null;
  for (const join of ['In', 'By', 'Per'] as const) {
    const name = join.toLowerCase();
    const bins = join === 'Per' ? 'bin' : 'bins';
    rule(
      'Question',
      ['Question', join, 'Number', 'Unit', 'Bin'],
      `count cars ${name} 5 minute ${bins}`,
      (made, word, number, unit, bin) => inBins(made, number, unit, bin, word),
    );
    rule(
      'Question',
      ['Clause', join, 'Number', 'Unit', 'Bin'],
      `cars ${name} 5 minute ${bins}`,
      (statement, word, number, unit, bin) => {
        const isEvent = statement.kind === 'event' && !statement.negation;
        return isEvent && (isPlural(statement) || statement.predicate)
          ? inBins(query(statement, { question: questionOf('count', number) }), number, unit, bin, word)
          : null;
      },
    );
  }
}

const roadUsers = (word: Categories['RoadMix']) =>
  present(entity({ type: 'object', word: { ...word, text: 'road user' }, indefinite: false }, { plural: true }));

/** Which kind is there most often, or for the longest. */
function kindRules(rule: AddRule<Categories>): void {
  const heard = ({ span, text, id }: Leaf): Statement =>
    frameEvent({ type: 'sound', word: { span, text, id, sense: { type: 'sound', sound: 'recognized' } } });
  rule('KindOf', ['SoundKind'], 'which kind of sound lasts longest', (word) => ({ statement: heard(word), words: [] }));
  rule('KindOf', ['Sound'], 'which sound lasts longest', (word) =>
    word.sense.sound === 'sound' ? { statement: heard(word), words: [] } : null,
  );
  rule('KindOf', ['ThingKind'], 'which object class is visible the longest', (word) => ({
    statement: present(entity({ type: 'object', word, indefinite: true }))!,
    words: [],
  }));
  rule('KindOf', ['Nominal'], 'which object is visible the longest', (noun) =>
    isAnything(noun) ? { statement: present(noun)!, words: [] } : null,
  );
  rule('KindOf', ['Nominal', 'GroupNoun'], 'which animal type is most common', (noun, word) => {
    const isOfSeveral = noun.head.type === 'object' && noun.head.word.sense.classes.length !== 1;
    const statement = word.by === 'kind' && isOfSeveral ? present(noun) : null;
    return statement && { statement, words: [word] };
  });
  rule('KindOf', ['WhatKind', 'Nominal'], 'which kind of vehicle is most common', (word, noun) => {
    const statement = noun.head.type === 'object' && noun.head.word.sense.classes.length !== 1 ? present(noun) : null;
    return statement && { statement, words: [word] };
  });
  rule('MostBy', ['Pick'], 'which sound lasts longest', (pick) => mostBy(pick));
  rule('MostBy', ['Determiner', 'Pick'], 'which sound lasts the longest', (_, pick) => mostBy(pick));
  rule('IsThere', ['Last'], 'which sound lasts longest', (word) => ({ words: [word], sense: null }));
  rule('IsThere', ['Be'], 'which object is most common', (word) => ({ words: [word], sense: null }));
  rule('IsThere', ['IsHeard'], 'which sound is heard most often', (word) => ({ words: [word], sense: 'heard' }));
  rule('IsThere', ['VerbPhrase'], 'which object appears most often', (verb) => seen(verb));
  rule('MostVerb', ['IsThere', 'MostBy'], 'which sound lasts longest', ({ words, sense }, most) => ({
    measure: most.measure,
    sense,
    words: [...words, most],
  }));
  const greatest = (
    { statement, words }: Categories['KindOf'],
    most: Categories['MostVerb'],
    to = 1,
    ...more: readonly Leaf[]
  ) => grouped(valueFor(most.measure, statement, [...words, ...most.words, ...more]), 'kind', to);
  rule(
    'Question',
    ['Which', 'KindOf', 'MostVerb'],
    'which object is visible the longest',
    (_, kind, most) => greatest(kind, most),
    OF_KINDS,
  );
  rule(
    'Question',
    ['Which', 'Number', 'KindOf', 'MostVerb'],
    'which three objects are visible for the longest',
    (_, number, kind, most) => (isPlace(number) ? greatest(kind, most, number.sense.value, number) : null),
  );
  rule('Question', ['MostBy', 'KindOf'], 'most common object', (most, kind) =>
    most.measure === 'count' ? greatest(kind, { measure: most.measure, sense: null, words: [most] }) : null,
  );
  rule('Question', ['What', 'Be', 'MostBy', 'KindOf'], 'what is the most common object', (_, _be, most, kind) =>
    most.measure === 'count' ? greatest(kind, { measure: most.measure, sense: null, words: [most] }) : null,
  );
  rule('Question', ['What', 'MostVerb'], 'what is seen most often', (word, most) => {
    const { span, text, id } = word;
    const noun = { span, text, id, sense: { type: 'noun', classes: [] } } as const;
    const statement =
      most.sense === 'heard' ? heard(word) : present(entity({ type: 'object', word: noun, indefinite: true }));
    return statement && most.sense !== null ? greatest({ statement, words: [] }, most) : null;
  });
  rule(
    'Question',
    ['Which', 'GroupNoun', 'MostVerb', 'Among', 'Subject'],
    'which color is most common among cars',
    (_, noun, most, among, subject) => {
      const statement = present(subject);
      return statement && isPlural(statement) && most.measure === 'count'
        ? grouped(valueFor('count', statement, [noun, ...most.words, among]), noun.by, 1)
        : null;
    },
  );
  rule(
    'Question',
    ['MostBy', 'GroupNoun', 'Of', 'Subject'],
    'most common color of cars',
    (most, noun, among, subject) => {
      const statement = present(subject);
      return statement && isPlural(statement) && most.measure === 'count'
        ? grouped(valueFor('count', statement, [most, noun, among]), noun.by, 1)
        : null;
    },
  );
}

/** "Which object": of which kind, rather than which one of them. */
const OF_KINDS = -0.5;

/** The busiest minute, and other periods of the same length. */
function periodRules(rule: AddRule<Categories>): void {
  rule('Period', ['Unit'], 'which minute is busiest', (unit) =>
    isTime(unit) && !unit.sense.counted && unit.sense.factor >= 1
      ? { seconds: unit.sense.factor, words: [unit] }
      : null,
  );
  rule('Period', ['Measure'], 'busiest five minutes', ({ words, dimension, bare, min }) =>
    bare && dimension === 'time' && min !== null && min >= 1 && words.length > 1 ? { seconds: min, words } : null,
  );
  rule('BusyRank', ['Pick'], 'busiest minute', (pick) =>
    /^(?:the )?(?:busiest|most crowded)$/i.test(pick.text) ? { ...leafOf(pick), order: 'most' } : null,
  );
  rule('BusyRank', ['LeastBusy'], 'least busy minute', (word) => ({ ...word, order: 'least' }));
  const ranked = (word: Categories['BusyRank'], period: Categories['Period'], to = 1, ...words: readonly Leaf[]) =>
    inPeriods('mean_count', frameEvent(lively(word)), period, { order: word.order, to }, [word, ...words]);
  rule('Question', ['BusyRank', 'Period'], 'busiest minute', (word, period) => ranked(word, period), -0.1);
  rule(
    'Question',
    ['Determiner', 'BusyRank', 'Period'],
    'the busiest minute',
    (_, word, period) => ranked(word, period),
    -0.1,
  );
  rule('Question', ['Which', 'Period', 'Be', 'BusyRank'], 'which minute is busiest', (_, period, _be, word) =>
    ranked(word, period),
  );
  rule(
    'Question',
    ['Which', 'Period', 'Be', 'Determiner', 'BusyRank'],
    'which minute is the busiest',
    (_, period, _be, _the, word) => ranked(word, period),
  );
  rule(
    'Question',
    ['What', 'Be', 'Determiner', 'BusyRank', 'Period'],
    'what is the busiest minute',
    (_, _be, _the, word, period) => ranked(word, period),
  );
  rule('Question', ['Number', 'BusyRank', 'Period'], 'three busiest minutes', (number, word, period) =>
    isPlace(number) ? ranked(word, period, number.sense.value, number) : null,
  );
  rule('Question', ['Top', 'Number', 'BusyRank', 'Period'], 'top 3 busiest minutes', (top, number, word, period) =>
    isPlace(number) ? ranked(word, period, number.sense.value, top, number) : null,
  );

  rule('CountRank', ['Pick'], 'which minute has the most cars', (pick) =>
    pick.sense.pick === 'most' ? { ...leafOf(pick), order: 'most' } : null,
  );
  rule('CountRank', ['Fewest'], 'which minute has the fewest cars', (word) => ({ ...word, order: 'least' }));
  const counted = (word: Categories['CountRank'], period: Categories['Period'], statement: Statement) =>
    inPeriods('count', statement, period, { order: word.order, to: 1 }, [word]);
  rule(
    'Question',
    ['Which', 'Period', 'Have', 'CountRank', 'Clause'],
    'which minute has the most cars',
    (_, period, _has, word, statement) => (isPlural(statement) ? counted(word, period, statement) : null),
  );
  rule(
    'Question',
    ['In', 'Which', 'Period', 'Be', 'There', 'CountRank', 'Clause'],
    'in which minute are there the fewest people',
    (_, _which, period, _be, _there, word, statement) =>
      isPlural(statement) ? counted(word, period, statement) : null,
  );
  rule(
    'Question',
    ['In', 'Which', 'Period', 'Do', 'CountRank', 'Subject', 'VerbPhrase'],
    'in which minute do the most people enter',
    (_, _which, period, _do, word, subject, { form, predicate: what }) => {
      const isOfMany = subject.kind === 'entity' && subject.plural && !subject.amount && isBase(form);
      const statement = isOfMany ? stated(subject, what) : null;
      return statement && counted(word, period, statement);
    },
  );
}

/** "Longest", "the most". */
function mostBy(pick: Categories['Pick']): Categories['MostBy'] | null {
  const { span, text, id } = pick;
  if (pick.sense.pick === 'longest') return { span, text, id, measure: 'length' };
  return pick.sense.pick === 'most' && /^(?:the )?most$/i.test(text) ? { span, text, id, measure: 'count' } : null;
}

/** Verbs that say no more than that it is there. */
function seen({ form, predicate: what }: Categories['VerbPhrase']): Categories['IsThere'] | null {
  const { head, negation, object, agent, modifiers } = what;
  const isBare = negation === null && object === null && agent === null && modifiers.length === 0;
  if (!isBare || form === 'ing' || head.type !== 'action') return null;
  const { action, negated } = head.word.sense;
  return (action === 'present' || action === 'appears') && !negated ? { words: [head.word], sense: 'seen' } : null;
}

/** A word for any object. */
const isAnything = ({ head, attributes, modifiers, doing, amount, pick, negation }: Entity): boolean =>
  head.type === 'object' &&
  head.word.sense.classes.length === 0 &&
  attributes.length + modifiers.length === 0 &&
  !(doing || amount || pick || negation);

const isPlace = ({ sense }: Categories['Number']) =>
  Number.isInteger(sense.value) && sense.value >= 1 && sense.value <= MOST_PLACES;
const isTime = ({ sense }: Categories['Unit']) => sense.dimension === 'time';

/** The values of groups instead of all together; with `to`, only the greatest. */
function grouped(
  made: Query | null,
  by: NonNullable<NonNullable<Query['calculation']>['by']>,
  to?: number,
): Query | null {
  if (!made?.calculation) return null;
  const rank = to === undefined ? {} : { rank: { order: 'most', from: 1, to } as const };
  return { ...made, calculation: { ...made.calculation, by, ...rank } };
}

const inPeriods = (
  measure: 'count' | 'mean_count',
  statement: Statement,
  { seconds, words }: Categories['Period'],
  { order, to }: { order: 'most' | 'least'; to: number },
  more: readonly Leaf[],
): Query =>
  calculated({
    words: [...words, ...more],
    measure,
    compare: null,
    by: 'period',
    period: seconds,
    rank: { order, from: 1, to },
    values: [{ statement, window: null }],
  });
