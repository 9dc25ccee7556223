import { type Item, sense } from '../../tokens/lexer.ts';
import { block, endOfClause, isEnd, isFiller, only, type Rule, startOfClause, wordOf } from '../rule.ts';
import { clauseOf, isBeyond, isModifier, isNoun } from './words.ts';

/** Spoken questions for times and numbers. */

const CYCLE = '"cycle" is ambiguous here, and repeated work is not recognized; for the vehicle, write "bicycle"';

/** "Cycle time", "how many cycles": of work, not the vehicle, unless somebody rides it or it has a color or place. */
const workCycle: Rule = (items, i, query) => {
  if (!/^(?:cycle|cycles)$/.test(wordOf(items[i])) || !isNoun(items[i])) return null;
  const next = items[i + 1];
  const isMeasured = /^(?:times?|counts?|lengths?|durations?|numbers?|rates?)$/.test(wordOf(next));
  const clause = clauseOf(items, i);
  const isCounted = clause.some((each) => MEASURED.has(sense(each, 'question')?.question ?? ''));
  const isRepeated = clause.some((each) => /^(?:starts?|stops?|begins?|ends?|time|per)\b/.test(wordOf(each)));
  return isMeasured || isCounted || isRepeated || isTask(items[i - 1]) ? block(items, i, 1, query, CYCLE) : null;
};

const MEASURED: ReadonlySet<string> = new Set(['count', 'how_often', 'how_long', 'time_between']);

/** "Pick and place cycle", "charging cycle" */
const isTask = (before: Item | undefined) => before !== undefined && (before.senses.length === 0 || isBeyond(before));

const EACH = 'how long all of them are there together is reported; each event has its own start and end';

/** "How long does each customer stay", "time per car": the answer is a total. */
const eachDuration: Rule = (items, i) => {
  if (!/^(?:each|every)$/.test(wordOf(items[i]))) return null;
  const earlier = items.slice(startOfClause(items, i), i);
  const isDuration = earlier.some((each) => sense(each, 'question')?.question === 'how_long');
  return isDuration && !isEnd(items[i + 1]) ? only(items[i]!, { type: 'vague', reason: EACH }) : null;
};

const RESTING =
  /^(?:stopped|parked|waiting|standing(?: still)?|stationary|idle|idling|moving|driving|walking|running)$/;

/** "Time stopped", "total time spent waiting", "time parked in total": how long. */
const timeSpent: Rule = (items, i) => {
  if (!/^(?:time|total time|time spent)$/.test(wordOf(items[i])) || !RESTING.test(wordOf(items[i + 1]))) return null;
  const isFirst = items.slice(0, i).every((each) => isFiller(each) || sense(each, 'question')?.question === 'describe');
  return isFirst ? only(items[i]!, { type: 'question', question: 'how_long' }) : null;
};

/** "Time with people", "total time without a car": how long. */
const timeWith: Rule = (items, i) => {
  if (!/^(?:time(?: with)?|total time|time spent)$/.test(wordOf(items[i])) || !items.slice(0, i).every(isFiller))
    return null;
  const isTied = / with$/.test(wordOf(items[i]));
  const next = items[i + 1];
  const time: Item = { ...items[i]!, senses: [{ type: 'question', question: 'how_long' }] };
  const head = items.slice(i + (isTied ? 1 : 2)).find((each) => !isFiller(each) && !isModifier(each));
  if (!isNoun(head)) return null;
  if (isTied) return { items: [time], length: 1 };
  if (sense(next, 'negation')?.without) return { items: [time], length: 1 };
  return wordOf(next) === 'with' ? { items: [time], length: 2 } : null;
};

/** "Max people", "most cars at the same time": how many at most. */
const mostOf: Rule = (items, i) => {
  if (!/^(?:max|maximum|peak)$/.test(wordOf(items[i])) || !items.slice(0, i).every(isFiller)) return null;
  const noun = sense(items[i + 1], 'noun');
  return noun?.plural || noun?.classes.includes('person')
    ? only(items[i]!, { type: 'question', question: 'count' })
    : null;
};

const SHARE = 'a share of the video is no limit here; write times, as in "before 1:30"';

/** "In the first half of the video", "the last quarter": how long that is depends on the video. */
const shareOfVideo: Rule = (items, i, query) => {
  const window = sense(items[i], 'window');
  const isNth = /^(?:second|third|fourth|other)$/.test(wordOf(items[i])) && wordOf(items[i - 1]) === 'the';
  if (!(isNth || (window && window.seconds === undefined && !window.from))) return null;
  if (!/^(?:half|third|quarter)(?: of (?:the |this )?\w+)?$/.test(wordOf(items[i + 1]))) return null;
  const rest = items.slice(i + 2, endOfClause(items, i));
  const end = rest.findIndex((each) => !isFiller(each) && wordOf(each) !== 'of');
  return block(items, i, 2 + (end < 0 ? rest.length : end), query, SHARE);
};

/** "How many people at most at the same time": the answer states the most at the same time. */
const atMostAtOnce: Rule = (items, i) => {
  const isMost = sense(items[i], 'compare')?.compare === 'max' && sense(items[i + 1], 'join')?.join === 'both';
  if (!isMost) return null;
  const isCounted = items.slice(0, i).some((each) => sense(each, 'question')?.question === 'count');
  return isCounted ? { items: [items[i]!], length: 2 } : null;
};

/** "People count", "total car count per minute": how many. */
const nounCount: Rule = (items, i) => {
  const count = items[i + 1];
  const isCount = /^counts?$/.test(wordOf(count)) && sense(count, 'question') !== null;
  const isWhole = items.slice(0, i).every(isFiller) && (isEnd(items[i + 2]) || sense(items[i + 2], 'per') !== null);
  return isNoun(items[i]) && isCount && isWhole ? { items: [count!, items[i]!], length: 2 } : null;
};

const PART = 'how many of all that are there is not counted';
const SEVERAL = 'only one of several can be selected';

/** "Half of the people", "the first 5 cars": some of those that are there. */
const someOfThem: Rule = (items, i, query) => {
  const [item, second] = [items[i], items[i + 1]];
  const isShare = /^(?:half|most|third|quarter)$/.test(wordOf(item)) && wordOf(second) === 'of';
  const isPicked = sense(item, 'pick') !== null && /\b(?:first|last)$/.test(wordOf(item));
  if (!isShare && !(isPicked && (sense(second, 'number')?.value ?? 0) > 1)) return null;
  const noun = items.findIndex((each, k) => k > i + 1 && !isFiller(each) && !isModifier(each));
  return isNoun(items[noun]) ? block(items, i, noun - i + 1, query, isShare ? PART : SEVERAL) : null;
};

export const DURATIONS: readonly Rule[] = [
  ...[someOfThem, shareOfVideo, workCycle, eachDuration, timeSpent],
  ...[timeWith, mostOf, nounCount, atMostAtOnce],
];
