import { type Item, sense } from '../../tokens/lexer.ts';
import type { SenseOf } from '../../tokens/senses.ts';
import { isOurManeuver } from '../colloquial/index.ts';
import { isA, isArticle, isEnd, isPicture, isStart, type Place, wordOf } from './place.ts';

/** Constructions that require a noun, quantity or pronoun which adds nothing to a plan. */

const isVerb = (item: Item | undefined) => isA(item, 'action', 'state', 'camera_move');
const isAuxiliary = (item: Item | undefined) => sense(item, 'filler')?.light === true && !isArticle(item);
/** "Is walking", "who stands", "does not move". */
const isPredicate = ({ items, i }: Place): boolean => {
  const verb = items.slice(i + 1).find((each) => !isEmpty(each));
  return verb !== undefined && isVerb(verb) && !isA(verb, 'noun');
};
/** "Bystanders unattended bag": nobody is left behind. */
const isLeft = (items: readonly Item[], i: number) => sense(items[i + 1], 'action')?.action === 'left_behind';
const isEmpty = (item: Item) => isA(item, 'filler', 'negation', 'vague') && !isArticle(item) && !isA(item, 'action');

const hasSpeed = ({ items, i }: Place) => items.slice(i).some((each) => sense(each, 'unit')?.dimension === 'speed');

/** "Who" of "a person who stands". */
const isRelative = (place: Place) =>
  (isA(place.before, 'noun', 'pronoun') || /^(?:those|the ones?)$/.test(wordOf(place.before))) && isPredicate(place);

/** Words that may precede a noun in its phrase; an article or one of these begins it. */
const BEFORE = [
  ...(['filler', 'color', 'number', 'count', 'state', 'vague', 'negation', 'question', 'join', 'pick'] as const),
  ...(['preposition', 'relation', 'compare', 'identity', 'per', 'control', 'window'] as const),
];
const beginsPhrase = ({ before }: Place) => isEnd(before) || isA(before, ...BEFORE) || before?.text === ',';

export function isNoun(place: Place, { classes }: SenseOf<'noun'>): boolean {
  const { items, item, i, before, next } = place;
  // "Anyone who stands", "who is there"
  if (isA(item, 'filler')) return isStart(place) || (/^who\b/.test(wordOf(item)) && isRelative(place));
  // "Walking people"
  const { by } = sense(before, 'action') ?? {};
  if (by === 'person' && classes.includes('person') && /ing$/.test(wordOf(before))) return true;
  if (!beginsPhrase(place)) return false;
  const isGeneral = classes.length === 0 || classes.includes('person');
  // "A person loiters", "an object moves": the verb alone means one.
  if (isGeneral && isPredicate(place) && !(classes.length > 0 && isLeft(items, i))) return true;
  // "Anything red"
  if (classes.length === 0 && isA(next, 'color') && isEnd(items[i + 2])) return true;
  // "A group of people"
  if (isGeneral && isA(before, 'count') && / of$/.test(wordOf(before))) return true;
  if (
    classes.includes('person') &&
    isA(before, 'number', 'count') &&
    items.some((each) => isA(each, 'noun', 'count') && / of$/.test(wordOf(each)))
  )
    return true;
  // "Left behind by a person"
  if (classes.includes('person') && items.slice(0, i).some((each) => wordOf(each) === 'by')) return true;
  // "Vehicle faster than 50 mph"
  const limit = items.slice(i + 1).find((each) => !isEmpty(each)) ?? next;
  if (isA(limit, 'compare') && hasSpeed(place)) return true;
  // "The car accelerates": the vehicle with the camera.
  if (isA(next, 'quantity') && classes.includes('car')) return true;
  // "Between automobile the first and the last car"
  if (isA(next, 'pick')) return false;
  // "A red car and a blue car", "a car following another car"
  return items.some((each) => each !== item && sense(each, 'noun')?.classes.join() === classes.join());
}

/** "Speed above 30 km/h", "acceleration = 2 m/s²": the unit names it as well. */
export function isQuantity({ items, i, before }: Place): boolean {
  const limit = items.slice(i + 1).find((each) => !isA(each, 'filler') || isA(each, 'unit'));
  const owner = sense(before, 'noun');
  const isOther = owner !== null && !owner.classes.includes('car');
  return isA(limit, 'compare', 'number', 'preposition') && !isA(before, 'number', 'unit', 'quantity') && !isOther;
}

/** "When does it get dark", "they go to the left". */
export function isPronoun({ items, item, before, i }: Place): boolean {
  const next = items.slice(i + 1).find((each) => !isAuxiliary(each));
  // "She's holding a phone"
  if (/^(?:he|she|they)(?:'s|'re)$/.test(wordOf(item)) && sense(next, 'relation')) return true;
  if (/^it$/.test(wordOf(item)) && isA(next, 'signal', 'quantity', 'sound')) return true;
  if (!/^(?:he|she|it|they)$/.test(wordOf(item))) return false;
  return (
    (before === undefined || isA(before, 'join') || isAuxiliary(before) || isEnd(before) || before.text === ',') &&
    isVerb(next)
  );
}

/** "The camera pans", "we turn right", "a cyclist passes us", "dashcam footage freezes". */
export function isCamera(place: Place, { carrier }: SenseOf<'camera'>): boolean {
  const { items, i, item, before, next } = place;
  if (isOurManeuver(items, i - 1)) return true;
  const hasStart = beginsPhrase(place) || isAuxiliary(before);
  const verb = items
    .slice(i + 1)
    .find((each) => !isEmpty(each) && !isArticle(each) && !isA(each, 'question', 'control'));
  if (hasStart && isA(verb, 'camera_move')) return true;
  // "Were we ever over 50 mph"
  if (hasStart && isA(verb, 'compare') && hasSpeed(place)) return true;
  if (hasStart && isA(verb, 'action', 'state')) return true;
  if (hasStart && isPicture(next)) return true;
  if (hasStart && isA(next, 'signal') && !carrier && !/^(?:camera|video|signal) /.test(wordOf(next))) return true;
  // "Approaches the camera"
  const verbBefore = isArticle(before) ? items[i - 2] : before;
  const isObject = isA(before, 'relation', 'direction') || TRANSITIVE.has(sense(verbBefore, 'action')?.action ?? '');
  return isObject && /^(?:us|me|camera|(?:my|our|own|ego) (?:car|vehicle))$/.test(wordOf(item));
}
const TRANSITIVE: ReadonlySet<string> = new Set(['overtakes', 'passes', 'approaches', 'cuts_in']);

/** "Two cars next to each other", "the red one", "for 1 minute or more". */
export function isNumber({ items, i, item, before, next, head }: Place): boolean {
  if (isA(next, 'unit')) return isA(before, 'compare', 'preposition', 'join') || isA(items[i + 2], 'compare');
  if (wordOf(item) === 'one') {
    // Not "a car that is red one"
    const isPredicate = isAuxiliary(items[i - 2]) && isA(before, 'color');
    return isA(before, 'color', 'vague', 'compare') && !isA(next, 'number', 'noun') && !isPredicate;
  }
  const isTwo = sense(item, 'number')?.value === 2 && isA(head, 'noun') && !isA(before, 'number', 'count', 'noun');
  // "Two people hug": the verb needs as many.
  const isMutual = items.some(
    (each, k) =>
      isA(each, 'reciprocal') ||
      sense(each, 'question')?.question === 'time_between' ||
      (sense(each, 'action')?.relation !== undefined && isEnd(items[k + 1])),
  );
  return (isTwo && isMutual) || (item.time === true && isA(before, 'join', 'preposition', 'relation'));
}

/** "Above 30 km/h and below 50 km/h", "from 10 s to 20 s": both limits have it. */
export const isUnit = ({ items, item, before }: Place): boolean =>
  (before === undefined && isA(item, 'filler')) ||
  (isA(before, 'number') &&
    items.some((each) => each !== item && sense(each, 'unit')?.factor === sense(item, 'unit')?.factor));

/** "A black or dark car": another word for the same. */
export const isColor = ({ before, next, items, i }: Place): boolean =>
  (isA(next, 'join') && isA(items[i + 2], 'color')) || (isA(before, 'join') && isA(items[i - 2], 'color'));
