import { type Item, sense } from '../../tokens/lexer.ts';
import { endOfClause, startOfClause, wordOf } from '../rule.ts';

/** Predicates that the constructions of spoken English share. */

export const isNoun = (item: Item | undefined) => sense(item, 'noun') !== null;

export const isArticle = (item: Item | undefined) => sense(item, 'filler')?.article !== undefined;

export const hasNoun = (items: readonly Item[]) => items.some((each) => sense(each, 'noun') ?? sense(each, 'garment'));

export const clauseOf = (items: readonly Item[], i: number) =>
  items.slice(startOfClause(items, i), endOfClause(items, i));

export const isBeyond = (item: Item) => item.senses.every(({ type }) => type === 'beyond');

export const isCarrier = (item: Item | undefined) => sense(item, 'camera')?.carrier === true || wordOf(item) === 'i';

export const isPictureWord = (item: Item) =>
  /^(?:video|vid|clip|recording|footage|film|movie|picture|image|scene|shot|frames?|it|this|everything|camera|is it|was it)$/.test(
    wordOf(item),
  );

export const isModifier = (item: Item) =>
  !isNoun(item) && item.senses.some(({ type }) => ['color', 'count', 'number', 'state', 'compare'].includes(type));

export const isArticleOrOwner = (item: Item | undefined) => isArticle(item) || /^(?:my|our)\b/.test(wordOf(item));
