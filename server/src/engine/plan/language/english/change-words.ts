import { type ClosedClass, inflected, words } from './closed-class.ts';

const varying = (compare: 'changed' | 'more' | 'less', verbs: string): ClosedClass[] =>
  inflected('Vary', verbs).map(({ features, ...each }) => ({ ...each, features: { ...features, compare } }));

/** Words for numbers that change, and for what is different. */
export const CHANGE_WORDS: readonly ClosedClass[] = [
  ...varying('changed', 'change, vary, differ, fluctuate'),
  ...varying('more', 'increase, rise, grow, go up, climb'),
  ...varying('less', 'decrease, drop, fall, shrink, go down, decline, diminish'),
  ...inflected('Remain', 'stay, remain'),
  words('Constant', 'the same, constant, unchanged'),
  words('AmountOf', 'amount of, volume of, quantity of, level of'),
  words('How', 'how, by how much, how much'),
  words(
    'WhatChanged',
    'what changed, what has changed, what changes, what did change, what is different, what was different, what looks different, what differs, what is the difference, what was the difference, what are the differences, the differences, differences, the difference, which changes are there, what changes are there',
  ),
  words('NewThere', 'new, newly there, added, there now'),
  words('NewThere', 'gone, missing, not there anymore, not there any more, no longer there, removed'),
  words('Contrast', 'compare, compare the, comparison of, a comparison of, comparing, contrast'),
  words(
    'Remarkable',
    'unusual, strange, odd, weird, suspicious, abnormal, interesting, noteworthy, remarkable, special',
  ),
  words(
    'Remarkable',
    'out of the ordinary, peculiar, irregular, unexpected, unusual at all, bizarre, worth mentioning, worth looking at, worth seeing',
  ),
  words('Oddity', 'anomaly, anomalies, irregularities, irregularity, abnormalities, oddities, incidents, incident'),
  words('Doings', 'event, events, activity, activities, behavior, behaviour, things, stuff, happenings, occurrences'),
  words('WhatAbout', 'what happened to, what happens to, what is happening to, what was happening to'),
  words('Absent', 'away, absent, out of sight, nowhere to be seen'),
  words(
    'WaitTime',
    'waiting time, wait time, standing time, time lost, time waiting, time spent waiting, time standing',
  ),
  words('WaitTime', 'total waiting time, total wait time, total time waiting, time wasted, idle time'),
  ...inflected('Lose', 'lose, spend, waste, spend waiting'),
  words('Because', 'because of, due to, on account of, thanks to'),
  words('HowFar', 'how far, what distance, which distance, how many kilometers, how many kilometres, how many km'),
  words('HowFar', 'how many miles, how many meters, how many metres, how much distance'),
  words(
    'Distance',
    'distance, total distance, overall distance, mileage, distance in km, distance in miles, distance in meters',
  ),
  ...inflected('Travel', 'drive, travel, go, cover, get, move, come, do'),
  ...inflected('OverNumber', 'go over, drive over, exceed, go above, go faster than, drive faster than, top'),
  words('InColor', 'in color, in colour, color, colour, in full color'),
  words('DoBase', 'do', { form: 'base' }),
  words('DoBase', 'doing, up to', { form: 'ing' }),
];
