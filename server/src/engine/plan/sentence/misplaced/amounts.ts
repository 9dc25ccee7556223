import { type Item, isMark, sense } from '../../tokens/lexer.ts';
import type { Sense } from '../../tokens/senses.ts';
import { AUXILIARIES, isEnd, isOnly, type MisplacedRule, PREPOSITIONS } from './words.ts';

/** Numbers, units and comparisons that make no amount. */

/** "More than minutes 5 minutes": the unit follows its number. */
const unitFirst: MisplacedRule = (items, i) =>
  sense(items[i], 'unit')?.dimension === 'time' &&
  !sense(items[i], 'unit')!.counted &&
  sense(items[i + 1], 'number') !== null &&
  (sense(items[i - 1], 'compare') ?? sense(items[i - 1], 'preposition')) !== null;

/** "Speed from 30 and 50 km/h", "two up to four people": no such range. */
const brokenRange: MisplacedRule = (items, i) => {
  const [before, item, next] = [items[i - 1], items[i]!, items[i + 1]];
  if (/^(?:from|to|for|of|at)$/i.test(item.text) && sense(next, 'number')) {
    const and = items
      .slice(i + 2, i + (/^from$/i.test(item.text) ? 4 : 3))
      .findIndex((each) => each.text.toLowerCase() === 'and');
    return and >= 0 && sense(items[i + 3 + and], 'number') !== null;
  }
  // "Longer than 1 s for shorter than 2 s"
  if (/^for$/i.test(item.text) && sense(before, 'unit')?.dimension === 'time' && sense(next, 'compare')) return true;
  // "Proceeded 20 and 30 mph"
  if (/^and$/i.test(item.text) && sense(before, 'number') && sense(next, 'number'))
    return !sense(items[i - 2], 'preposition') && !sense(items[i - 2], 'compare');
  // "Cars on per minute"
  if (isOnly(item, PREPOSITIONS) && sense(next, 'per')) return true;
  const isUnit = sense(next, 'unit') !== null && !sense(next, 'filler');
  return sense(before, 'number') !== null && isPositionalLimit(item) && (sense(next, 'number') !== null || isUnit);
};

/** "Up to", "over", "below": not "or more". */
const isPositionalLimit = (item: Item) =>
  ['min', 'max', 'above', 'below'].includes(sense(item, 'compare')?.compare ?? '') && !isMark(item);

/** "For further than 5 seconds", "speed longer than 50 km/h": the comparative is one of another quantity. */
const otherQuantity: MisplacedRule = (items, i) => {
  const [, degree] = /^(?:or )?(\w+er)(?: th[ae]n)?$/i.exec(items[i]!.text) ?? [];
  const measures = COMPARATIVES.find(([words]) => words.test(degree ?? ''))?.[1];
  if (!sense(items[i], 'compare') || !measures) return false;
  // "Not closer than 3 people"
  if (sense(items[i + 1], 'number') && sense(items[i + 2], 'noun')) return true;
  const around = [...items.slice(Math.max(0, i - 2), i).toReversed(), ...items.slice(i + 1, i + 3)];
  const dimension = around.flatMap((each) => sense(each, 'unit')?.dimension ?? [])[0];
  return dimension !== undefined && dimension !== 'beyond' && !measures.includes(dimension);
};

const COMPARATIVES: readonly [RegExp, readonly string[]][] = [
  [/^(?:faster|slower|quicker)$/i, ['speed', 'acceleration', 'angular_rate']],
  [/^(?:longer|shorter|later|sooner|earlier)$/i, ['time']],
  [/^(?:harder|stronger|weaker)$/i, ['acceleration', 'speed']],
  [/^(?:further|farther|closer|nearer|louder|larger)$/i, []],
];

/** "For minute of silence": one has an article. */
const bareUnit: MisplacedRule = (items, i) =>
  /^(?:second|minute|hour|sec|min)$/i.test(items[i]!.text) &&
  sense(items[i], 'unit') !== null &&
  isOnly(items[i - 1], LIMITS) &&
  !/^(?:per|of)$/i.test(items[i - 1]!.text);
const LIMITS: ReadonlySet<Sense['type']> = new Set(['preposition', 'compare', 'relation']);

/** "Thirteen is too dark", "when two are there": a number of nothing. */
const bareNumber: MisplacedRule = (items, i) =>
  (i === 0 || (sense(items[i - 1], 'question') ?? sense(items[i - 1], 'join')) !== null) &&
  sense(items[i], 'number') !== null &&
  !items[i]!.time &&
  AUXILIARIES.test(items[i + 1]?.text.toLowerCase() ?? '') &&
  sense(items[i], 'pick') === null;

/** "One the truck stops": a number stands behind its article. */
const beforeArticle: MisplacedRule = (items, i) =>
  sense(items[i], 'number') !== null &&
  /^[a-z]+$/i.test(items[i]!.text) &&
  sense(items[i + 1], 'filler')?.article === 'definite';

/** "Hard brake, then precisely stop": an amount is exact, or a question. */
const exactly: MisplacedRule = (items, i) => {
  if (!/^(?:exactly|precisely)$/i.test(items[i]!.text) || !sense(items[i], 'compare')) return false;
  const [before, next] = [items[i - 1], items[i + 1]];
  const isQuestion = sense(before, 'question') !== null || sense(next, 'question') !== null;
  return !(isEnd(next) || isQuestion || next!.senses.some(({ type }) => AMOUNT.has(type)));
};
const AMOUNT: ReadonlySet<Sense['type']> = new Set(['number', 'count', 'unit', 'compare', 'filler']);

export const AMOUNTS: readonly MisplacedRule[] = [
  bareNumber,
  beforeArticle,
  exactly,
  bareUnit,
  brokenRange,
  otherQuantity,
  unitFirst,
];
