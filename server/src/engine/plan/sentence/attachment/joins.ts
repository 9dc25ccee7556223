import { type Item, sense } from '../../tokens/lexer.ts';
import type { SenseOf } from '../../tokens/senses.ts';
import { isTogether } from './particles.ts';
import { isA, isAmount, isArticle, isEnd, isPicture, type Place, wordOf } from './place.ts';

/** Constructions that require a joining word or a comparison which adds nothing to a plan. */

/** Adjectives and amounts, of which several may be joined. */
const isAlike = (before: Item | undefined, after: Item | undefined) =>
  (isA(before, 'color', 'vague', 'state') && isA(after, 'color', 'vague', 'state')) ||
  (isAmount(before) && isAmount(after));
/** A verb phrase begins: "and carries a bag", "and has a backpack". */
const isVerbPhrase = (item: Item | undefined) =>
  isA(item, 'action', 'relation', 'state', 'question') || sense(item, 'preposition')?.preposition === 'wearing';

export function isJoin(place: Place, { join }: SenseOf<'join'>): boolean {
  const { items, i, item, before, next } = place;
  if (isA(item, 'reciprocal')) return isTogether(place);
  if (join === 'both') return isMany(place) && (isEnd(next) || isA(next, 'join'));
  // "After 2:30 and before 3:00"
  if (join === 'and' && isA(before, 'number') && isA(next, 'join')) return items[i + 2]?.time === true;
  if (isEnd(next) || isA(next, 'join')) return false;
  // "Whenever a truck arrives"
  const isWhen = /^when(?:ever)?$/.test(wordOf(item));
  if (isWhen && before === undefined) return isArticle(next) && items.slice(i).some((each) => isVerb(each));
  if (isEnd(before)) return false;
  // "First a person, then a dog"
  if (before!.text === ',') return join !== 'after' && join !== 'before' && join !== 'while';
  if (join === 'after' || join === 'before') return isA(next, 'number') && isTimeOfDay(items.slice(i + 1, i + 3));
  if (join !== 'and' && join !== 'or' && join !== 'but') return false;
  const after = items.slice(i + 1, i + 3).find((each) => !isArticle(each));
  return (
    isAlike(before, after) || (/^(?:and|,|&)$/.test(wordOf(item)) && isVerbPhrase(after) && !isA(before, 'preposition'))
  );
}
const isVerb = (item: Item) => isA(item, 'action', 'camera_move', 'signal');
const isTimeOfDay = ([number, clock]: readonly Item[]) => number?.time === true || isA(clock, 'clock');

/** "How many people at the same time", "three bicycles at once". */
const isMany = ({ items, i, before }: Place) =>
  isA(before, 'noun', 'action', 'setting', 'unit', 'state', 'compare') &&
  items
    .slice(0, i)
    .some(
      (each, k) =>
        (isA(each, 'number', 'count') && !isA(items[k + 1], 'unit')) ||
        sense(each, 'noun')?.plural ||
        isA(each, 'question', 'join'),
    );

/** "At least three bicycles", "one or more cars", "how many people are there at most". */
export function isLimit({ items, i, item, before, next, head }: Place, { compare }: SenseOf<'compare'>): boolean {
  const earlier = items.slice(0, i);
  if (compare === 'min')
    return isA(next, 'number') && !isA(before, 'compare', 'number') && !/\b(?:than|least|most)$/.test(wordOf(before));
  if (compare === 'or_more') return isA(before, 'number', 'unit') && !isA(next, 'number');
  const isCounting = earlier.some((each) => sense(each, 'question')?.question === 'count');
  if (compare === 'max') return (isEnd(next) || sense(next, 'join')?.join === 'both') && isCounting;
  if (compare === 'above') return isA(next, 'number') && items.some((each) => isA(each, 'per'));
  // "Is the video just black"
  if (wordOf(item) === 'just' && isA(next, 'signal')) return isPicture(before) || wordOf(before) === 'it';
  // "At night only", "only at night"
  if (compare === 'exact' && /^only$/.test(wordOf(item)))
    if ((sense(before, 'signal')?.when && isEnd(next)) || (sense(next, 'signal')?.when && !isEnd(before))) return true;
  // "Only cars", "detect cars only"
  const isRequest = earlier.every((each) => isA(each, 'filler', 'noun', 'color', 'state'));
  const isFirst = earlier.every((each) => isA(each, 'filler') && !isA(each, 'noun') && !isArticle(each));
  return compare === 'exact' && isRequest && !items.some((each) => isA(each, 'question') || each.text === '?')
    ? (isFirst && sense(head, 'noun')?.plural === true && /^(?:only|just)$/.test(wordOf(item))) ||
        (isA(before, 'noun') &&
          isEnd(next) &&
          (isA(earlier[0], 'filler') || sense(before, 'noun')?.plural === true) &&
          wordOf(item) === 'only')
    : false;
}
