import type { Entry } from '../../tokens/senses.ts';
import { words } from '../entry.ts';

const NUMBERS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty';
const TENS = {
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
  dozen: 12,
};

export const numbers: readonly Entry[] = [
  ...NUMBERS.split(' ').map((word, value) => words('counts', word, { type: 'number', value })),
  ...Object.entries(TENS).map(([word, value]) => words('counts', word, { type: 'number', value })),
];

export const counts: readonly Entry[] = [
  words(
    'counts',
    'a single, single, lone, lonely, only one, just one, exactly one, alone, by itself, by himself, by herself, on its own, only a single, one single',
    {
      type: 'count',
      min: 1,
      max: 1,
    },
  ),
  words('counts', 'a couple of, couple of, a pair of, pair of, multiple, more than one, at least two, both', {
    type: 'count',
    min: 2,
    max: null,
  }),
  words('counts', 'half a dozen, half dozen', { type: 'number', value: 6 }),
  words(
    'counts',
    'several, a few, few, some of, a trio of, trio of, a flock of, flock of, a herd of, herd of, a bunch of, bunch of, a handful of, handful of, a number of, a cluster of, a pack of, pack of, a row of, row of, a line of, rows of',
    {
      type: 'count',
      min: 3,
      max: null,
    },
  ),
  words(
    'counts',
    'many, lots of, a lot of, numerous, plenty of, loads of, tons of, dozens of, hundreds of, heaps of, a load of, a ton of, a swarm of, a convoy of',
    { type: 'count', min: 5, max: null },
  ),
  // "A crowd of 20"
  words(
    'counts',
    'crowd of, a crowd of',
    { type: 'count', min: 5, max: null },
    { type: 'noun', classes: ['person'], min: 5, plural: true },
  ),
  words(
    'counts',
    'group of, a group of, groups of',
    { type: 'count', min: 3, max: null },
    { type: 'noun', classes: ['person'], min: 3, plural: true },
  ),
  words(
    'counts',
    'at least, no fewer than, no less than, minimum, minimum of, a minimum of, not fewer than, not less than, no sooner than, no earlier than',
    {
      type: 'compare',
      compare: 'min',
    },
  ),
  words(
    'counts',
    'at most, up to, no more than, maximum, maximum of, a maximum of, not more than, no later than, max, <=',
    {
      type: 'compare',
      compare: 'max',
    },
  ),
  words(
    'counts',
    'more than, over, above, greater than, longer than, later than, faster than, harder than, exceeding, exceeds, exceed, higher than, upwards of, stronger than, in excess of, rises above, goes above, gets above, larger than, quicker than, louder than, further than, farther than, more then, greater then, longer then, faster then, higher then',
    { type: 'compare', compare: 'above' },
  ),
  words(
    'counts',
    'less than, fewer than, sooner than, earlier than, drops below, falls below, goes below, dips below, drop below, fall below, under, below, shorter than, slower than, lower than, weaker than, closer than, nearer than, less then, fewer then, shorter then, slower then',
    {
      type: 'compare',
      compare: 'below',
    },
  ),
  words('counts', 'exactly, precisely, only, just', { type: 'compare', compare: 'exact' }),
  words('counts', 'or more, or more than, or greater than, or longer, or faster, and more, or above, or over', {
    type: 'compare',
    compare: 'or_more',
  }),
  words('counts', 'or fewer, or less, or fewer than, or less than, or shorter, or slower, or below, or under', {
    type: 'compare',
    compare: 'or_less',
  }),
];

export const joins: readonly Entry[] = [
  words(
    'sequences',
    'then, and then, after that, after which, afterwards, afterward, followed by, next, later, subsequently, and after that, thereafter, and later, and finally, finally',
    { type: 'join', join: 'then' },
  ),
  words(
    'sequences',
    'after, once, as soon as, right after, immediately after, shortly after, since, before that, before then, before which',
    {
      type: 'join',
      join: 'after',
    },
  ),

  words('sequences', 'before, until, till, right before, just before, shortly before, prior to', {
    type: 'join',
    join: 'before',
  }),
  words(
    'sequences',
    'while, whilst, as, during, when, whenever, meanwhile, at the same time as, and at the same time, simultaneously with, and meanwhile, and simultaneously',
    { type: 'join', join: 'while' },
  ),
  words('sequences', 'and, plus, as well as, and also', { type: 'join', join: 'and' }),
  words('sequences', 'or, and or, nor, vs, versus', { type: 'join', join: 'or' }),
  words('sequences', 'but, yet, although, though', { type: 'join', join: 'but' }),
  words('sequences', 'simultaneously, at the same time, in the same frame, in the same picture, at once', {
    type: 'join',
    join: 'both',
  }),
  words('sequences', 'together', { type: 'join', join: 'both' }, { type: 'reciprocal', relation: 'near' }),
];

export const prepositions: readonly Entry[] = (
  [
    ['from, starting from, starting at, beginning at', 'from'],
    ['to', 'to'],
    ['towards, toward, in the direction of', 'towards'],
    ['on', 'on'],
    ['in', 'in'],
    ['at', 'at'],
    ['into', 'into'],
    ['out of, out', 'out'],
    ['past', 'past'],
    ['across, through, thru, along', 'across'],
    ['for, lasting, lasts, for longer than, lasting longer than, for over, for more than', 'for'],
    ['within', 'within'],
    ['between', 'between'],
    ['wearing, wears, wear, dressed in, clad in, wore', 'wearing'],
    ['of', 'of'],
  ] as const
).map(([phrases, preposition]) => words('other', phrases, { type: 'preposition', preposition }));

export const negations: readonly Entry[] = [
  words(
    'relations',
    "no, not, never, not any, doesn't, don't, didn't, does not, do not, did not, cannot, can't, no longer, neither, not a single, not one, free of, clear of, empty of, devoid of, not a, absent, hasn't, haven't, won't, nor any",
    { type: 'negation' },
  ),
  words('relations', "isn't, aren't, wasn't, weren't, is not, are not, was not, were not", {
    type: 'negation',
    is: true,
  }),
  words('relations', 'without, without any, without a, w/o, w/out, absence of, lack of', {
    type: 'negation',
    without: true,
  }),
];

export const questions: readonly Entry[] = [
  words(
    'questions',
    'how many, how many exactly, exactly how many, roughly how many, approximately how many, about how many, around how many, more or less how many, count the number of, count up, tally, what number of, number of, count, count the, count all, total number of, peak number of, highest number of, maximum number of, max number of, how many different, how many unique, how many distinct, how many individual',
    { type: 'question', question: 'count' },
  ),
  words(
    'questions',
    'average number of, avg number of, mean number of, average count of, what average number of, what mean number of',
    { type: 'question', question: 'count' },
    { type: 'average' },
  ),
  words(
    'questions',
    'how many times, how often, number of times, count how often, count how many times, how frequently, roughly how many times, about how many times, roughly how often, how many separate times, count the number of times',
    {
      type: 'question',
      question: 'how_often',
    },
  ),
  words(
    'questions',
    "is there, are there, r there, is, are, does, do, did, was there, were there, was, were, is it, has, have, can you see, can we see, can i see, do you see, do we see, do i see, did we see, did i see, did you see, have we seen, have you seen, have you spotted, did you notice, did you spot, has anyone seen, do we have, did we have, do they have, do you have, have we got, did we meet, do we meet, did we encounter, do we encounter, did we come across, do we come across, did we spot, did you spot, is there any chance of, is there any sign of, any sign of, any signs of, is there such a thing as, will, know if, know whether, check if, check whether, see if, see whether, find out if, find out whether, tell me if, tell me whether, verify that, isn't there, aren't there, wasn't there, weren't there, isn't, aren't, doesn't, didn't, wasn't, weren't, hasn't, haven't",
    { type: 'question', question: 'yes_no' },
  ),
  ...Object.entries({ second: 1, minute: 60, hour: 3600 }).map(([unit, seconds]) =>
    words('questions', `per ${unit}, each ${unit}, every ${unit}, ${unit} by ${unit}`, { type: 'per', seconds }),
  ),
  words('questions', 'every', { type: 'per', seconds: null }),
  words(
    'questions',
    'per',
    { type: 'per', seconds: null },
    { type: 'beyond', reason: 'counts are possible only by time: "per minute", "per 10 seconds"' },
  ),
  words('questions', 'when, when exactly, exactly when, at what time, what time, at which time', {
    type: 'question',
    question: 'when',
  }),
  words(
    'questions',
    'where, where exactly, exactly where, wheres, where r, whereabouts, in which part, which side, on which side, from which side, from where, to which side',
    { type: 'question', question: 'where' },
  ),
  words(
    'questions',
    'which way, what way, which direction, what direction, in which direction, in what direction, into which direction',
    { type: 'question', question: 'which_way' },
    {
      type: 'vague',
      reason: 'the direction is reported with each event; the rest was looked for without it',
    },
  ),
  words('questions', 'color of, colour of, what color, what colour, which color, which colour', {
    type: 'question',
    question: 'which_color',
  }),
  words(
    'questions',
    'how long, for how long, how much time, how many seconds, how many minutes, how many hours, how much time is spent, time spent, total time, total duration, dwell time, dwell time of, dwell times, dwell times of, duration, how long does it take, how long does it take for',
    { type: 'question', question: 'how_long' },
  ),
  words(
    'questions',
    'what percentage of the time, what percent of the time, what share of the time, what part of the time, how much of the time, how much of the video, how much of the clip, what percentage of the video, what part of the video, what fraction of the time, what fraction of the video, what proportion of the time',
    { type: 'question', question: 'how_long' },
    { type: 'vague', reason: 'reported in seconds, not as a share' },
  ),
  words(
    'questions',
    'time between, time from, how long between, how long from, how long is it between, how long is it from, how much time between, how much time passes between, how much time passed between, how many seconds between, how many minutes between, how long passes between, gap between, time gap between, interval between, time difference between, delay between',
    { type: 'question', question: 'time_between' },
    { type: 'beyond', reason: 'start the prompt with "time between" to get the time between two events' },
  ),
  words(
    'questions',
    "what's, whats, what can you see, what can i see, what do we see, what did you see, what was happening, what is there, what was there, whats going on, whats happening, whats up, what's happening, what's going on, what's in, what's this, what's visible, what's shown, what is, what are, what was, what were, what does, what do, what did, what happens, what is happening, what else happens, what happened, what do you see, what is going on, what can be seen, what is in, describe, summarise, summarize, summary, overview, narrate, what is shown, what is this, what is visible, key moments, highlights, key events, all events, anything interesting, anything notable, interesting moments, interesting events, notable events, important events, important moments, main events, what happens here, tell me about, caption this, caption the video, everything that happens, anything happen, anything happens, anything happening, something happens, something happening, anything going on, something going on",
    { type: 'question', question: 'describe' },
  ),
];

export const windows: readonly Entry[] = [
  words(
    'sequences',
    'in the first, the first, first, during the first, within the first, in the opening, the opening, during the opening, opening, over the first',
    {
      type: 'window',
      window: 'first',
    },
  ),
  words(
    'sequences',
    'in the last, the last, last, final, during the last, within the last, in the final, during the final, in the closing, the closing, during the closing, closing, over the last, to the end, until the end, till the end, onwards, onward',
    {
      type: 'window',
      window: 'last',
    },
  ),
  words('sequences', 'into video, into clip, into recording, into footage, after start, after beginning', {
    type: 'window',
    window: 'first',
    from: true,
  }),
  words('sequences', 'before end', { type: 'window', window: 'last', from: true }),
  words(
    'sequences',
    'right at beginning, right at start, at beginning, at very beginning, in beginning, at start, at very start, at the outset',
    {
      type: 'window',
      window: 'first',
      seconds: 10,
    },
  ),
  words('sequences', 'right at end, at end, at very end, in end, towards end, near end, just before the end', {
    type: 'window',
    window: 'last',
    seconds: 10,
  }),
];

/** Which of all that is found. */
export const picks: readonly Entry[] = [
  words('sequences', 'first, first time, for first time, the first, earliest, first ever', {
    type: 'pick',
    pick: 'first',
  }),
  words('sequences', 'last, last time, for last time, the last, latest, final', { type: 'pick', pick: 'last' }),
  words('sequences', 'longest', { type: 'pick', pick: 'longest' }),
  words('sequences', 'shortest, briefest', { type: 'pick', pick: 'shortest' }),
  words('sequences', 'most, the most, busiest, most crowded', { type: 'pick', pick: 'most' }),
];
