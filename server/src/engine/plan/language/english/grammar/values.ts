import { DIMENSIONS } from '../../../meaning/dimensions.ts';
import type { Dimension } from '../../../meaning/senses.ts';
import type {
  Calculation,
  Entity,
  EntityHead,
  Leaf,
  MeasuredAmount,
  Nominal,
  PredicateHead,
  Query,
  Statement,
  Word,
} from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import { REASONS } from '../../../reasons.ts';
import type { MeasureKind, Quantity } from '../../../terms.ts';
import type { Categories } from '../categories.ts';
import {
  calculated,
  event,
  frameEvent,
  isBase,
  isCounted,
  isFiniteForm,
  isPlural,
  joined,
  LASTING,
  leafOf,
  modified,
  query,
  questionOf,
} from './build.ts';
import { present, stated } from './clauses.ts';

/** Questions for one value: shares and means of what is found, and measured quantities. */
export function valueRules(rule: AddRule<Categories>): void {
  rule(
    'ShareOf',
    ['ShareWord', 'Of', 'Determiner', 'Picture'],
    'how much of the video is the car parked',
    (word) => word,
  );
  rule('ShareOf', ['ShareWord', 'Of', 'Picture'], 'what share of footage is the car parked', (word) => word);
  rule('ShareOf', ['ShareWord', 'Of', 'Determiner', 'Span'], 'how much of the time is the car parked', (word) => word);
  rule('ShareOf', ['ShareWord', 'Of', 'Span'], 'what percentage of time is the car parked', (word) => word);
  rule('ShareOf', ['For', 'ShareOf'], 'for how much of the video is the car parked', (_, word) => word);
  rule(
    'ShareOf',
    ['What', 'Be', 'Determiner', 'ShareOf'],
    'what is the share of the time that it is dark',
    (_, _be, _the, word) => word,
  );
  rule('Question', ['ShareOf', 'Inverted'], 'how much of the time is the room empty', (word, statement) =>
    valueFor('share', statement, [word]),
  );
  rule('Question', ['ShareOf', 'Have', 'Subject'], 'how much of the video has people', (word, _, subject) => {
    const statement = present(subject);
    return statement && valueFor('share', statement, [word]);
  });
  rule(
    'Question',
    ['ShareOf', 'Have', 'Subject', 'InIt'],
    'how much of the video has people in it',
    (word, _, subject) => {
      const statement = present(subject);
      return statement && valueFor('share', statement, [word]);
    },
  );
  rule('Question', ['ShareOf', 'Shows', 'Subject'], 'how much of the video shows people', (word, _, subject) => {
    const statement = present(subject);
    return statement && valueFor('share', statement, [word]);
  });
  rule(
    'Question',
    ['ShareOf', 'If', 'Statement'],
    'percentage of the time that the room is empty',
    (word, _, statement) => valueFor('share', statement, [word]),
  );
  rule('ShareOf', ['Determiner', 'ShareOf'], 'the percentage of time that a car is parked', ({ type }, word) =>
    type === 'definite' ? word : null,
  );
  rule('ShareOf', ['In', 'ShareOf'], 'in what percentage of the video is a car parked', (at, word) =>
    at.surface === 'in' ? word : null,
  );
  rule(
    'ShareOf',
    ['ShareOf', 'Comma', 'InPercent', 'Comma'],
    'how much of the video, in percent, shows people',
    (word, _, unit) => joined(word, [unit]),
  );
  rule('ShareOf', ['ShareOf', 'InPercent'], 'how much of the video in percent shows people', (word, unit) =>
    joined(word, [unit]),
  );
  // "With a car and a person": both are there, which two searches do not state.
  const isOne = (statement: Statement) => statement.kind !== 'event' || statement.subject?.kind !== 'group';
  rule(
    'Question',
    ['ShareOf', 'With', 'Clause'],
    'percentage of the video with people in view',
    (word, _, statement) => (isOne(statement) ? valueFor('share', statement, [word]) : null),
  );
  rule(
    'Question',
    ['ShareOf', 'There', 'Be', 'Subject'],
    'share of the time there is a car',
    (word, _, _is, subject) => {
      const statement = present(subject);
      return statement && valueFor('share', statement, [word]);
    },
  );
  rule('Question', ['Clause', 'ShareOf'], 'a car is parked for how much of the video', (statement, word) =>
    /^(?:what|which|how)/i.test(word.text) ? valueFor('share', statement, [word]) : null,
  );
  rule(
    'Question',
    ['ShareOf', 'With', 'Clause', 'InIt'],
    'percentage of the video with people in it',
    (word, _, statement) => (isOne(statement) ? valueFor('share', statement, [word]) : null),
  );
  rule('Question', ['ShareOf', 'Clause'], 'share of the time a car is parked', (word, statement) =>
    statement.kind === 'event' && statement.predicate ? valueFor('share', statement, [word]) : null,
  );
  rule(
    'Question',
    ['ShareOf', 'Who', 'Shows', 'Subject'],
    'percentage of the video that contains people',
    (word, _, _shows, subject) => {
      const statement = present(subject);
      return statement && valueFor('share', statement, [word]);
    },
  );
  rule(
    'Question',
    ['ShareOf', 'Who', 'Have', 'Subject', 'InIt'],
    'percentage of the video that has people in it',
    (word, _, _has, subject) => {
      const statement = present(subject);
      return statement && valueFor('share', statement, [word]);
    },
  );
  rule(
    'Question',
    ['ShareWord', 'Of', 'Subject', 'Be', 'NounPhrase'],
    'what percentage of the vehicles are trucks',
    (word, _, whole, _be, part) => partOf(word, whole, part.plural ? present(part) : null),
  );
  rule(
    'Question',
    ['ShareWord', 'Of', 'Subject', 'VerbPhrase'],
    'what fraction of people wear red',
    (word, _, whole, { form, predicate: what }) =>
      isFiniteForm(form) || isBase(form) ? partOf(word, whole, stated(whole, what)) : null,
  );
  rule(
    'Question',
    ['ShareWord', 'Of', 'Subject', 'Be', 'Predication'],
    'what share of the cars are red',
    (word, _, whole, _be, { predicate: what }) => partOf(word, whole, stated(whole, what)),
  );
  rule('Questioned', ['Questioned', 'InAll'], 'how much time in total is a car parked', (question, all) =>
    question.sense.question === 'how_long' ? { ...joined(question, [all]), sense: question.sense } : null,
  );
  rule('Question', ['Question', 'InPercent'], 'how long is the car parked in percent', (made, word) =>
    inPercent(made, word),
  );
  rule('Question', ['Question', 'Comma', 'InPercent'], 'how long is the car parked, in percent', (made, _, word) =>
    inPercent(made, word),
  );

  rule('Question', ['Total', 'Statement'], ['total silence', 'total cars'], (word, statement) =>
    isPlural(statement)
      ? query(statement, { question: questionOf('count', word) })
      : valueFor('length', statement, [word]),
  );
  rule('Question', ['Question', 'In', 'Unit'], 'total silence in seconds', (made, _, unit) =>
    unit.sense.dimension === 'time' && !unit.sense.counted && made.calculation?.measure === 'length'
      ? withWords(made, made.calculation, unit)
      : null,
  );
  rule('Question', ['Questioned', 'Until', 'Clause'], 'how long until a car appears', (question, _, statement) =>
    question.sense.question === 'how_long' ? valueFor('start', statement, [question]) : null,
  );
  rule('Question', ['Turn', 'Until', 'Clause'], 'time until a car appears', (_, _until, statement) =>
    valueFor('start', statement, []),
  );
  const longest = (pick: Categories['Pick'], statement: Statement, words: readonly Leaf[]) => {
    const { pick: choice } = pick.sense;
    return choice === 'longest' || choice === 'shortest' ? valueFor(choice, statement, [pick, ...words]) : null;
  };
  rule(
    'Question',
    ['Questioned', 'Be', 'Determiner', 'Pick', 'Clause'],
    'how long was the longest stop',
    (question, _be, _the, pick, statement) =>
      question.sense.question === 'how_long' ? longest(pick, statement, [question]) : null,
  );
  rule('Sought', ['Pick', 'Turn', 'Clause'], 'what is the longest time a car stands', (pick, _, statement) =>
    statement.kind === 'event' && statement.predicate && !statement.negation ? longest(pick, statement, []) : null,
  );

  const shareLimit = (compare: Categories['Compare'], share: number, ...words: readonly Leaf[]) => {
    const limits = share >= 0 && share <= 1 ? limitOf(compare, share, 0) : null;
    return limits && { words: [compare, ...words], ...limits };
  };
  for (const whole of [
    ['Determiner', 'Picture'],
    ['Determiner', 'Span'],
  ] as const) {
    const name = whole[1] === 'Picture' ? 'video' : 'time';
    rule(
      'ShareLimit',
      ['Compare', 'Fraction', 'Of', ...whole],
      `is it dark for more than half of the ${name}`,
      (compare, fraction) => shareLimit(compare, fraction.share, fraction),
    );
    rule(
      'ShareLimit',
      ['Compare', 'Number', 'Unit', 'Of', ...whole],
      `is it dark for more than 30 % of the ${name}`,
      (compare, number, unit) =>
        /^(?:%|percent)$/i.test(unit.text) ? shareLimit(compare, number.sense.value / 100, number, unit) : null,
    );
    rule(
      'ShareLimit',
      ['Compare', 'Fraction', ...whole],
      `is it dark for more than half the ${name}`,
      (compare, fraction) => shareLimit(compare, fraction.share, fraction),
    );
    const portion = (fraction: Categories['Fraction'], word: Leaf) =>
      whole[1] === 'Span' || LASTING.test(word.text) ? { words: [fraction], min: fraction.share, max: null } : null;
    rule('ShareLimit', ['Fraction', ...whole], `is it dark half the ${name}`, (fraction, _, word) =>
      portion(fraction, word),
    );
    rule('ShareLimit', ['Fraction', 'Of', ...whole], `is it dark half of the ${name}`, (fraction, _, _the, word) =>
      portion(fraction, word),
    );
    rule('ShareLimit', ['MostOf', ...whole], `is it dark most of the ${name}`, (word) => ({
      words: [word],
      min: 0.5,
      max: null,
    }));
  }
  rule('ShareLimit', ['Mostly'], 'is it dark for the most part', (word) => ({ words: [word], min: 0.5, max: null }));
  rule('ShareLimit', ['For', 'ShareLimit'], 'is it dark for more than half of the video', (_, limit) => limit);
  rule('Question', ['Inverted', 'ShareLimit'], 'is it dark most of the time', (statement, limit) =>
    within('share', statement, limit),
  );
  rule('Question', ['Statement', 'ShareLimit'], 'it is dark for at least half of the video', (statement, limit) =>
    within('share', statement, limit),
  );
  rule('Question', ['ShareLimit', 'Statement'], 'half the time nobody is there', (limit, statement) =>
    within('share', statement, limit),
  );
  rule('Question', ['ShareLimit', 'Comma', 'Statement'], 'most of the time, nobody is there', (limit, _, statement) =>
    within('share', statement, limit),
  );
  rule('Occurrences', ['Twice'], 'did a car stop twice', (word) => ({ words: [word], min: word.times, max: null }));
  rule('Occurrences', ['Number', 'TimesWord'], 'did a car stop three times', (number, times) => ({
    words: [number, times],
    min: number.sense.value,
    max: null,
  }));
  rule('Occurrences', ['Compare', 'Twice'], 'did a car stop more than once', (compare, word) => {
    const limits = limitOf(compare, word.times, 1);
    return limits && { words: [compare, word], ...limits };
  });
  rule('Occurrences', ['Compare', 'Number', 'TimesWord'], 'did a car stop at least three times', (compare, number) => {
    const limits = limitOf(compare, number.sense.value, 1);
    return limits && { words: [compare, number], ...limits };
  });
  rule('Question', ['Inverted', 'Occurrences'], 'did a car stop more than once', (statement, limit) =>
    within('count', statement, limit),
  );
  rule(
    'Question',
    ['Opening', 'If', 'Statement', 'Occurrences'],
    'is it true that a car stops twice',
    ({ opening }, { text }, statement, limit) =>
      opening === 'ask' && /^(?:if|whether|that)$/i.test(text) ? within('count', statement, limit) : null,
  );
  rule(
    'Question',
    ['Statement', 'Occurrences', 'Comma', 'Confirm'],
    'a car stops twice, right',
    (statement, limit, _, tag) => {
      const made = within('count', statement, limit);
      return made && { ...made, repeats: [tag] };
    },
  );

  rule(
    'Question',
    ['Question', 'Average'],
    ['how long do cars stay on average', 'how many people enter on average'],
    (made, word) => asMean(made, word),
  );
  rule('Question', ['Average', 'Question'], 'on average how long do cars stay', (word, made) => asMean(made, word));
  rule('Question', ['Average', 'Comma', 'Question'], 'on average, how long do cars stay', (word, _, made) =>
    asMean(made, word),
  );
  const mostOf = (made: Query, word: Leaf) =>
    made.question?.sense.question === 'count'
      ? recalculated(made, 'most', word)
      : made.calculation?.measure === 'most'
        ? withWords(made, made.calculation, word)
        : null;
  rule('Question', ['Question', 'AtMost'], 'how many people are there at the busiest moment', (made, word) =>
    mostOf(made, word),
  );
  rule('Question', ['AtMost', 'Question'], 'at most how many people are there', (word, made) =>
    /^(?:at |up to$)/i.test(word.text) ? mostOf(made, word) : null,
  );
  rule('Question', ['Question', 'Comma', 'AtMost'], 'how many people are there, at most', (made, _, word) =>
    mostOf(made, word),
  );
  rule(
    'Question',
    ['Questioned', 'Subject', 'AtMost', 'VerbPhrase'],
    'how many people at most are in view',
    (question, subject, word, { form, predicate: what }) =>
      question.sense.question === 'count' && isFiniteForm(form) && !isCounted(subject)
        ? valueFor('most', event(subject, what), [question, word])
        : null,
  );
  rule('Question', ['AtMost', 'Comma', 'Question'], 'at most, how many people are there', (word, _, made) =>
    mostOf(made, word),
  );
  rule('Question', ['Question', 'AtOnce'], 'how many people are there at once', (made, word) =>
    made.question?.sense.question === 'count'
      ? recalculated(made, 'most', word)
      : made.calculation?.measure === 'most'
        ? made
        : null,
  );

  rule('Measured', ['Quantity'], 'speed at 0:10', (quantity) => ({ statistic: null, quantity }));
  rule('Measured', ['Statistic', 'Quantity'], 'average speed', (statistic, quantity) => ({ statistic, quantity }));
  rule('Measured', ['Determiner', 'Measured'], 'the average speed', (_, measured) => measured);
  rule('Measured', ['Possessive', 'Measured'], 'our average speed', (_, measured) => measured);
  rule('Question', ['Measured'], 'average speed', ({ statistic, quantity }) =>
    statistic ? valueOfAll(statistic, quantity) : null,
  );
  rule('Question', ['What', 'Be', 'Measured'], 'what was the top speed', (_, _be, { statistic, quantity }) =>
    valueOfAll(statistic, quantity),
  );
  rule('Question', ['Measured', 'WindowPhrase'], 'speed at 0:10', ({ statistic, quantity }, window) => ({
    ...valueOfAll(statistic, quantity),
    window,
  }));
  rule(
    'Question',
    ['Measured', 'While', 'Clause'],
    'speed when we turn left',
    ({ statistic, quantity }, word, statement) => during(valueOfAll(statistic, quantity), statement, word),
  );
  rule('Question', ['Question', 'In', 'Unit'], 'highest speed in mph', (made, _, unit) =>
    made.calculation?.quantity && isUnitOf(made.calculation.quantity.sense.quantity, unit.sense.dimension)
      ? withWords(made, made.calculation, unit)
      : null,
  );
  rule('Question', ['HowFast', 'Be', 'Subject'], 'how fast are we', (word, _, subject) =>
    isCarrier(subject) ? valueOfAll(null, word, subject.head.word) : null,
  );
  rule(
    'Question',
    ['HowFast', 'Be', 'Subject', 'VerbPhrase'],
    'how fast are we moving',
    (word, _, subject, { predicate: { head } }) =>
      isCarrier(subject) && isMotion(head) ? valueOfAll(null, word, subject.head.word, head.word) : null,
  );
  rule(
    'Question',
    ['HowFast', 'Do', 'Subject', 'VerbPhrase'],
    'how fast do we move',
    (word, _, subject, { form, predicate: { head } }) =>
      isCarrier(subject) && isBase(form) && isMotion(head)
        ? valueOfAll(null, word, subject.head.word, head.word)
        : null,
  );
  rule(
    'Question',
    ['Question', 'While', 'Clause'],
    ['how fast are we when we turn left', 'how many people are there when a car stops'],
    (made, word, statement) => during(made, statement, word) ?? countedAt(made, statement, word),
  );
  rule(
    'Question',
    ['Questioned', 'Be', 'Subject', 'Extreme'],
    'when were we slowest',
    (question, _, subject, extreme) =>
      question.sense.question === 'when' && isCarrier(subject) ? extremeOf(extreme, question, subject.head.word) : null,
  );
  rule(
    'Question',
    ['Questioned', 'Do', 'Subject', 'VerbPhrase', 'Extreme'],
    'when do we go fastest',
    (question, _, subject, { form, predicate: { head } }, extreme) =>
      question.sense.question === 'when' && isCarrier(subject) && isBase(form) && isMotion(head)
        ? extremeOf(extreme, question, subject.head.word, head.word)
        : null,
  );
  rule(
    'Question',
    ['Question', 'Measure', 'Before', 'Clause'],
    'how fast are we 2 seconds before we stop',
    (made, amount, _, statement) => around(made, statement, amount, -1),
  );
  rule(
    'Question',
    ['Question', 'Measure', 'After', 'Clause'],
    'how fast are we 2 seconds after we start',
    (made, amount, _, statement) => around(made, statement, amount, 1),
  );
}

/** The limits that a comparison with a number states. `step`: the smallest difference of two such numbers. */
export function limitOf({ sense }: Categories['Compare'], value: number, step: number) {
  const isLower = sense.compare === 'above' || sense.compare === 'min';
  const isUpper = sense.compare === 'below' || sense.compare === 'max';
  const isOpen = sense.compare === 'above' || sense.compare === 'below';
  if (isLower) return { min: value + (isOpen ? step : 0), max: null };
  return isUpper ? { min: null, max: value - (isOpen ? step : 0) } : null;
}

/** "What percentage of the cars are red": of all objects, those that a statement is about. */
function partOf(word: Leaf, whole: Nominal, part: Statement | null): Query | null {
  if (whole.kind !== 'entity' || whole.head.type !== 'object' || !whole.plural || part?.kind !== 'event') return null;
  if (whole.amount || whole.pick || whole.negation || part.negation || part.predicate?.negation) return null;
  const all = present({ ...whole, determiner: null });
  const some = part.subject === whole ? { ...part, subject: { ...whole, determiner: null } } : part;
  return (
    all &&
    calculated({
      words: [word],
      measure: 'count',
      compare: 'part',
      values: [some, all].map((statement) => ({ statement, window: null })),
    })
  );
}

/** A question for a value of a statement. */
export function valueFor(measure: MeasureKind, statement: Statement, words: readonly Leaf[]): Query | null {
  if (statement.kind === 'anything') return null;
  return calculated({ words, measure, compare: null, values: [{ statement, window: null }] });
}

const within = (
  measure: MeasureKind,
  statement: Statement,
  { words, min, max }: Categories['ShareLimit'],
): Query | null => {
  const made = valueFor(measure, statement, words);
  return made?.calculation
    ? { ...made, isYesNo: true, calculation: { ...made.calculation, compare: 'within', range: { min, max } } }
    : null;
};

/** "How many people are there when a car stops": as many as there are at that moment. */
function countedAt(made: Query, at: Statement, word: Categories['While']): Query | null {
  const isCount = made.question?.sense.question === 'count' && !made.calculation && !made.per;
  if (!isCount || !/^when/i.test(word.text) || at.kind === 'anything') return null;
  const value = valueFor('count_at', made.statement, [made.question!]);
  return value?.calculation ? { ...value, window: made.window, calculation: { ...value.calculation, at } } : null;
}

/** "When do we go fastest": its highest value, which is stated with its time. */
const extremeOf = ({ statistic, ...extreme }: Categories['Extreme'], ...words: readonly Leaf[]): Query => {
  const quantity = quantityWord('speed', extreme);
  return valueOfAll({ ...extreme, statistic }, quantity, ...words);
};

/** The question with another value of what it asks about. */
export function recalculated(made: Query, measure: MeasureKind, word: Leaf): Query | null {
  if (made.calculation || made.per || made.question === null) return null;
  const value = valueFor(measure, made.statement, [made.question, word]);
  return value && { ...value, window: made.window, pick: made.pick };
}

/** "How many people enter on average": what happens in a moment is counted, and has no mean at the same time. */
function withoutMean(made: Query, { span, text, id }: Leaf): Query | null {
  const { statement } = made;
  if (made.per || statement.kind !== 'event' || statement.predicate?.head.type !== 'action') return null;
  const { action } = statement.predicate.head.word.sense;
  if (action === 'present' || action === 'stands') return null;
  const word = { span, text, id, sense: { type: 'vague', reason: REASONS.averages } as const };
  return { ...made, statement: { ...statement, predicate: modified(statement.predicate, { type: 'vague', word }) } };
}

function inPercent(made: Query, word: Leaf): Query | null {
  if (made.question?.sense.question === 'how_long') return recalculated(made, 'share', word);
  return made.calculation?.measure === 'share' ? withWords(made, made.calculation, word) : null;
}

/** The question with further words of its calculation. */
export const withWords = (made: Query, calculation: Calculation, ...words: readonly Leaf[]): Query => ({
  ...made,
  calculation: { ...calculation, words: [...calculation.words, ...words] },
});

/** A channel may be recorded in any unit. */
const isUnitOf = (quantity: Quantity, dimension: Dimension) =>
  quantity === 'channel' || DIMENSIONS[quantity] === dimension;

/** "On average": the mean time of each, or the mean number at the same time. */
function asMean(made: Query, word: Leaf): Query | null {
  const { calculation } = made;
  if (calculation?.measure === 'item_length' || calculation?.measure === 'mean_count')
    return withWords(made, calculation, word);
  if (made.question?.sense.question === 'how_long') return recalculated(made, 'item_length', word);
  if (made.question?.sense.question !== 'count') return null;
  return withoutMean(made, word) ?? recalculated(made, 'mean_count', word);
}

/** A word that stands for a quantity: "faster" for the speed. */
export const quantityWord = (quantity: Quantity, word: Leaf): Word<'quantity'> => ({
  ...leafOf(word),
  sense: { type: 'quantity', quantity },
});

/** A quantity over the whole time: its mean if no statistic is named. */
export const valueOfAll = (
  statistic: Categories['Statistic'] | null,
  quantity: Word<'quantity'>,
  ...words: readonly Leaf[]
): Query =>
  calculated({
    words: statistic ? [statistic, ...words] : words,
    measure: statistic?.statistic ?? 'mean',
    quantity,
    compare: null,
    values: [{ statement: frameEvent({ type: 'quantity', word: quantity }), window: null }],
  });

/** "When we turn": at the start of it. "While we turn": all the time. */
const during = (made: Query, statement: Statement, word: Categories['While']): Query | null =>
  made.calculation?.quantity && isAll(made) && statement.kind !== 'anything'
    ? ofQuantity(
        made.calculation,
        statement,
        /^when/i.test(word.text) && !made.calculation.words.some(isStatistic) ? 0 : null,
      )
    : null;

function around(made: Query, statement: Statement, amount: MeasuredAmount, sign: 1 | -1): Query | null {
  if (!made.calculation?.quantity || !isAll(made) || statement.kind === 'anything') return null;
  if (!amount.bare || amount.dimension !== 'time') return null;
  const { words } = made.calculation;
  return ofQuantity({ ...made.calculation, words: [...words, ...amount.words] }, statement, sign * amount.min!);
}

/** True if the value is of the whole time, and not of another statement. */
const isAll = ({ calculation, window }: Query) =>
  window === null &&
  calculation?.values.every(
    ({ statement }) => statement.kind === 'event' && statement.predicate?.head.type === 'quantity',
  ) === true;

const ofQuantity = (calculation: Calculation, statement: Statement, offset: number | null): Query =>
  calculated({
    ...calculation,
    ...(offset === null ? {} : { measure: 'at_start', offset }),
    values: [{ statement, window: null }],
  });

const isStatistic = (word: Leaf) => 'statistic' in word;

/** The one who carries the camera: whose speed is measured. */
export const isCarrier = (subject: Nominal): subject is Carrier =>
  subject.kind === 'entity' && subject.head.type === 'camera';
type Carrier = Entity & { readonly head: Extract<EntityHead, { type: 'camera' }> };
/** "How fast did we turn" is no question for the speed of the whole time. */
export const isMotion = (
  head: PredicateHead,
): head is Extract<PredicateHead, { type: 'action' }> | Extract<PredicateHead, { type: 'camera_move' }> =>
  (head.type === 'action' && head.word.sense.action === 'moves') ||
  (head.type === 'camera_move' && (head.word.sense.move === 'moves' || head.word.sense.move === 'forward'));
