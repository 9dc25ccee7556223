import { REASONS } from '../../reasons.ts';
import { type Item, isStop, sense } from '../../tokens/lexer.ts';
import { block, isEnd, isFiller, isVerb, only, type Rule, startOfClause, wordOf } from '../rule.ts';
import { hasNoun, isNoun, isPictureWord } from './words.ts';

/** Presence, and properties of the picture. */

const IS_THERE = /^(?:is|are|was|were|r) there$/;

/** "The dog is there", "while nobody is there, ...": what is there was named before. */
const isThere: Rule = (items, i) => {
  if (!IS_THERE.test(wordOf(items[i])) || !isNoun(items[i - 1])) return null;
  const clause = items.slice(startOfClause(items, i), i);
  const isQuestion = clause.some((each) => sense(each, 'question'));
  return isQuestion || isEnd(items[i + 1]) ? null : only(items[i]!, { type: 'action', action: 'present', weak: true });
};

/** "The nearer cyclist": one of two, no direction. */
const nearerOne: Rule = (items, i) =>
  /^(?:nearer|closer)$/.test(wordOf(items[i])) && isNoun(items[i + 1]) && !sense(items[i - 1], 'action')
    ? only(items[i]!, { type: 'vague', reason: 'this word cannot be used to distinguish objects' })
    : null;

const BOTH = 'read as both at the same time';

/** "Both a bus and a truck", "is there both a cat and a dog": two kinds, not two of the first. */
const bothKinds: Rule = (items, i) => {
  if (wordOf(items[i]) !== 'both' || sense(items[i], 'count') === null) return null;
  const end = items.findIndex((each, k) => k > i && (isStop(each) || (sense(each, 'join') && wordOf(each) !== 'and')));
  const rest = items.slice(i + 1, end < 0 ? undefined : end);
  const and = rest.findIndex((each) => wordOf(each) === 'and');
  const [one, other] = [rest.slice(0, and), rest.slice(and + 1)];
  if (and < 0 || !isPhrase(one) || !isPhrase(other.slice(0, phraseEnd(other)))) return null;
  return {
    items: [
      { ...items[i]!, senses: [{ type: 'vague', reason: BOTH }] },
      ...one,
      { ...rest[and]!, senses: [{ type: 'join', join: 'while' }] },
    ],
    length: and + 2,
  };
};

const phraseEnd = (items: readonly Item[]) => items.findIndex(isNoun) + 1;

/** Words of one noun phrase. */
const isPhrase = (items: readonly Item[]) =>
  items.length > 0 &&
  isNoun(items.at(-1)) &&
  items.slice(0, -1).every((each) => isFiller(each) || sense(each, 'color') || sense(each, 'state'));

/** "The video is in black and white", "is it black and white": the picture, where no object has the colors. */
const blackAndWhite: Rule = (items, i) => {
  const at = sense(items[i], 'preposition')?.preposition === 'in' ? i + 1 : i;
  const [black, and, white] = items.slice(at, at + 3);
  if (wordOf(black) !== 'black' || !/^(?:and|&|n)$/.test(wordOf(and)) || wordOf(white) !== 'white') return null;
  const [start, end] = [startOfSentence(items, i), endOfSentence(items, at)];
  const others = [...items.slice(start, i), ...items.slice(at + 3, end)];
  const isOfPicture = others.some(isPictureWord) || others.length === 0;
  if (!isOfPicture || others.some((each) => hasNoun([each]) || (isVerb(each) && !sense(each, 'action')?.weak)))
    return null;
  const item = { ...black!, end: white!.end, senses: [{ type: 'signal', signal: 'monochrome' } as const] };
  return { items: [item], length: at + 3 - i };
};

const startOfSentence = (items: readonly Item[], i: number) => items.slice(0, i).findLastIndex(isStop) + 1;

function endOfSentence(items: readonly Item[], i: number): number {
  const end = items.findIndex((each, k) => k >= i && isStop(each));
  return end < 0 ? items.length : end;
}

const ON_CAMERA = 'read as being in view; what sits on the camera itself is not detected';

/** "A bird on the camera": in view, or on top of it. */
const onTheCamera: Rule = (items, i) =>
  /^on (?:the|a|my|our|this) (?:camera|cam|lens)$/.test(wordOf(items[i])) && sense(items[i], 'action')
    ? only(items[i]!, { type: 'vague', reason: ON_CAMERA })
    : null;

const WHICH = REASONS.whichObject;

/** "What moved", "what is moving": motion, whatever moves. */
const whatMoves: Rule = (items, i) => {
  const word = wordOf(items[i]);
  if (!/^what(?: is| was|s|'s)?$/.test(word) || !items.slice(0, i).every(isFiller)) return null;
  const verb = items[i + 1];
  if (!/^(?:moves|moved|moving)$/.test(wordOf(verb)) || !(isEnd(items[i + 2]) || isPictureWord(items.at(-1)!)))
    return null;
  return {
    items: [
      { ...items[i]!, senses: [{ type: 'vague', reason: WHICH }] },
      { ...verb!, senses: [{ type: 'motion' }] },
    ],
    length: 2,
  };
};

const EXTENT = REASONS.partly;

/** "Fully visible", "partly in view". */
const extentOfView: Rule = (items, i, query) => {
  const isExtent = /^(?:fully|completely|partly|partially)$/.test(wordOf(items[i]));
  const action = sense(items[i + 1], 'action');
  if (!isExtent || action?.action !== 'present' || action.relation) return null;
  const [{ start }, { end }] = [items[i]!, items[i + 1]!];
  const text = query.slice(start, end);
  return { items: [{ text, start, end, senses: [{ type: 'vague', reason: EXTENT }] }], length: 2 };
};

/** "Is the person male", "are the trucks big": the attribute is not measured. */
const vaguePredicate: Rule = (items, i, query) => {
  const vague = sense(items[i], 'vague');
  if (!vague || items[i]!.senses.length > 1 || !isNoun(items[i - 1]) || !isEnd(items[i + 1])) return null;
  const isPredicate = /^(?:is|are|was|were)$/.test(wordOf(items[startOfClause(items, i)]));
  return isPredicate ? block(items, i, 1, query, vague.reason.replace(/; the rest was .*/, '')) : null;
};

const FULL = 'whether an object is full cannot be detected';

/** "A full bowl", "the cup is full". */
const fullOf: Rule = (items, i, query) => {
  if (wordOf(items[i]) !== 'full') return null;
  const isContainer = isNoun(items[i + 1]) && !isFiller(items[i + 1]);
  const hasOwner = hasNoun(items.slice(startOfClause(items, i), i));
  return isContainer || (hasOwner && isEnd(items[i + 1])) ? block(items, i, 1, query, FULL) : null;
};

export const PICTURE: readonly Rule[] = [
  fullOf,
  vaguePredicate,
  extentOfView,
  isThere,
  nearerOne,
  bothKinds,
  blackAndWhite,
  onTheCamera,
  whatMoves,
];
