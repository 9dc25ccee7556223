import {
  type CalculatedValue,
  calculateGroups,
  calculateValue,
  channelValueText,
  compareValues,
  countsObjects,
  type Order,
  round,
  type Scene,
  searchedLength,
  searchedRange,
  windowOf,
} from '../find/index.ts';
import { type ObjectMeasure, objectOperator } from '../operators/index.ts';
import {
  isBlocked,
  MOST_PLACES,
  type Plan,
  type PlannedCalculation,
  type PlannedSearch,
  type Range,
  type StatisticKind,
} from '../plan/index.ts';
import { OF_TRACKS } from './answer.ts';
import { noteOf } from './certainty.ts';
import { differencesText, groupsText } from './groups.ts';
import { limitedText } from './interpretation.ts';
import { quantityValueText, timeTextOf } from './quantity-text.ts';
import type { SearchEvents } from './types.ts';
import { clock, listed, seconds, timeOf } from './words.ts';

type PlannedValue = PlannedCalculation['values'][number];
type NumberValue = Extract<CalculatedValue, { kind: 'number' }>;
/** A value with its name in the prompt. */
type Named<Value = CalculatedValue> = { readonly name: string; readonly value: Value };

/** Answers a question for values in words: each of them, or what comparing them gives. */
export function answerCalculation(
  { values, compare, range, by, period, rank }: PlannedCalculation,
  plan: Plan,
  searches: readonly SearchEvents[],
  scene: Scene,
): string {
  const known = values.map((planned): Named => {
    const results = searches
      .map(({ result }) => result)
      .filter(({ at }) => planned.searches.includes(at) || planned.at === at);
    const own = plan.searches[planned.searches[0]!]!;
    const { video } = scene.observations;
    const searched = searchedRange(windowOf(own, plan), video);
    const value = by
      ? calculateGroups(planned, { by, period, rank }, results, searched, scene)
      : calculateValue(planned, results, searched, scene, searchedLength(windowOf(own, plan), video));
    return { name: nameOf(planned, plan), value };
  });
  const unknown = known.find(({ value }) => value.kind === 'unknown');
  if (unknown?.value.kind === 'unknown') return `Not known for "${unknown.name}": ${unknown.value.reason}.`;
  const [first] = known;
  if (first?.value.kind === 'groups' && known[1]?.value.kind === 'groups')
    return `${differencesText(first.value, known[1].value)}${noteOf(searches)}`;
  if (first?.value.kind === 'groups') {
    const { measure } = values[0]!;
    const text = groupsText(first.value, { by, rank, compare, measure }, (value) =>
      valueText(value, measure, plan.query),
    );
    const isOfTracks = measure === 'count' && compare === null && /^\d/.test(text) && searches.some(isOfObjects);
    return `${text}${isOfTracks ? ` ${OF_TRACKS}` : ''}${noteOf(searches)}`;
  }
  if (compare === null)
    return `${fewerText(known, values, plan)}${stateAll(known, values[0]!, plan.query)}${noteOf(searches)}`;
  if (new Set(values.map((value) => meaningOf(value, plan))).size < values.length)
    return `Not known: what is compared is looked for as the same.${noteOf(searches)}`;
  const text =
    compare === 'within'
      ? isWithin(known[0]!, values[0]!, range ?? { min: null, max: null })
      : compareAll(known, { measure: values[0]!.measure, compare, range }, plan.query);
  const isDoubtful = plan.searches.some(isDecided) && !text.startsWith('Not ');
  return `${isDoubtful ? `Not certain: ${text.charAt(0).toLowerCase()}${text.slice(1)}` : text}${noteOf(searches)}`;
}

/** "Only 2 were found. ", where a ranking requests more places. */
function fewerText([only, ...others]: readonly Named[], [planned]: readonly PlannedValue[], plan: Plan): string {
  const places = plan.searches[planned!.searches[0]!]!.places;
  if (others.length > 0 || only?.value.kind !== 'lengths' || !places || places.to === MOST_PLACES) return '';
  const { length } = only.value.items;
  return length < places.to - places.from + 1 ? `Only ${length} ${length === 1 ? 'was' : 'were'} found. ` : '';
}

const isOfObjects = ({ result }: SearchEvents) => countsObjects(result);

/** All that a value is calculated from, without the words of the prompt: a man and a woman are both any person. */
const meaningOf = ({ searches }: PlannedValue, plan: Plan): string =>
  JSON.stringify(
    searches.map((at) => {
      const { steps, pick, window, during } = plan.searches[at]!;
      const reference = during === undefined ? null : plan.searches[during]!;
      return [steps, pick, window, reference?.steps, reference?.moments];
    }),
    (key, value) => (key === 'text' || key === 'unchecked' ? undefined : value),
  );

/** True if what is found may be something else: a worker is any person. */
const isDecided = ({ steps }: PlannedSearch) =>
  steps.some(({ unchecked }) => unchecked.some(({ decides, presumed }) => decides && !presumed));

/** The searches of a value, in words of the engine; in words of the prompt where they cannot be searched. */
function nameOf({ searches }: PlannedValue, plan: Plan): string {
  const time = timeTextOf(plan.query);
  return listed(
    searches
      .map((at) => plan.searches[at]!)
      .map((search) => (isBlocked(search) ? search.text : limitedText(search, plan, time))),
  );
}

/** States each value; with names where there are several. */
function stateAll(known: readonly Named[], planned: PlannedValue, query: string): string {
  const [only] = known;
  if (known.length === 1) return stateOne(only!, planned, query);
  return `${capital(listNamed(known, planned.measure, query))}.`;
}

/** "A car in view, 5; a truck in view, 2" */
const listNamed = (known: readonly Named[], measure: PlannedValue['measure'], query: string) =>
  known.map(({ name, value }) => `${name}, ${valueText(value, measure, query)}`).join('; ');

function stateOne({ value }: Named, { measure }: PlannedValue, query: string): string {
  if (value.kind === 'none') return 'Not certain: it was looked for and not found.';
  if (value.kind === 'measured' || value.kind === 'counts' || value.kind === 'lengths')
    return `${capital(valueText(value, measure, query))}.`;
  if (value.kind === 'unknown') return `Not known: ${value.reason}.`;
  if (value.kind === 'groups') return '';
  if (value.from === 0 && value.high > 0) return 'Not certain: it was looked for and not found.';
  return `${capital(valueText(value, measure, query))}.`;
}

/** "3", "12 s", "42 % of the time", "35 km/h at 0:04.0". */
function valueText(value: CalculatedValue, measure: PlannedValue['measure'], query: string): string {
  switch (value.kind) {
    case 'none':
      return 'none found';
    case 'unknown':
    case 'groups':
      return 'not known';
    case 'counts': {
      const counts = value.counts.slice(0, MOST_READINGS).map(({ value: n, timeS }) => `${n} at ${clock(timeS)}`);
      return `${listed(counts)}${moreText(value.counts)}`;
    }
    case 'lengths': {
      const lengths = value.items.slice(0, MOST_READINGS).map(({ startS, endS, isCut }) => {
        const length = `${isCut ? 'at least ' : ''}${seconds(endS - startS)}`;
        return `${length} (${timeOf({ startS, endS })})`;
      });
      return `${value.items.length > MOST_READINGS ? lengths.join(', ') : listed(lengths)}${moreText(value.items)}`;
    }
    case 'measured': {
      const textOf = (reading: number) => measuredText(value, reading, query);
      const [first, last] = [value.readings[0], value.readings.at(-1)];
      if (measure === 'change' && first && last) return changeText(last.value - first.value, [first, last], textOf);
      const times = value.readings.slice(0, MOST_READINGS).map((reading) => {
        const text = textOf(reading.value);
        return measure === 'mean' ? `${text} on average` : `${text} at ${clock(reading.timeS)}`;
      });
      return `${listed(times)}${moreText(value.readings)}`;
    }
    case 'number':
      return objectOperator(measure)?.text(value.value) ?? NUMBERS[measure as keyof typeof NUMBERS](value);
  }
}
const MOST_READINGS = 10;

type MeasuredValue = Extract<CalculatedValue, { kind: 'measured' }>;

/** "42.3 km/h", "11.8 V". */
const measuredText = ({ quantity, channel }: MeasuredValue, value: number, query: string): string =>
  quantity === 'channel'
    ? channelValueText(channel ?? { unit: null }, value)
    : quantityValueText(quantity, value, query);

/** "Fell by 12 %, from 80 % at 0:00.0 to 68 % at 1:00.0". */
function changeText(
  change: number,
  readings: readonly { value: number; timeS: number }[],
  textOf: (value: number) => string,
) {
  const [from, to] = readings.map(({ value, timeS }) => `${textOf(value)} at ${clock(timeS)}`);
  const by = change === 0 ? 'did not change' : `${change > 0 ? 'rose' : 'fell'} by ${textOf(Math.abs(change))}`;
  return `${by}, from ${from} to ${to}`;
}

const moreText = ({ length }: readonly unknown[]) =>
  length > MOST_READINGS ? ` and ${length - MOST_READINGS} more` : '';

const NUMBERS: Record<
  Exclude<PlannedValue['measure'], ObjectMeasure | 'count_at' | 'lengths' | Exclude<StatisticKind, 'distance'>>,
  (value: NumberValue) => string
> = {
  count: ({ value }) => String(value),
  most: ({ value, timeS }) => `${value} at the same time${timeS === undefined ? '' : `, first at ${clock(timeS)}`}`,
  mean_count: ({ value }) => `${round(value, 1)} at the same time on average`,
  length: ({ value }) => `${seconds(value)} in all`,
  item_length: ({ value, from }) => `${seconds(value)} on average, of ${from}`,
  longest: ({ value, from }) => `${seconds(value)} at most, of ${from}`,
  shortest: ({ value, from }) => `${seconds(value)} at least, of ${from}`,
  share: ({ value, from }) =>
    `${round(value * 100, 1)} % of the time, in ${from} ${from === 1 ? 'interval' : 'intervals'}`,
  start: ({ value }) => `at ${clock(value)}`,
  distance: ({ value }) => (value < 1000 ? `${Math.round(value)} m` : `${round(value / 1000, 2)} km`),
};

/** Adjectives that state the result of a comparison. */
const WORDS: Partial<Record<PlannedValue['measure'], { more: string; less: string; same: string }>> = {
  length: { more: 'longer', less: 'shorter', same: 'the same length' },
  distance: { more: 'farther', less: 'less far', same: 'equally far' },
  start: { more: 'later', less: 'earlier', same: 'at the same time' },
  mean: { more: 'higher', less: 'lower', same: 'the same' },
  highest: { more: 'higher', less: 'lower', same: 'the same' },
  lowest: { more: 'higher', less: 'lower', same: 'the same' },
};
const LOUDNESS = { more: 'louder', less: 'quieter', same: 'equally loud' };
const COUNTED = { more: 'more', less: 'fewer', same: 'the same' };

/** States that a value is in a range or not, or that it depends on objects that may have been missed. */
function isWithin({ value }: Named, { measure }: PlannedValue, range: Range): string {
  if (value.kind !== 'number') return 'Not certain: it was looked for and not found.';
  return `${judgeRange({ low: value.value, high: value.high }, range)}: ${valueText(value, measure, '')}.`;
}

/** Judges whether a value is in a range, where only its bounds are known. */
function judgeRange({ low, high }: { low: number; high: number }, { min, max }: Range): 'Yes' | 'No' | 'Not certain' {
  const isAbove = (number: number) => min === null || number >= min - 1e-9;
  const isBelow = (number: number) => max === null || number <= max + 1e-9;
  if (isAbove(low) && isBelow(high)) return 'Yes';
  return !isAbove(high) || !isBelow(low) ? 'No' : 'Not certain';
}

type Compared = {
  readonly measure: PlannedValue['measure'];
  readonly compare: NonNullable<PlannedCalculation['compare']>;
  readonly range: Range | undefined;
};

/** A value as a number; null for several. */
function numberOf(value: CalculatedValue): NumberValue | null {
  if (value.kind === 'number') return value;
  const [only, ...others] = value.kind === 'measured' ? value.readings : [];
  return only && others.length === 0
    ? { kind: 'number', value: only.value, high: only.value, timeS: only.timeS, from: 1 }
    : null;
}

function compareAll(known: readonly Named[], { measure, compare, range }: Compared, query: string): string {
  const absent = known.filter(({ value }) => value.kind === 'none');
  if (absent.length > 0)
    return `Not certain: ${listed(absent.map(({ name }) => name))} ${absent.length === 1 ? 'was' : 'were'} not found.`;
  const numbers = known.flatMap(({ name, value }): Named<NumberValue>[] => {
    const number = numberOf(value);
    return number ? [{ name, value: number }] : [];
  });
  const [a, b] = numbers;
  if (numbers.length < known.length || !a || !b) return 'Not known: these values cannot be compared.';
  if (numbers.every(({ value }) => value.from === 0))
    return `Not certain: ${listed(numbers.map(({ name }) => name))} were not found.`;
  const isMeasured = known.every(({ value }) => value.kind === 'measured');
  const isLevel = known.every(({ value }) => value.kind === 'measured' && value.quantity === 'loudness');
  const measured = isLevel ? 'level' : isMeasured ? 'other' : null;
  const words = isLevel ? LOUDNESS : (objectOperator(measure)?.compared ?? WORDS[measure] ?? COUNTED);
  const values = listNamed(known, measure, query);
  if (compare === 'which_most' || compare === 'which_least') {
    const sign = compare === 'which_most' ? 1 : -1;
    const sorted = numbers
      .map((number, at) => ({ number: number.value, own: known[at]! }))
      .toSorted((x, y) => sign * (y.number.value - x.number.value));
    const [first, second] = sorted;
    const order = compareValues(first!.number, second!.number, measure === 'start', measured);
    if (order === 'equal') return `${capital(words.same)}: ${values}.`;
    if (order === 'open') return `Not certain, they are about ${words.same}: ${values}.`;
    const how =
      measure === 'start' ? (compare === 'which_least' ? 'first' : 'last') : sign > 0 ? words.more : words.less;
    const stated = sorted.map(({ own }) => own);
    return `${capital(how)}: ${listNamed(stated, measure, query)}.`;
  }
  if (compare === 'all' || compare === 'mostly') return shareText(a, b, compare);
  if (compare === 'part') return partText(a, b);
  if (compare === 'ratio') return `${ratioText(a.value, b.value, range)}: ${values}.`;
  if (compare === 'difference' && range) {
    const bounds = { low: a.value.value - b.value.high, high: a.value.high - b.value.value };
    return `${judgeRange(bounds, range)}: ${values}.`;
  }
  const order: Order = compareValues(a.value, b.value, measure === 'start', measured);
  if (order === 'open') return `Not certain, they are about ${words.same}: ${values}.`;
  if (compare === 'difference') {
    if (order === 'equal') return `0, the same: ${values}.`;
    const by = differenceText(known[0]!.value, Math.abs(a.value.value - b.value.value), measure, query);
    return `${capital(by)} ${order === 'greater' ? words.more : words.less}: ${values}.`;
  }
  if (compare === 'changed') {
    const by = round(Math.abs(a.value.value - b.value.value), 1);
    return order === 'equal'
      ? `No: ${values}.`
      : `Yes, ${by} ${order === 'greater' ? words.more : words.less}: ${values}.`;
  }
  if (compare === 'same') return `${order === 'equal' ? 'Yes' : 'No'}: ${values}.`;
  if (compare === 'order') return `${order === 'smaller' ? 'Before' : 'After'}: ${values}.`;
  const holds = order === (compare === 'more' ? 'greater' : 'smaller');
  return `${holds ? 'Yes' : 'No'}: ${values}.`;
}

/** "3 km/h", "2", "4 s in all": how far two values are apart, as the first of them is stated. */
function differenceText(first: CalculatedValue, by: number, measure: PlannedValue['measure'], query: string): string {
  if (first.kind === 'measured') return measuredText(first, by, query);
  return first.kind === 'number' ? valueText({ ...first, value: round(by, 1) }, measure, query) : String(round(by, 1));
}

/** "3 times", "About 3 times (2 to 4)" where some may have been missed; with a range, whether it is in it. */
function ratioText(a: NumberValue, b: NumberValue, range: Range | undefined): string {
  const times = (value: number) => round(value, value < 1 ? 2 : 1);
  // Infinite where there may be none of the second.
  const [low, high] = [a.value / b.high, a.high / b.value];
  const stated = b.value === 0 ? null : `${times(a.value / b.value)} times`;
  if (range) return [judgeRange({ low, high }, range), stated].filter(Boolean).join(', ');
  if (stated === null) return 'Not known, since the second is 0';
  return low < high ? `About ${stated} (${times(low)} to ${times(high)})` : stated;
}

/** "No: a car that stands still, 2 of 3." Open where those that were missed decide. */
function shareText(part: Named<NumberValue>, all: Named<NumberValue>, compare: 'all' | 'mostly'): string {
  const text = `${part.name}, ${part.value.value} of ${all.value.value}`;
  const isEnough = (some: number, of: number) => (compare === 'all' ? some >= of : some > of / 2);
  if (all.value.from === 0) return `Not certain: ${all.name} was not found.`;
  if (isEnough(part.value.value, all.value.high)) return `Yes: ${text}.`;
  return isEnough(part.value.high, all.value.value) ? `Not certain: ${text}.` : `No: ${text}.`;
}

/** "25 %: a truck in view, 2 of 8." With the range that objects which were missed leave open. */
function partText(part: Named<NumberValue>, all: Named<NumberValue>): string {
  if (all.value.from === 0) return `Not certain: ${all.name} was not found.`;
  const percent = (some: number, of: number) => Math.round((100 * Math.min(some, of)) / of);
  const [low, stated, high] = [
    percent(part.value.value, all.value.high),
    percent(part.value.value, all.value.value),
    percent(part.value.high, all.value.value),
  ];
  const range = low < stated || stated < high ? `About ${stated} % (${low} to ${high} %)` : `${stated} %`;
  return `${range}: ${part.name}, ${part.value.value} of ${all.value.value}.`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
