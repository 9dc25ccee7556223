import { type Item, sense } from '../../tokens/lexer.ts';
import type { Sense } from '../../tokens/senses.ts';
import { isComparison, isDirection, isPreposition, isRelation, isTogether } from './particles.ts';
import { isA, isArticle, isEnd, isPicture, type Place, placeAt, wordOf } from './place.ts';

type Constructions = { [T in Sense['type']]?: (place: Place, sense: Extract<Sense, { type: T }>) => boolean };

/**
 * The constructions in which a word may add nothing to a plan, by its senses: "on" of "on the left", "do" of "do we
 * stop". Senses that are not listed are always part of one.
 */
const CONSTRUCTIONS: Constructions = {
  preposition: isPreposition,
  relation: isRelation,
  direction: isDirection,
  compare: (place) => isComparison(place) || !isPositional(place.item),
  join: (place, { join }) => {
    const { items, i, item, before, next } = place;
    if (sense(item, 'reciprocal')) return isTogether(place);
    if (join === 'both') return before !== undefined;
    if (join === 'while' && before === undefined) return true;
    if (isEnd(before) || isEnd(next) || isAuxiliary(before)) return false;
    return !TEMPORAL.has(join) || isA(items[i + 2], 'clock');
  },
  reciprocal: (place) => !isA(place.item, 'join') || isTogether(place),
  setting: ({ item }) => !isA(item, 'join'),
  beyond: ({ item }) => !isA(item, 'average'),
  average: ({ item, before }) => / /.test(wordOf(item)) || before === undefined || isArticle(before),
  // "Describe a red cup": a request for everything, and something else.
  question: ({ items, i, item, before, next }, { question }) => {
    if (question === 'describe' && /^what/.test(wordOf(item)) && isArticle(next)) return true;
    if (question === 'describe') return !items.slice(i + 1).some((each) => isA(each, ...NAMED) && !isA(each, 'filler'));
    // "Buses and are cars near a person"
    return (
      !isA(before, 'join') ||
      !isA(next, 'noun') ||
      isA(before, 'question') ||
      items.slice(0, i).some((each) => isA(each, 'question'))
    );
  },
  // "Around": there.
  action: ({ before, next, item }, { action, weak }) => {
    const isThere = isA(before, 'noun') || sense(before, 'action')?.weak === true;
    if (wordOf(item) === 'around') return isThere && !isAmountSign(next);
    return weak !== true || action === 'present' || !isA(next, 'camera_move', 'quantity');
  },
  camera: ({ before, next }, { carrier }) => {
    const isSignal = isA(next, 'signal', 'sound') && (carrier || /^(?:camera|video) /.test(wordOf(next)));
    return !isPicture(before) && !isSignal;
  },
  number: ({ before, next }) => !isA(next, 'compare') && !(sense(before, 'filler')?.indefinite && isA(next, 'noun')),
  color: ({ before, next }) => !isA(before, 'noun') || !(isA(next, 'join') || isAuxiliary(next)),
  camera_move: ({ before }) => !isA(before, 'unit'),
  unit: ({ item, before }) => !isA(item, 'filler') || before === undefined || !sense(before, 'filler')?.light,
  state: ({ item, before, next }) =>
    !isA(next, 'camera_move', 'signal') && (!isA(before, 'camera_move', 'action') || wordOf(item) === 'still'),
  count: ({ next }) => !isA(next, 'compare'),
  side: ({ next }) => isA(next, 'part', 'side', 'join') || isEnd(next) || wordOf(next) === 'of',
  part: ({ before, next }) => isA(before, 'side', 'part') || (isArticle(before) && !isA(next, 'side')),
  signal: () => false,
  window: ({ item, before, next }) => (isA(item, 'pick') && isArticle(next)) || (isA(before, 'number') && isEnd(next)),
  pick: ({ item, next }) => !isA(item, 'window') || isArticle(next),
};
const NAMED = ['noun', 'signal', 'action', 'camera', 'camera_move', 'color', 'motion', 'sound'] as const;
const TEMPORAL: ReadonlySet<string> = new Set(['after', 'before']);
const isAmountSign = (item: Item | undefined) => isA(item, 'number', 'compare', 'unit');

const isAuxiliary = (item: Item | undefined) => sense(item, 'filler')?.light === true && !isArticle(item);

/** A preposition, relation or direction. */
const isPositional = (item: Item) => isA(item, 'preposition', 'relation', 'direction');

/** True if the word belongs to a construction in which a word of its kind may add nothing to the plan. */
export function isAttached(items: readonly Item[], i: number): boolean {
  const place = placeAt(items, i);
  return place.item.senses.some((each) => CONSTRUCTIONS[each.type]?.(place, each as never) ?? each.type !== 'filler');
}
