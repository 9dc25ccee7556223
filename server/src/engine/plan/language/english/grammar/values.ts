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
} from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { MeasureKind, Quantity } from '../../../terms.ts';
import type { Dimension } from '../../../tokens/senses.ts';
import type { Categories } from '../categories.ts';
import { calculated, frameEvent, isBase } from './build.ts';

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
  rule(
    'Question',
    ['ShareOf', 'If', 'Statement'],
    'percentage of the time that the room is empty',
    (word, _, statement) => valueFor('share', statement, [word]),
  );
  rule('Question', ['Question', 'InPercent'], 'how long is the car parked in percent', (made, word) =>
    inPercent(made, word),
  );
  rule('Question', ['Question', 'Comma', 'InPercent'], 'how long is the car parked, in percent', (made, _, word) =>
    inPercent(made, word),
  );

  rule('Question', ['Total', 'Statement'], 'total silence', (word, statement) => valueFor('length', statement, [word]));
  rule('Question', ['Question', 'In', 'Unit'], 'total silence in seconds', (made, _, unit) =>
    unit.sense.dimension === 'time' && !unit.sense.counted && made.calculation?.measure === 'length'
      ? withWords(made, made.calculation, unit)
      : null,
  );
  rule('Question', ['Question', 'Average'], 'how long do cars stay on average', (made, word) => asMean(made, word));
  rule('Question', ['Average', 'Question'], 'on average how long do cars stay', (word, made) => asMean(made, word));
  rule('Question', ['Question', 'AtMost'], 'how many people are there at the busiest moment', (made, word) =>
    made.question?.sense.question === 'count' ? recalculated(made, 'most', word) : null,
  );
  rule('Question', ['Question', 'AtOnce'], 'how many people are there at once', (made, word) =>
    made.question?.sense.question === 'count' ? recalculated(made, 'most', word) : null,
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
    made.calculation?.quantity && UNITS[made.calculation.quantity.sense.quantity] === unit.sense.dimension
      ? withWords(made, made.calculation, unit)
      : null,
  );
  rule('Question', ['HowFast', 'Be', 'Subject'], 'how fast are we', (word, _, subject) =>
    isCarrier(subject) ? valueOfAll(null, word, leafOf(subject)) : null,
  );
  rule(
    'Question',
    ['HowFast', 'Be', 'Subject', 'VerbPhrase'],
    'how fast are we moving',
    (word, _, subject, { predicate: { head } }) =>
      isCarrier(subject) && isMotion(head) ? valueOfAll(null, word, leafOf(subject), head.word) : null,
  );
  rule(
    'Question',
    ['HowFast', 'Do', 'Subject', 'VerbPhrase'],
    'how fast do we move',
    (word, _, subject, { form, predicate: { head } }) =>
      isCarrier(subject) && isBase(form) && isMotion(head) ? valueOfAll(null, word, leafOf(subject), head.word) : null,
  );
  rule('Question', ['Question', 'While', 'Clause'], 'how fast are we when we turn left', (made, word, statement) =>
    during(made, statement, word),
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

function valueFor(measure: MeasureKind, statement: Statement, words: readonly Leaf[]): Query | null {
  if (statement.kind === 'anything') return null;
  return calculated({ words, measure, compare: null, values: [{ statement, window: null }] });
}

/** The question with another value of what it asks about. */
function recalculated(made: Query, measure: MeasureKind, word: Leaf): Query | null {
  if (made.calculation || made.per || made.question === null) return null;
  const value = valueFor(measure, made.statement, [made.question, word]);
  return value && { ...value, window: made.window, pick: made.pick };
}

function inPercent(made: Query, word: Leaf): Query | null {
  if (made.question?.sense.question === 'how_long') return recalculated(made, 'share', word);
  return made.calculation?.measure === 'share' ? withWords(made, made.calculation, word) : null;
}

const withWords = (made: Query, calculation: Calculation, ...words: readonly Leaf[]): Query => ({
  ...made,
  calculation: { ...calculation, words: [...calculation.words, ...words] },
});

/** Dimensions of the units of each quantity. */
const UNITS: Record<Quantity, Dimension> = {
  speed: 'speed',
  acceleration: 'acceleration',
  deceleration: 'acceleration',
  lateral_acceleration: 'acceleration',
  yaw_rate: 'angular_rate',
};

/** "On average": the mean time of each, or the mean number at the same time. */
function asMean(made: Query, word: Leaf): Query | null {
  if (made.question?.sense.question === 'how_long') return recalculated(made, 'item_length', word);
  return made.question?.sense.question === 'count' ? recalculated(made, 'mean_count', word) : null;
}

type QuantityWord = NonNullable<Calculation['quantity']>;

/** A quantity over the whole time: its mean if no statistic is named. */
const valueOfAll = (
  statistic: Categories['Statistic'] | null,
  quantity: QuantityWord,
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
const isCarrier = (subject: Nominal): subject is Carrier => subject.kind === 'entity' && subject.head.type === 'camera';
type Carrier = Entity & { readonly head: Extract<EntityHead, { type: 'camera' }> };
const leafOf = ({ head }: Carrier): Leaf => head.word;
const isMotion = (head: PredicateHead) => head.type === 'action' || head.type === 'camera_move';
