import { type Item, sense } from '../../tokens/lexer.ts';
import { block, endOfClause, isEnd, isFiller, only, type Rule, startOfClause, wordOf } from '../rule.ts';
import { isCarrier, isNoun } from './words.ts';

/** "I", "we" and "me": the one who carries the camera. */

const MADE = /^(?:make|made|take|took|do|did|have|had)$/;

/** "How many left turns did I make", "how many stops do we make": we turn, we stop. */
const ourManeuver: Rule = (items, i) =>
  isOurManeuver(items, i)
    ? { items: [{ ...items[i + 1]!, senses: [{ type: 'camera', carrier: true }] }], length: 3 }
    : null;

/** True at the auxiliary of such a question. */
export function isOurManeuver(items: readonly Item[], i: number): boolean {
  if (!/^(?:do|did|have|does)$/.test(wordOf(items[i]))) return false;
  const [carrier, verb] = [items[i + 1], items[i + 2]];
  if (!isCarrier(carrier) || !MADE.test(wordOf(verb)) || !isEnd(items[i + 3])) return false;
  const clause = items.slice(startOfClause(items, i), i);
  const isManeuver = clause.some((each) => sense(each, 'camera_move') ?? isRest(sense(each, 'action')?.action));
  return isManeuver && clause.some((each) => sense(each, 'question')) && !clause.some(isNoun);
}

const isRest = (action: string | undefined) => action === 'stops' || action === 'starts';

/** "In front of me", "overtook me": the one who carries the camera. */
const me: Rule = (items, i) => {
  if (wordOf(items[i]) !== 'me' || !isFiller(items[i])) return null;
  const before = items[i - 1];
  const isObject =
    sense(before, 'relation') !== null ||
    VIEWED.has(sense(before, 'action')?.action ?? '') ||
    wordOf(before) === 'past';
  return isObject ? only(items[i]!, { type: 'camera', carrier: true }) : null;
};

/** "Did I fall", "did I hit something": the one who carries the camera. */
const iFall: Rule = (items, i) =>
  /^i$/.test(wordOf(items[i])) && OF_BODIES.has(sense(items[i + 1], 'action')?.action ?? '')
    ? only(items[i]!, { type: 'camera', carrier: true })
    : null;

const OF_BODIES: ReadonlySet<string> = new Set(['falls', 'lies', 'sits_down', 'crouches', 'stands_up', 'collides']);

const VIEWED: ReadonlySet<string> = new Set(['overtakes', 'passes', 'approaches', 'follows', 'cuts_in']);

const PASSED = 'whether it is passed is not checked: whatever is in view counts';

const OVERTAKEN = 'what the recording vehicle overtakes is not known';

/** "How many trucks did we pass": in view on the way. */
const passedByUs: Rule = (items, i, query) => {
  if (!/^(?:do|did|have)$/.test(wordOf(items[i])) || !isCarrier(items[i + 1])) return null;
  const end = endOfClause(items, i);
  const verb = items.slice(i + 2, end);
  const text = verb.map(wordOf).join(' ');
  const before = items.slice(startOfClause(items, i), i).findLast((each) => !isFiller(each));
  if (!/^(?:pass|passed|overtake|overtaken|(?:drive|go|ride|walk) (?:past|by)|pass by)$/.test(text) || !isNoun(before))
    return null;
  // All that are in view may be passed, and few of them are overtaken.
  if (/^overtake/.test(text)) return { ...block(items, i + 2, 1, query, OVERTAKEN), length: end - i };
  const text2 = query.slice(verb[0]!.start, verb.at(-1)!.end);
  return {
    items: [{ ...verb[0]!, text: text2, end: verb.at(-1)!.end, senses: [{ type: 'vague', reason: PASSED }] }],
    length: end - i,
  };
};

/** "Tailgating us": who follows is behind, out of view. */
const tailgatedBy: Rule = (items, i, query) => {
  if (!/^tailgat(?:e|es|ed|ing)$/.test(wordOf(items[i]))) return null;
  return isCarrier(items[i + 1]) || wordOf(items[i + 1]) === 'me' ? block(items, i, 2, query, BEHIND_US) : null;
};

const BEHIND_US = 'what follows the camera is behind it; in one that looks back it is a "vehicle close ahead"';

const MY_CAR = '"my car" is not known from others: any car in the frame counts';

/** "Somebody touches my car", "hanging around my car": one in the frame, since someone is at it. */
const myCar: Rule = (items, i) => {
  if (!/^(?:my|our) (?:car|vehicle)$/.test(wordOf(items[i])) || !sense(items[i], 'camera')) return null;
  const before = items.slice(startOfClause(items, i), i);
  const verb = before.findLast((each) => !isFiller(each));
  const isTouched =
    sense(verb, 'action')?.relation === 'overlaps' ||
    sense(verb, 'relation')?.relation === 'overlaps' ||
    sense(verb, 'action')?.action === 'loiters' ||
    sense(verb, 'action')?.action === 'taken_away';
  return isTouched && before.some(isNoun) ? only(items[i]!, { type: 'noun', classes: ['car'], caveat: MY_CAR }) : null;
};

const LAMP =
  'that it stands at a light is not checked: any standing still counts; "how long did we wait at the red light" checks the lamp';
const LIGHT = /^(?:(?:red|green|yellow|amber|traffic) )?lights?$/;
const AT_LIGHT = /^at the lights?$/;

/** "How long did we wait at the red light": the wait at a light that the prompt presumes; not "stop at a red light". */
const atTheLight: Rule = (items, i, query) => {
  const [at, article, light] = items.slice(i, i + 3);
  const isSplit =
    sense(at, 'preposition')?.preposition === 'at' &&
    sense(article, 'filler')?.article === 'definite' &&
    LIGHT.test(wordOf(light)) &&
    isEnd(items[i + 3]);
  const isWhole = AT_LIGHT.test(wordOf(at)) && isEnd(article);
  if (!isSplit && !isWhole) return null;
  const verb = items.slice(startOfClause(items, i), i).findLast((each) => !isFiller(each));
  if (!RESTS.has(sense(verb, 'action')?.action ?? '')) return null;
  const end = isSplit ? light!.end : at!.end;
  const item: Item = {
    text: query.slice(at!.start, end),
    start: at!.start,
    end,
    senses: [{ type: 'vague', reason: LAMP }],
  };
  return { items: [item], length: isSplit ? 3 : 1 };
};

const RESTS: ReadonlySet<string> = new Set(['stops', 'stands']);

export const CARRIER: readonly Rule[] = [ourManeuver, me, iFall, passedByUs, tailgatedBy, myCar, atTheLight];
