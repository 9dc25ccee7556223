import type { Entry } from '../meaning/senses.ts';
import { words } from './entry.ts';

/** Words that ask, and those that divide a count. */
export const questions: readonly Entry[] = [
  words(
    'questions',
    'how many, how many exactly, exactly how many, roughly how many, approximately how many, about how many, around how many, more or less how many, count the number of, count up, tally, what number of, number of, count, count the, count all, total number of, peak number of, highest number of, maximum number of, max number of, how many different, how many unique, how many distinct, how many individual',
    { type: 'question', question: 'count' },
  ),
  words(
    'questions',
    'how many times, how often, number of times, count how often, count how many times, how frequently, roughly how many times, about how many times, roughly how often, how many separate times, count the number of times, count the times, count times, times count',
    {
      type: 'question',
      question: 'how_often',
    },
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
  words(
    'questions',
    'color of, colour of, colors of, colours of, what color, what colour, which color, which colour, what colors, what colours, which colors, which colours',
    {
      type: 'question',
      question: 'which_color',
    },
  ),
  words(
    'questions',
    'how long, for how long, how much time, how many seconds, how many minutes, how many hours, how much time is spent, time spent, total time, total duration, dwell time, dwell time of, dwell times, dwell times of, duration, how long does it take, how long does it take for, how much time does it take, how much time does it take for, how many seconds does it take, how many seconds does it take for',
    { type: 'question', question: 'how_long' },
  ),
  words(
    'questions',
    'time between, time from, how long between, how long from, how long is it between, how long is it from, how much time between, how much time passes between, how much time passed between, how many seconds between, how many minutes between, how long passes between, gap between, time gap between, interval between, time interval between, time difference between, delay between',
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
  words(
    'sequences',
    'right at end, at end, at very end, in end, towards end, toward end, near end, just before the end',
    {
      type: 'window',
      window: 'last',
      seconds: 10,
    },
  ),
  words('sequences', 'until end, till end, until very end, up to end', { type: 'window', window: 'last', seconds: 1 }),
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
