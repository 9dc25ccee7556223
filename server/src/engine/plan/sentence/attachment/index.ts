import type { Item } from '../../tokens/lexer.ts';
import type { Sense } from '../../tokens/senses.ts';
import { isRobot, isTag } from '../constructions.ts';
import { isHeard } from '../sound-constructions.ts';
import { isQuestion } from './auxiliaries.ts';
import { isCamera, isColor, isNoun, isNumber, isPronoun, isQuantity, isUnit } from './heads.ts';
import { isJoin, isLimit } from './joins.ts';
import { isComparison, isDirection, isPreposition, isRelation, isTogether } from './particles.ts';
import { isA, isArticle, isEnd, isPicture, type Place, placeAt, wordOf } from './place.ts';
import { actionBefore, isAction, isMeasured, isState } from './predicates.ts';

type Constructions = { [T in Sense['type']]?: (place: Place, sense: Extract<Sense, { type: T }>) => boolean };

/**
 * The constructions in which a word may add nothing to a plan, by its senses: "on" of "on the left", "do" of "do we
 * stop". Senses that are not listed have none: such a word changes the plan, or blocks its part.
 */
const CONSTRUCTIONS: Constructions = {
  preposition: isPreposition,
  relation: isRelation,
  direction: isDirection,
  compare: (place, each) => isComparison(place) || isLimit(place, each),
  reciprocal: isTogether,
  noun: isNoun,
  quantity: isQuantity,
  pronoun: isPronoun,
  camera: isCamera,
  number: isNumber,
  unit: isUnit,
  color: isColor,
  garment: ({ before }) => isA(before, 'color'),
  part: ({ before, next }) =>
    isA(before, 'side') ||
    // "From left to right side"
    (isA(before, 'direction') && /(?:left|right|top|bottom)$/.test(wordOf(before))) ||
    (isA(before, 'part') && !isA(next, 'noun')) ||
    (isArticle(before) && wordOf(next) === 'of'),
  // "There is a dog, right?", "crosses the center of the frame"
  side: ({ before, next, items, i }) =>
    isTag(items, i) || (wordOf(next) === 'of' && actionBefore(items, i) === 'crosses' && isArticle(before)),
  question: isQuestion,
  join: isJoin,
  action: isAction,
  state: isState,
  camera_move: isMeasured,
  window: ({ item, before, next }) =>
    (isA(item, 'pick') && isArticle(next) && !isA(before, 'join')) || (isA(before, 'number', 'unit') && isEnd(next)),
  pick: ({ item, next, before }) => isA(item, 'window') && isArticle(next) && before === undefined,
  // "Could you", "has to brake"
  control: ({ item, next }, { bare }) =>
    bare === true && isA(item, 'filler') && isA(next, ...GOVERNED) && !isPicture(next) && !isOccasion(next),
  // "Every car"
  per: ({ item, head, before }) => isA(item, 'filler') && isA(head, 'noun') && !isA(before, 'per', 'question'),
  average: ({ item, before }) => / /.test(wordOf(item)) || before === undefined || isArticle(before),
  // "Can you", "when does the arm move"
  beyond: ({ item, next, items, i }) =>
    (wordOf(item) === 'can' && /^(?:you|u|we|i)$/.test(wordOf(next))) || isRobot(item) || isHeard(items, i),
  // "A group of 20"
  count: ({ item, next }) => / of$/.test(wordOf(item)) && isA(next, 'number'),
};
/** "Clip in which" */
const isOccasion = (item: Item | undefined) =>
  isA(item, 'filler') && / (?:where|when|in which|that|with)$/.test(wordOf(item));
const GOVERNED = ['filler', 'action', 'camera_move', 'state', 'camera', 'pronoun', 'noun', 'question'] as const;

/** True if the word belongs to a construction in which a word of its kind may add nothing to the plan. */
export function isAttached(items: readonly Item[], i: number): boolean {
  const place = placeAt(items, i);
  return place.item.senses.some((each) => CONSTRUCTIONS[each.type]?.(place, each as never) ?? false);
}
