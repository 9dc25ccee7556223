import { type Item, sense } from '../../tokens/lexer.ts';
import type { Preposition, SenseOf } from '../../tokens/senses.ts';
import { hasHost, isA, isAmount, isArticle, isEnd, isPicture, isStart, type Place, wordOf } from './place.ts';

/** Constructions that require a preposition, relation or direction which adds nothing to a plan. */

const isMotion = (item: Item | undefined) => isA(item, 'action', 'camera_move');
const isPath = (item: Item | undefined) => / to /.test(wordOf(item)) && isA(item, 'direction');
/** Not "near crossing the street". */
const isPlace = ({ head, items }: Place) =>
  isDrawnLine(head) || (isA(head, 'setting') && !(isA(head, 'action') && !isArticle(items[items.indexOf(head!) - 1])));
/** A line of the video: "drives over line A". */
const isDrawnLine = (item: Item | undefined) => typeof (sense(item, 'line')?.line ?? '') === 'object';
const hasPlace = (place: Place) => isA(place.head, 'side', 'part') || isPlace(place);
const CONJUNCTION = /^(?:and|to|-|–)$/;

/** "Between 2 and 4", "from 10 s to 20 s": two amounts. */
function isRange({ items, i, next }: Place): boolean {
  if (!isA(next, 'number')) return false;
  const at = items.slice(i + 2, i + 4).findIndex((each) => CONJUNCTION.test(wordOf(each)));
  // Not "between three cars and two people"
  const isAmounts = at <= 0 || isA(items[i + 2], 'unit', 'clock');
  return at >= 0 && isAmounts && isA(items[i + 3 + at], 'number');
}

/** "For more than 5 seconds": an amount of time. */
const isTime = ({ items, i, next }: Place) =>
  isAmountOrSign(next) || isArticle(next)
    ? items.slice(i + 1, i + 7).some((each) => sense(each, 'unit')?.dimension === 'time')
    : isA(next, 'window') && /^the\b/.test(wordOf(next));
const isAmountOrSign = (item: Item | undefined) => isAmount(item) || /^[<>≥≤=]$/.test(wordOf(item));

/** "At all", "at any point", "at a time". */
const IDIOMS = /^(?:all|(?:any|some|one) (?:point|time)|(?:any|a) ?(?:point|time)?|point|time)$/;
const isIdiom = ({ items, i }: Place) => {
  const rest = items.slice(i + 1, i + 3);
  return (
    IDIOMS.test(rest.map(wordOf).join(' ').trim().replace(/ \?$/, '')) ||
    (IDIOMS.test(wordOf(rest[0])) && isEnd(rest[1]))
  );
};

const isSomebody = (item: Item | undefined) => sense(item, 'noun')?.classes.includes('person') === true;
/** "A person who is wearing red". */
const isWorn = ({ items, i, next }: Place) => isA(next, 'color') && items.slice(0, i).some(isSomebody);

/** "In black and white" */
const isBlackAndWhite = ({ items, i }: Place) =>
  items
    .slice(i + 1, i + 4)
    .map(wordOf)
    .join(' ') === 'black and white';

/** Not "in moment". */
const isFrame = (item: Item | undefined) =>
  isPicture(item) &&
  !/\b(?:part|moment|segment|timestamp|time|point|event|case|example|instance|name)s?$/.test(wordOf(item));

const TRANSITIVE: ReadonlySet<string> = new Set([
  'follows',
  'overtakes',
  'passes',
  'approaches',
  'close_ahead',
  'collides',
  'cuts_in',
]);

const PREPOSITIONS: { [P in Preposition]: (place: Place) => boolean } = {
  at: (place) => {
    const { before, next, head } = place;
    if (isIdiom(place)) return true;
    if (hasPlace(place)) return true;
    if (isA(next, 'number') && isA(place.items[place.i + 2], 'clock')) return true;
    if (isA(head, 'noun')) return isMotion(before) && !TRANSITIVE.has(sense(before, 'action')?.action ?? '');
    if (isAmount(next)) return isMotion(before) || isA(before, 'setting');
    return wordOf(next) === 'which' && isPicture(before);
  },
  in: (place) =>
    hasPlace(place) ||
    isA(place.head, 'garment', 'motion') ||
    (isA(place.next, 'color') && isSomebody(place.before)) ||
    (isFrame(place.head) && sense(place.before, 'action')?.action !== 'leaves') ||
    isEndOfFact(place) ||
    (/^(?:this|that|it)$/.test(wordOf(place.next)) && isEnd(place.items[place.i + 2])),
  on: (place) =>
    hasPlace(place) ||
    isPicture(place.head) ||
    isItsOwn(place) ||
    (sense(place.before, 'camera_move')?.move === 'zooms' && isA(place.head, 'noun')),
  into: (place) => isMotion(place.before) && isPlace(place),
  out: (place) => isMotion(place.before) && (isEnd(place.next) || isPlace(place)),
  past: () => false,
  across: (place) =>
    isA(place.before, 'action', 'setting') && (isPlace(place) || isPicture(place.head) || place.next === undefined),
  towards: (place) => isMotion(place.before) && isA(place.head, 'side', 'setting', 'camera'),
  from: (place) => {
    const { before, next, head } = place;
    if (isPath(next)) return true;
    if (isRange(place)) return true;
    // Not "a car from the center"
    if (sense(head, 'side')?.side === 'middle') return isMotion(before);
    if (isA(head, 'side')) return !isA(before, 'side');
    return sense(next, 'relation')?.relation === 'behind' && isA(before, 'action', 'vague');
  },
  to: (place) => {
    const { items, i, next, head, before } = place;
    if (isA(head, 'side')) return isA(before, 'action', 'camera_move', 'noun', 'line', 'camera', 'unit');
    if (isPlace(place)) return isMotion(before);
    // "The first car to arrive", "how long does it take to cross"
    const isOne = items.slice(0, i).some((each) => isA(each, 'pick', 'number') || wordOf(each) === 'second');
    const isTaken = items.some((each) => sense(each, 'question')?.question === 'how_long');
    const hasDo = items.slice(0, i).some((each) => /^(?:does|did|do)$/.test(wordOf(each)));
    return isA(next, 'action') && !/(?<!s)s$/.test(wordOf(next)) && ((isOne && !hasDo) || isTaken);
  },
  wearing: ({ head }) => isA(head, 'garment', 'color'),
  for: (place) => {
    const { before, head } = place;
    if (isTime(place)) return !(/ /.test(wordOf(place.item)) && isA(place.next, 'window'));
    return isA(head, 'noun') && isA(before, 'action', 'camera_move', 'setting', 'state');
  },
  within: (place) => isTime(place),
  between: (place) => isRange(place) || (isA(place.head, 'noun') && /\bfrom$/.test(wordOf(place.before))),
  of: (place) => {
    const { before, next, head } = place;
    if (isA(before, 'side', 'part'))
      return isPicture(head) || isA(head, 'setting') || (isA(head, 'noun') && isArticle(next));
    if (isA(before, 'unit')) return [next, head].some((each) => isA(each, 'signal', 'sound', 'motion', 'noun'));
    if (isA(before, 'sound', 'motion', 'quantity'))
      return isAmountOrSign(next) && !/^\w+s (?:above|below)$/.test(wordOf(next));
    if (isA(head, 'signal') && /^(?:at|in|by|during)\b/.test(wordOf(head))) return false;
    if (isPicture(before) && isA(head, 'signal') && /(?:y|ed|en|ing|freezes|shakes|flickers)$/.test(wordOf(head)))
      return false;
    if (isPicture(before) && isA(head, 'noun') && !isFrame(before)) return false;
    if (isPicture(before)) return isA(head, 'noun', 'signal', 'sound', 'motion') || isPicture(head);
    return /\bout$/.test(wordOf(before)) && isA(head, 'noun');
  },
};

/** "Any of the cars", "count of bottles", "what is the color of the truck". */
function isPartitive({ before, next, head }: Place): boolean {
  const question = sense(before, 'question')?.question;
  const isTheirs = /^(?:the|these|those|them)$/.test(wordOf(next));
  if (/many$/.test(wordOf(before))) return isTheirs;
  if (question === 'count' || question === 'which_color')
    return isA(head, 'noun') && /\b(?:count|number|colou?r)$/.test(wordOf(before)) && !/^which\b/.test(wordOf(before));
  return /^(?:any|some|each|one|none|all|most)$/.test(wordOf(before)) && isTheirs;
}

/** "What format is the video in". */
const isEndOfFact = ({ before, next }: Place) => isPicture(before) && isEnd(next);
/** "With a bicycle on it". */
const isItsOwn = ({ before, next, items, i }: Place) =>
  isA(next, 'pronoun') && isA(before, 'noun') && (isEnd(items[i + 2]) || isA(items[i + 2], 'join'));

/** Before the words that it belongs to: "on the left, a car stops", "between 2 and 4 people". */
const LEADS: { [P in Preposition]?: (place: Place) => boolean } = {
  between: isRange,
  from: (place) => isRange(place) || isPath(place.next),
  in: (place) => isA(place.head, 'side') || introduces(place),
  on: (place) => isA(place.head, 'side') || introduces(place),
  at: (place) => isA(place.head, 'side') || introduces(place),
};
/** "At the gate, a car stops". */
const introduces = (place: Place) =>
  isPlace(place) &&
  place.items.slice(place.items.indexOf(place.head!) + 1).some((each) => isA(each, 'noun', 'camera', 'motion'));

export function isPreposition(place: Place, { preposition }: SenseOf<'preposition'>): boolean {
  if (preposition === 'in' && isBlackAndWhite(place)) return true;
  if (preposition === 'wearing' && isWorn(place)) return true;
  if (isStart(place)) return LEADS[preposition]?.(place) ?? false;
  if (preposition === 'of' && isPartitive(place)) return true;
  return hasHost(place) && PREPOSITIONS[preposition](place);
}

export function isRelation(place: Place, { relation }: SenseOf<'relation'>): boolean {
  const { before, next, head, item, afterHead } = place;
  if (isStart(place) || !hasHost(place)) return false;
  if (relation === 'with') {
    const isSubject = isA(afterHead, 'action') && /^\w+s\b/.test(wordOf(afterHead));
    if (isA(head, 'noun')) return isA(before, 'camera_move') || (isPicture(before) && !isSubject);
    return isA(before, 'noun') && (isA(head, 'garment') || wordOf(next) === 'no' || isA(next, 'pronoun'));
  }
  if (isPlace(place)) return true;
  if (relation === 'behind' && isEnd(next)) return isA(before, 'noun', 'action');
  if (relation === 'behind' && isA(before, 'noun')) return sense(next, 'filler')?.light === true && !isArticle(next);
  if (wordOf(item) === 'by' && isAmount(next)) return isA(before, 'quantity', 'camera_move');
  if (isA(head, 'noun')) return isA(before, 'camera_move') || sense(before, 'action')?.relation === relation;
  return wordOf(item) === 'riding' && isA(before, 'noun');
}

export function isComparison(place: Place): boolean {
  const { items, i, before, next } = place;
  if (!isA(next, 'number') && !isA(next, 'unit')) return false;
  if ((isA(before, 'compare') && !isA(before, 'preposition')) || /\b(?:than|over)$/.test(wordOf(before))) return false;
  // "Under two people", "below 3-5 seconds"
  if (isA(items[i + 2], 'noun') || wordOf(items[i + 2]) === '-') return false;
  if (sense(before, 'preposition')?.preposition === 'within') return false;
  const rest = items.slice(i + 1, i + 5);
  // "Below 1 minute or more": two comparisons.
  const isTrailing = (each: Item, k: number) =>
    ['or_more', 'or_less'].includes(sense(each, 'compare')?.compare ?? '') && !isA(rest[k + 1], 'number');
  if (rest.some(isTrailing)) return false;
  if (rest.some((each) => isA(each, 'clock'))) return false;
  // "A dog, and faster than 50 km/h": the words name what is measured.
  if (!isA(before, 'join') || /^(?:faster|slower) than$/.test(wordOf(items[i]))) return true;
  // "Above 30 and under 50 km/h"
  return items.slice(Math.max(0, i - 5), i - 1).some((each) => isA(each, 'compare') || / than$/.test(wordOf(each)));
}

export function isDirection(place: Place, { direction }: SenseOf<'direction'>): boolean {
  const { item, before, next } = place;
  if (/ /.test(wordOf(item))) return hasHost(place);
  const isDirected = isA(before, 'camera_move') || sense(before, 'action')?.weak === true;
  if (!isDirected) return false;
  if ((direction === 'up' || direction === 'down') && isA(before, 'action')) return isPlace(place) || isEnd(next);
  return isEnd(next) || isA(next, 'join') || sense(next, 'preposition')?.preposition === 'from';
}

/** "People sitting together", "a man and a woman together". */
export function isTogether({ items, i, next }: Place): boolean {
  const before = items.slice(0, i);
  if (before.some((each) => isA(each, 'camera'))) return false;
  const isMany = before.some(
    (each, k) =>
      sense(each, 'noun')?.plural ||
      (sense(each, 'noun')?.min ?? 1) > 1 ||
      (sense(each, 'count')?.min ?? 1) > 1 ||
      ((sense(each, 'number')?.value ?? 1) > 1 && !isA(before[k + 1], 'unit')),
  );
  const joined = before.some(
    (each, k) =>
      wordOf(each) === 'and' &&
      isA(before[k - 1], 'noun', 'color', 'vague', 'garment') &&
      before.slice(k).some((other) => isA(other, 'noun')),
  );
  return (
    (isMany || joined) && wordOf(next) !== 'later' && (isEnd(next) || isA(next, 'join', 'preposition', 'relation'))
  );
}
