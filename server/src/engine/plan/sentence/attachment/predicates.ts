import { type Item, sense } from '../../tokens/lexer.ts';
import type { SenseOf } from '../../tokens/senses.ts';
import { isLead, isRelativeWord } from './auxiliaries.ts';
import { isA, isArticle, isEnd, type Place, wordOf } from './place.ts';

/** Constructions that require a verb which adds nothing to a plan. */

/** The action of the nearest verb before a position. */
export const actionBefore = (items: readonly Item[], i: number) =>
  items
    .slice(0, i)
    .map((each) => sense(each, 'action')?.action)
    .findLast((action) => action !== undefined) ?? null;

/** Behind the verb: "from", "to", "up", "left", with its articles. */
function isWay(items: readonly Item[], i: number): boolean {
  const next = items.slice(i + 1).find((each) => !isA(each, 'filler', 'vague') || isA(each, 'direction'));
  const preposition = sense(next, 'preposition')?.preposition;
  return isA(next, 'direction', 'side') || preposition === 'from' || preposition === 'to' || preposition === 'towards';
}
/** "Faster than 20 km/h", "at over 130 km/h", "over 65mph". */
const hasLimit = (items: readonly Item[], i: number) => {
  const next = items[i + 1];
  const dimension = items.slice(i + 1, i + 6).flatMap((each) => sense(each, 'unit')?.dimension ?? [])[0];
  return (
    (isA(next, 'compare', 'number') || wordOf(next) === 'at') && (dimension === 'speed' || dimension === 'angular_rate')
  );
};
const isSubject = (item: Item | undefined) =>
  isA(item, 'noun', 'pronoun', 'camera', 'setting', 'color') ||
  isRelativeWord(item) ||
  (sense(item, 'filler')?.light === true && !isArticle(item));
/** The verb has its subject before it. */
const follows = ({ items, i, before }: Place) =>
  isSubject(before) || isSubject(items.slice(0, i).findLast((each) => !isA(each, 'vague', 'negation', 'filler')));

export function isAction(place: Place, { action, weak, relation }: SenseOf<'action'>): boolean {
  const { items, i, item, next } = place;
  if (action === 'present' && weak && !relation) return isPresence(place);
  // "Passes from left to right"
  if (action === 'passes' && weak) return follows(place) && isWay(items, i);
  if (action === 'moves' && weak) {
    if (hasLimit(items, i)) return !isA(items[i - 1], 'signal', 'motion', 'camera_move', 'action');
    return follows(place) && isWay(items, i);
  }
  const isTied = items.some((each) => isA(each, 'join') && each !== item) || isA(next, 'preposition');
  if (action === 'moves')
    return (
      follows(place) &&
      wordOf(next) === 'from' &&
      isA(place.head, 'preposition') &&
      isA(items[i + 2 + (isArticle(items[i + 2]) ? 1 : 0)], 'camera')
    );
  return action === 'appears' && follows(place) && isTied && !isA(next, 'noun');
}

const BEHIND = [
  ...([
    'preposition',
    'relation',
    'setting',
    'unit',
    'compare',
    'join',
    'window',
    'per',
    'side',
    'signal',
    'average',
  ] as const),
  ...(['throughout', 'vague', 'number', 'filler'] as const),
] as const;
/** "There", "in view", "is seen near a car": every search for an object means it. */
function isPresence({ items, i, item, before, next }: Place): boolean {
  const word = wordOf(item);
  if (/^spen/.test(word)) return items.slice(0, i).some((each) => /^time\b|^how (?:long|much)/.test(wordOf(each)));
  const isLast = isEnd(next) || (isA(next, ...BEHIND) && !isArticle(next) && !isA(next, 'color'));
  if (/^(?:occur|exist|sta|rema)/.test(word))
    return isLast && (isA(before, 'noun', 'pronoun') || isRelativeWord(before));
  if (word === 'around')
    return (
      (isA(before, 'noun') || sense(before, 'action')?.weak === true) &&
      !isA(next, 'number', 'compare', 'unit', 'noun') &&
      !isArticle(next)
    );
  const isLater = /^(?:anymore|any more|any longer|now)$/.test(wordOf(next));
  if (word === 'there' && isA(next, 'filler', 'question') && !isArticle(next) && !isLater)
    return items.slice(0, i).every(isLead) || isA(before, 'join');
  if (/^(?:there|here)$/.test(word) && isA(before, 'action', 'state')) return isLast || isA(next, 'throughout');
  const isPredicate = sense(before, 'filler')?.light === true && !isArticle(before);
  const isBehind =
    isA(before, 'noun', 'pronoun', 'negation', 'pick', 'throughout') ||
    sense(before, 'state')?.yet === true ||
    isRelativeWord(before) ||
    before?.text === ',';
  return isLast && (isPredicate || isBehind || isA(before, 'question', 'vague'));
}

/** "Still" of "still parked", "moving" of "moving to the right". */
export function isState(place: Place, { state, yet }: SenseOf<'state'>): boolean {
  const { items, i, before, next } = place;
  // "Count still bottles": those that stand.
  if (yet && sense(before, 'question')?.question === 'count' && isA(next, 'noun')) return false;
  if (yet && (isA(next, 'action', 'state', 'relation', 'preposition', 'setting') || sense(next, 'noun')?.plural))
    return isA(before, 'noun', 'pronoun', 'question') || sense(before, 'filler')?.light === true;
  // "Is there still a car"
  if (yet && sense(before, 'question')?.question === 'yes_no')
    return isArticle(next) && !/^(?:do|does|did)\b/.test(wordOf(before));
  if (yet && /^(?:there|here)$/.test(wordOf(next))) return isA(before, 'noun', 'pronoun');
  if (sense(before, 'state')?.yet) return true;
  return state === 'moving' && (follows(place) || isA(before, 'action')) && (isWay(items, i) || hasLimit(items, i));
}

/** "Turning faster than 20 degrees per second"; not "slows faster than". */
export const isMeasured = ({ items, i, before }: Place, { move }: SenseOf<'camera_move'>): boolean =>
  hasLimit(items, i) && (before === undefined || isA(before, 'camera', 'join')) && !SLOWING.has(move);
const SLOWING: ReadonlySet<string> = new Set(['brakes', 'stops', 'still', 'shakes']);
