import { NO_CLASS, NO_ROBOTS, REASONS } from '../reasons.ts';
import type { Choice } from '../schema.ts';
import { type Item, isStop, isUnknown, sense } from '../tokens/lexer.ts';
import type { Sense } from '../tokens/senses.ts';
import { COLLOQUIAL } from './colloquial/index.ts';
import {
  block,
  endOfClause,
  isAuxiliary,
  isEnd,
  isFiller,
  isVerb,
  only,
  type Rule,
  startOfClause,
  wordOf,
} from './rule.ts';
import { SOUND_CONSTRUCTIONS } from './sound-constructions.ts';

/** Constructions of everyday questions, in which a word has another part than elsewhere. */

const WHO = 'what somebody is to others, or by profession, is not recognized';
const TO_WHERE = 'places are not named, and a path is not described; "where" finds the place in the frame';

const NTH: Record<string, Choice> = { second: 'second', third: 'third', fourth: 'fourth', fifth: 'fifth' };
const NTH_DIGITS: Record<string, Choice> = {
  '1st': 'first',
  '2nd': 'second',
  '3rd': 'third',
  '4th': 'fourth',
  '5th': 'fifth',
};

const drop = (length: number) => ({ items: [], length });

/** "The third car", "the 2nd truck", "second person": one of several, by its place in time. */
export const nth: Rule = (items, i) => {
  const item = items[i]!;
  const next = items[i + 1];
  const isSplit = sense(item, 'number') !== null && next?.start === item.end && /^(?:st|nd|rd|th)$/i.test(next.text);
  const pick = isSplit ? NTH_DIGITS[`${item.text}${wordOf(next)}`] : NTH[wordOf(item)];
  const length = isSplit ? 2 : 1;
  if (!pick || !followsFreely(items[i - 1])) return null;
  const noun = items.slice(i + length).findIndex((each) => !isModifier(each));
  const head = items[i + length + noun];
  if (noun < 0 || !(sense(head, 'noun') || wordOf(head) === 'time')) return null;
  const text = isSplit ? `${item.text}${next!.text}` : item.text;
  return { items: [{ ...item, text, end: items[i + length - 1]!.end, senses: [{ type: 'pick', pick }] }], length };
};
/** "The second last car": counted from the end. */
const fromTheEnd: Rule = (items, i, query) =>
  NTH[wordOf(items[i])] && /^last\b/.test(wordOf(items[i + 1])) ? block(items, i, 2, query, FROM_THE_END) : null;
const FROM_THE_END = 'only the first to the fifth and the last can be selected';

/** "When was the car made": not "makes a turn". */
const made: Rule = (items, i, query) => {
  if (wordOf(items[i]) !== 'made') return null;
  const isPassive = items.slice(startOfClause(items, i), i).some((each) => /^(?:is|are|was|were)$/i.test(each.text));
  return isPassive && isEnd(items[i + 1]) ? block(items, i, 1, query, MADE) : null;
};
const MADE = 'how something was made cannot be seen';

const isModifier = (item: Item) =>
  !sense(item, 'noun') && item.senses.some(({ type }) => type === 'color' || type === 'vague' || type === 'state');
/** Not "a second person" (another one), "10 second clip" or "the left third". */
const followsFreely = (before: Item | undefined) =>
  before === undefined ||
  isStop(before) ||
  sense(before, 'filler')?.article === 'definite' ||
  isAuxiliary(before) ||
  sense(before, 'join') !== null ||
  sense(before, 'preposition') !== null ||
  sense(before, 'question') !== null;

/** "Last person to leave", "who was first to arrive": the infinitive says what they do. */
export const infinitive: Rule = (items, i) => {
  if (sense(items[i], 'preposition')?.preposition !== 'to' || wordOf(items[i]) !== 'to') return null;
  if (!isVerb(items[i + 1]) && !isUnknownVerb(items[i + 1])) return null;
  // "To crosses", "to seen"
  if (/(?<!s)s$|^(?:seen|gone|been|came|went)\b/.test(wordOf(items[i + 1]))) return null;
  const clause = items.slice(startOfClause(items, i), i);
  const pick = clause.findLastIndex((each) => sense(each, 'pick') !== null || NTH[wordOf(each)] !== undefined);
  const between = clause.slice(pick + 1);
  const isOne = between.length === 0 || (between.length <= 3 && sense(between.at(-1), 'noun') !== null);
  return pick >= 0 && isOne && !between.some((each) => isVerb(each)) ? drop(1) : null;
};
const isUnknownVerb = (item: Item | undefined) => item !== undefined && isUnknown(item);

const CARRIED: ReadonlySet<string> = new Set(['moves', 'stops', 'starts', 'stands']);
const BEFORE_I = /^(?:am|was|did|do|have|had)$/i;
/** "Did I stop", "am I running", "when I turn left": the one who carries the camera. */
export const firstPerson: Rule = (items, i) => {
  if (wordOf(items[i]) !== 'i' || !isFiller(items[i])) return null;
  const before = items[i - 1];
  const isSubject = before === undefined || BEFORE_I.test(before.text) || sense(before, 'join')?.join === 'while';
  const verb = items.slice(i + 1).find((each) => !isFiller(each) && !each.senses.every(({ type }) => type === 'vague'));
  const action = sense(verb, 'action')?.action;
  const isMotion = sense(verb, 'camera_move') !== null || (action !== undefined && CARRIED.has(action));
  if (!isSubject || !isMotion || !isVerb(verb)) return null;
  return only(items[i]!, { type: 'camera', carrier: true });
};

/** "Am I running": not a time of day. */
export const am: Rule = (items, i) =>
  wordOf(items[i]) === 'am' && wordOf(items[i + 1]) === 'i'
    ? only(items[i]!, { type: 'question', question: 'yes_no' }, { type: 'filler', light: true })
    : null;

/** "There's a bird, right?", "theres a dog right?": a tag that only asks for agreement. */
export const tag: Rule = (items, i) => (isTag(items, i) ? drop(1) : null);
export function isTag(items: readonly Item[], i: number): boolean {
  if (wordOf(items[i]) !== 'right' || items[i + 1]?.text !== '?') return false;
  const first = wordOf(items.slice(startOfSentence(items, i), i)[0]);
  return items[i - 1]?.text === ',' || /^there\b|^theres$|^there's$/.test(first);
}
const startOfSentence = (items: readonly Item[], i: number) => items.slice(0, i).findLastIndex(isStop) + 1;

/** "How many cars drove through", "cars driving through the picture": they pass. */
export const through: Rule = (items, i) => {
  if (!/^(?:through|thru)$/i.test(wordOf(items[i])) || !sense(items[i], 'preposition')) return null;
  const verb = items.slice(startOfClause(items, i), i).findLast((each) => !isFiller(each));
  const end = endOfClause(items, i);
  const rest = items.slice(i + 1, end);
  const isFrame = rest.every((each) => isFiller(each));
  // "How many roundabouts do we go through": the place comes first.
  const clause = items.slice(startOfClause(items, i), i);
  const isFronted = clause.some((each) => sense(each, 'camera') ?? sense(each, 'setting'));
  return sense(verb, 'action')?.action === 'moves' && isFrame && !isFronted ? drop(1) : null;
};

/** "Where nothing happens", "where a car stops": the moments; "where is", "where does" ask for a place. */
export const relativeWhere: Rule = (items, i) => {
  // "All the clips where a car stops"
  const isRequest = (each: Item) => isFiller(each) || sense(each, 'question')?.question === 'describe';
  const isTied = OCCASION.test(wordOf(items[i - 1])) && items.slice(0, i).every(isRequest);
  if (wordOf(items[i]) !== 'where' || (i > 0 && !isTied)) return null;
  const next = items[i + 1];
  // "Where dog"
  const hasVerb = items.slice(i + 1, endOfClause(items, i + 1)).some(isPredicate);
  const isQuestion =
    !hasVerb || isEnd(next) || isAuxiliary(next) || sense(next, 'question') !== null || wordOf(next) === 's';
  return isQuestion || sense(next, 'preposition') ? null : only(items[i]!, { type: 'filler' });
};
const OCCASION = /\b(?:clip|video|part|moment|scene|time|frame|segment|instance)s?$|\bfootage$/;

const isPredicate = (item: Item) =>
  isVerb(item) || item.senses.some(({ type }) => HAPPENS.has(type)) || /^(?:is|are|was|were)$/i.test(item.text);
const HAPPENS: ReadonlySet<Sense['type']> = new Set(['action', 'signal', 'motion']);

/** "From where to where did they drive", "where did they drive to". */
export const path: Rule = (items, i, query) => {
  if (i > 0 && !isFiller(items[i - 1])) return null;
  const end = endOfClause(items, i);
  const words = items.slice(i, end).map(wordOf);
  if (!/\bwhere\b.*\b(?:to|from) where\b|\bfrom where to\b/.test(words.join(' '))) return null;
  return items.slice(0, i).every(isFiller) ? block(items, i, end - i, query, TO_WHERE) : null;
};

/** "Are there two of them", "how many of them": nobody was named, so that people are meant. */
export const ofThem: Rule = (items, i) => {
  if (wordOf(items[i]) !== 'of' || !/^them$/.test(wordOf(items[i + 1]))) return null;
  const isCounted = sense(items[i - 1], 'number') ?? (sense(items[i - 1], 'question')?.question === 'count' || null);
  const isNamed = items.some((each) => each.senses.some(({ type }) => type === 'noun' || type === 'camera'));
  if (isCounted === null || isNamed) return null;
  const them = { ...items[i]!, text: `of ${items[i + 1]!.text}`, end: items[i + 1]!.end };
  return {
    items: [{ ...them, senses: [{ type: 'noun', classes: ['person'], plural: true, caveat: OF_THEM }] }],
    length: 2,
  };
};
const OF_THEM = REASONS.namesNothing;

/** "Are they a couple", "is he a worker": what somebody is; "is it a dog" asks what is there. */
export const identityOf: Rule = (items, i, query) => {
  const [copula, pronoun, article] = items.slice(i, i + 3);
  if (
    !/^(?:is|are|was|were|am)$/i.test(wordOf(copula)) ||
    !/^(?:he|she|they|these|those|i|you)$/i.test(wordOf(pronoun))
  )
    return null;
  if (!sense(article, 'filler')?.article) return null;
  const end = endOfClause(items, i);
  const head = items.slice(i + 3, end).find((each) => sense(each, 'noun'));
  return sense(head, 'noun')?.classes.includes('person') ? block(items, i, end - i, query, WHO) : null;
};

/** "The can", "a can": the noun, not the verb. */
export const canAsNoun: Rule = (items, i, query) =>
  /^cans?$/i.test(wordOf(items[i])) && sense(items[i - 1], 'filler')?.article
    ? block(items, i, 1, query, NO_CLASS)
    : null;

/** "Is the carrot orange": the color, not the fruit. */
export const colorPredicate: Rule = (items, i) => {
  const color = sense(items[i], 'color');
  if (!color || !sense(items[i], 'noun') || !isEnd(items[i + 1]) || !sense(items[i - 1], 'noun')) return null;
  return /^(?:is|are|was|were)$/i.test(wordOf(items[startOfClause(items, i)])) ? only(items[i]!, color) : null;
};

const ROBOTS = /^(?:(?:robot|robotic) arms?|robots?|arms?|grippers?|manipulators?|end effectors?)$/i;
export const isRobot = (item: Item) => ROBOTS.test(wordOf(item));
/** "When does the arm move", "the robot stops moving": its motion is the motion in the frame. */
export const robotMotion: Rule = (items, i) => {
  if (!ROBOTS.test(wordOf(items[i])) || !sense(items[i], 'beyond')) return null;
  const end = endOfClause(items, i);
  const start = startOfClause(items, i);
  const others = items.slice(start, end).filter((each) => each !== items[i]);
  // Whatever else is named may move as well.
  if (items.some((each) => sense(each, 'noun') ?? sense(each, 'camera') ?? sense(each, 'pronoun'))) return null;
  const action = others.find((each) => sense(each, 'action') ?? sense(each, 'state') ?? sense(each, 'motion'));
  const isAlone = others.every(
    (each) =>
      each === action ||
      isFiller(each) ||
      sense(each, 'question') !== null ||
      each.senses.some(({ type }) => TIMED.has(type)) ||
      isTimed(each) ||
      (sense(each, 'preposition')?.preposition === 'in' && sense(action, 'motion') !== null),
  );
  const motion = action ? motionOf(action) : null;
  if (!motion || !isAlone || items.indexOf(action!) < i) return null;
  const between = items.slice(i + 1, items.indexOf(action!));
  return {
    items: [
      { ...items[i]!, senses: [{ type: 'vague', reason: NO_ROBOTS }] },
      ...between.filter((each) => !sense(each, 'preposition')),
      { ...action!, senses: [motion] },
    ],
    length: items.indexOf(action!) - i + 1,
  };
};

/** When and for how long: "for more than 10 seconds", "first", "the whole time". */
const TIMED: ReadonlySet<Sense['type']> = new Set([
  ...(['throughout', 'number', 'unit', 'compare', 'window', 'pick'] as const),
]);
const isTimed = (item: Item) => ['for', 'within', 'at'].includes(sense(item, 'preposition')?.preposition ?? '');

/** The motion in the frame that a verb or state of a robot means; null if it means something else. */
function motionOf(item: Item): Sense | null {
  const action = sense(item, 'action')?.action;
  const state = sense(item, 'state')?.state;
  const isMoving = action === 'moves' || action === 'starts' || state === 'moving' || sense(item, 'motion') !== null;
  if (isMoving && !sense(item, 'action')?.caveat) return { type: 'motion' };
  return action === 'stops' || action === 'stands' || state === 'stationary' ? { type: 'motion', negated: true } : null;
}

/** "Do we drive past a dog", "did we pass a truck": it is in view on the way; passing itself is not checked. */
const passedByUs: Rule = (items, i) => {
  const isCarrier = sense(items[i], 'camera')?.carrier === true || wordOf(items[i]) === 'i';
  const verb = items[i + 1];
  if (!isCarrier || !PASSING.test(wordOf(verb)) || !/^(?:do|did|have|when|where|while)$/.test(wordOf(items[i - 1])))
    return null;
  const object = items.slice(i + 2).find((each) => !isFiller(each) && !isModifier(each) && !sense(each, 'number'));
  if (!sense(object, 'noun')) return null;
  return { items: [{ ...verb!, senses: [{ type: 'vague', reason: PASSED }] }], length: 2 };
};
const PASSING =
  /^(?:pass|passed|overtake|overtook|overtaken|(?:drive|drove|driven|walk|walked|go|went|ride|rode) (?:past|by))$/;
const PASSED = 'whether it is passed is not checked: whatever is in view counts';

/** "Longest gap between two cars": the longest time without one. */
const gap: Rule = (items, i) => {
  if (i > 0) return null;
  const at = items.findIndex((each) => !isFiller(each) && sense(each, 'question')?.question !== 'describe');
  const [pick, between, ...rest] = items.slice(Math.max(0, at));
  const which = sense(pick, 'pick')?.pick;
  const isGap = sense(between, 'question')?.question === 'time_between' && /\bgap\b/.test(wordOf(between));
  if (!isGap || (which !== 'longest' && which !== 'shortest')) return null;
  const noun = rest.findIndex((each) => !isModifier(each) && sense(each, 'number')?.value !== 2 && !isFiller(each));
  const end = rest[noun + 1];
  if (!sense(rest[noun], 'noun') || !(end === undefined || isStop(end))) return null;
  const length = at + 2 + rest.slice(0, noun).filter((each) => sense(each, 'number') ?? isFiller(each)).length;
  return {
    items: [
      { ...pick!, senses: [{ type: 'question', question: 'how_long' }] },
      pick!,
      { ...between!, senses: [{ type: 'negation' }] },
    ],
    length,
  };
};

export const CONSTRUCTIONS: readonly Rule[] = [
  gap,
  ...COLLOQUIAL,
  ...SOUND_CONSTRUCTIONS,
  path,
  identityOf,
  ofThem,
  relativeWhere,
  canAsNoun,
  colorPredicate,
  fromTheEnd,
  made,
  nth,
  infinitive,
  am,
  firstPerson,
  tag,
  through,
  robotMotion,
  passedByUs,
];
