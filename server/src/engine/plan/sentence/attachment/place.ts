import { type Item, isMark, isStop, sense } from '../../tokens/lexer.ts';
import type { Sense } from '../../tokens/senses.ts';

/** A word in its sentence: what it may belong to before it, and what follows. */
export type Place = {
  items: readonly Item[];
  i: number;
  item: Item;
  before: Item | undefined;
  next: Item | undefined;
  /** The next word that is not a determiner or modifier of a noun. */
  head: Item | undefined;
  /** The item behind the head. */
  afterHead: Item | undefined;
};

export const wordOf = (item: Item | undefined) => item?.text.toLowerCase() ?? '';
export const isA = (item: Item | undefined, ...types: readonly Sense['type'][]) =>
  item?.senses.some(({ type }) => types.includes(type)) ?? false;
export const isEnd = (item: Item | undefined) => item === undefined || isStop(item);
/** The word begins its clause. */
export const isStart = ({ before }: Place) =>
  before === undefined || isMark(before) || before.senses.every(({ type }) => type === 'join');
export const isAmount = (item: Item | undefined) => isA(item, 'number', 'compare', 'unit', 'count');
export const isArticle = (item: Item | undefined) => sense(item, 'filler')?.article !== undefined;

const DETERMINERS =
  /^(?:this|that|these|those|all|my|our|your|his|her|its|their|own|whole|entire|any|some|each|every)$/;
const MODIFIERS: ReadonlySet<Sense['type']> = new Set([
  'color',
  'number',
  'count',
  'state',
  'vague',
  'empty',
  'identity',
]);
const isModifier = (item: Item) =>
  isArticle(item) ||
  sense(item, 'filler')?.indefinite !== undefined ||
  (isA(item, 'filler') && DETERMINERS.test(wordOf(item))) ||
  (!isA(item, 'noun', 'setting', 'side') && item.senses.some(({ type }) => MODIFIERS.has(type)));

export function placeAt(items: readonly Item[], i: number): Place {
  const head = items.findIndex((each, k) => k > i && !isModifier(each));
  return {
    ...{ items, i, item: items[i]!, before: items[i - 1], next: items[i + 1] },
    head: head < 0 ? undefined : items[head],
    afterHead: head < 0 ? undefined : items[head + 1],
  };
}

const PICTURES =
  /\b(?:video|vid|clip|recording|footage|film|movie|picture|image|screen|frame|view|scene|shot|part|moment|segment|timestamp|time|event|case|example|instance|motion|movement|name)s?$/;
/** A word for the video or a part of it. */
export const isPicture = (item: Item | undefined) => isA(item, 'filler') && PICTURES.test(wordOf(item));
/** "There", "here". */
const isAdverb = (item: Item | undefined) => /^(?:there|here)$/.test(wordOf(item));

/** "Are" of "how many are on the left": an auxiliary behind its subject. */
const isCopula = ({ items, i, before }: Place) =>
  sense(before, 'filler')?.light === true &&
  !isArticle(before) &&
  items.slice(0, i - 1).some((each) => isA(each, 'noun', 'pronoun', 'question', 'sound', 'motion'));

/** "Are there" of "how many people are there in the room". */
const isExistence = ({ items, i, before }: Place) =>
  sense(before, 'question')?.question === 'yes_no' && items.slice(0, i - 1).some((each) => isA(each, 'noun'));

const HOSTS: readonly Sense['type'][] = [
  ...(['noun', 'pronoun', 'setting', 'action', 'state', 'camera_move', 'signal', 'sound', 'motion', 'side'] as const),
  ...(['part', 'unit', 'reciprocal', 'quantity', 'vague', 'beyond', 'color', 'camera', 'garment', 'line'] as const),
  ...(['direction', 'throughout', 'pick', 'window'] as const),
];
/** Something precedes that a phrase may describe. */
export const hasHost = (place: Place) =>
  isA(place.before, ...HOSTS) ||
  isPicture(place.before) ||
  isAdverb(place.before) ||
  isCopula(place) ||
  isExistence(place) ||
  sense(place.before, 'question')?.question === 'describe';
