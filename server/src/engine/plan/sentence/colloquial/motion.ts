import { REMOVED } from '../../reasons.ts';
import { type Item, sense } from '../../tokens/lexer.ts';
import { block, isEnd, isFiller, only, type Rule, startOfClause, wordOf } from '../rule.ts';
import { hasNoun, isArticleOrOwner, isBeyond, isModifier, isNoun } from './words.ts';

/** Verbs of coming, going and taking. */

/** "The bus comes", "when did anyone come": arrives; "comes from the left" is a motion. */
const arrives: Rule = (items, i) => {
  if (!/^(?:come|comes|came|coming)$/.test(wordOf(items[i])) || sense(items[i], 'action')?.action !== 'moves')
    return null;
  const before = items.slice(startOfClause(items, i), i).findLast((each) => !isFiller(each));
  const isWhereQuestion = items.some((each) => /^where|^which_way/.test(sense(each, 'question')?.question ?? ''));
  return !isWhereQuestion && isEnd(items[i + 1]) && (isNoun(before) || sense(before, 'pronoun'))
    ? only(items[i]!, { type: 'action', action: 'appears' })
    : null;
};

/** "Someone takes a bag": gone with somebody close by. Of other objects, taking is a hand action. */
const takes: Rule = (items, i) => {
  if (!/^(?:take|takes|took|taking)$/.test(wordOf(items[i])) || !isBeyond(items[i]!)) return null;
  const at = items.findIndex((each, k) => k > i && !isFiller(each) && !isModifier(each));
  const noun = sense(items[at], 'noun');
  const isTakeable = noun !== null && noun.classes.length > 0 && noun.classes.every((name) => TAKEABLE.has(name));
  const hasPerson = items
    .slice(startOfClause(items, i), i)
    .some((each) => sense(each, 'noun')?.classes.includes('person'));
  const isWhole = isEnd(items[at + 1]) || sense(items[at + 1], 'preposition') !== null;
  return isTakeable && hasPerson && isWhole && isOwnedOrNamed(items[i + 1])
    ? only(items[i]!, { type: 'action', action: 'taken_away', caveat: REMOVED, decides: true })
    : null;
};

const isOwnedOrNamed = (item: Item | undefined) => isFiller(item) || (item !== undefined && isModifier(item));

const TAKEABLE: ReadonlySet<string> = new Set([
  ...['backpack', 'handbag', 'suitcase', 'bicycle', 'laptop', 'umbrella', 'skateboard'],
]);

/** "Hanging around the car", "lingering by the car": close to it. */
const aroundIt: Rule = (items, i) => {
  const verb = sense(items[i], 'action');
  if (verb?.action !== 'loiters' || !/ (?:around|about)$/.test(wordOf(items[i]))) return null;
  const head = items.slice(i + 1).find((each) => !isFiller(each) && !sense(each, 'color') && !sense(each, 'state'));
  const isObject = (isNoun(head) || sense(head, 'camera')?.carrier === true) && isArticleOrOwner(items[i + 1]);
  if (!isObject) return null;
  const text = wordOf(items[i]).split(' ').at(-1)!;
  const start = items[i]!.end - text.length;
  const near: Item = { ...items[i]!, text, start, senses: [{ type: 'relation', relation: 'near' }] };
  return { items: [{ ...items[i]!, end: start - 1, senses: [verb] }, near], length: 1 };
};

const GOES_TO = /^(?:come|comes|came|coming|go|goes|went|going|run|runs|ran|running|walk\w*) to$/;

/** "Came to the door", "runs to the gate": with an object these words have their own meaning. */
const motionTo: Rule = (items, i) => {
  if (!GOES_TO.test(wordOf(items[i])) || !isBeyond(items[i]!)) return null;
  const head = items.slice(i + 1).find((each) => !isFiller(each) && !sense(each, 'color'));
  const isPlace = sense(head, 'setting') !== null || isNoun(head);
  if (!isPlace || !isArticleOrOwner(items[i + 1])) return null;
  const item = items[i]!;
  const [verb] = wordOf(item).split(' ');
  const at = item.start + verb!.length;
  return {
    items: [
      { ...item, text: verb!, end: at, senses: [{ type: 'action', action: 'moves', weak: true }] },
      { ...item, text: 'to', start: at + 1, senses: [{ type: 'preposition', preposition: 'to' }] },
    ],
    length: 1,
  };
};

const UNNAMED = 'what starts was not named; for motion, write "starts moving"';

/** "When does it start", "what time does it begin": the recording, the work or a motion. */
const itStarts: Rule = (items, i, query) => {
  if (!/^(?:start|starts|started|begin|begins|began)$/.test(wordOf(items[i])) || !isEnd(items[i + 1])) return null;
  const isIt = /^(?:it|this|that)$/.test(wordOf(items[i - 1]));
  return isIt && !hasNoun(items.slice(0, i)) ? block(items, i, 1, query, UNNAMED) : null;
};

/** "Turn right after the bus": to the right, after it. */
const rightAfterTurn: Rule = (items, i) => {
  const isRight = /^right (?:after|before)$/.test(wordOf(items[i])) && sense(items[i], 'join');
  const verb = items[i - 1];
  const turns = sense(verb, 'camera_move') !== null && sense(verb, 'camera_move')?.direction === undefined;
  if (!isRight || !turns) return null;
  const { start, end, senses } = items[i]!;
  const [right, join] = items[i]!.text.split(' ');
  return {
    items: [
      { text: right!, start, end: start + right!.length, senses: [{ type: 'side', side: 'right' }] },
      { text: join!, start: end - join!.length, end, senses },
    ],
    length: 1,
  };
};

/** "A dog is followed by a person": behind it, not later. */
const isFollowed: Rule = (items, i) => {
  const isPassive =
    /^followed(?: by)?$/.test(wordOf(items[i])) && /^(?:is|are|was|were|being)$/.test(wordOf(items[i - 1]));
  return isPassive && hasNoun(items.slice(startOfClause(items, i), i))
    ? only(items[i]!, { type: 'action', action: 'follows', passive: true })
    : null;
};

export const MOTION: readonly Rule[] = [isFollowed, rightAfterTurn, itStarts, arrives, takes, aroundIt, motionTo];
