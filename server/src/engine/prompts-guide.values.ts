import { OBJECT_OPERATORS, type ObjectMeasure } from './operators/index.ts';
import type { ComparisonKind, Grouping, MeasureKind, MomentKind, StatisticKind } from './plan/index.ts';

type Row = { readonly states: string; readonly examples: readonly string[] };

/** Values that questions may request, with examples that a test plans. The compiler names one that has no row. */
const OTHER_VALUES: Record<Exclude<MeasureKind, ObjectMeasure> | StatisticKind, Row> = {
  count: {
    states: 'number of different objects, or of events',
    examples: ['how many people at the start vs at the end'],
  },
  count_at: {
    states: 'number of objects when something happens',
    examples: ['how many people are in view when the car stops'],
  },
  most: { states: 'most objects at the same time', examples: ['how many people are there at the busiest moment'] },
  mean_count: { states: 'objects at the same time, on average', examples: ['how many dogs are there on average'] },
  length: { states: 'seconds in all', examples: ['total silence in seconds'] },
  item_length: { states: 'seconds of each object, on average', examples: ['how long does each car stay on average'] },
  lengths: {
    states: 'seconds of each, in order',
    examples: [
      'the three longest silences',
      'the second longest red light',
      'who are the two people that stayed longest',
    ],
  },
  longest: {
    states: 'seconds of the object that is there longest',
    examples: ["what's the longest time anyone stays"],
  },
  shortest: { states: 'seconds of the shortest', examples: ["what's the shortest time a car stands"] },
  share: {
    states: 'share of the searched time',
    examples: ['how much of the time is the room empty', 'how long is a car parked, in percent?'],
  },
  start: { states: 'when it first happens', examples: ['which came first, a car or a bang'] },
  mean: {
    states: 'mean of a measured quantity, or of the loudness of the sound',
    examples: ['average speed while we turn left', 'is it louder at the start or at the end?'],
  },
  distance: {
    states: 'distance that the recording vehicle drives, from its speed',
    examples: ['how far did we drive', 'distance driven in the first half'],
  },
  highest: {
    states: 'its highest value, and when',
    examples: ['highest speed in the first half of the video', 'when is it loudest'],
  },
  lowest: { states: 'its lowest value, and when', examples: ['lowest speed in mph'] },
  change: { states: 'how it changes from the start to the end', examples: ['how much did the battery level drop'] },
  at_start: {
    states: 'its value when something happens, or some time before or after',
    examples: ['speed when the light turned green', 'how fast were we 2 seconds before we stopped'],
  },
};

export const VALUES: Readonly<Record<string, Row>> = { ...OTHER_VALUES, ...OBJECT_OPERATORS };

/** Groups whose values are stated by themselves. */
export const GROUPS: Record<Grouping, Row> = {
  kind: {
    states: 'by class of object, or kind of sound; the greatest of them',
    examples: [
      'vehicle counts by class',
      'modal split',
      'which three object classes are visible for the longest',
      'which sound lasts longest',
    ],
  },
  color: { states: 'by main color', examples: ['cars by color', 'most common color of cars'] },
  period: { states: 'the busiest periods', examples: ['which minute is busiest', 'top 3 busiest minutes'] },
  shot: { states: 'by shot', examples: ['how many people per shot', 'are there people in every shot?'] },
};

/** Times relative to events, and what is searched for during them. */
export const TIMES_OF_EVENTS: Record<MomentKind, Row> = {
  before: {
    states: 'some seconds before each event',
    examples: ['show the ten seconds before the harsh braking', 'how many cars in the 5 seconds before the bang'],
  },
  after: {
    states: 'after it',
    examples: ['what do you hear after the rain stops', "what's the first object after the first cut"],
  },
  around: { states: 'on each side of it', examples: ['5 s around each horn'] },
  between: {
    states: 'from the end of one event to the start of the next, or of another one',
    examples: ['what happens between the first and second bang', 'how many cars between the bang and the cut'],
  },
};

/** Days and times of day. */
export const CALENDAR_TIMES: Record<'days' | 'since' | 'ranges' | 'weekdays' | 'times' | 'parts' | 'both', Row> = {
  days: {
    states: 'a day, a week, a month or a date; a weekday is the last one',
    examples: [
      'what happened yesterday',
      'when did a car first arrive this week',
      'people on 24 November',
      'cars two days ago',
    ],
  },
  since: { states: 'from a day or time of today on', examples: ['cars since Monday', 'how many trucks since 8 am'] },
  ranges: {
    states: 'several days',
    examples: ['people from Monday to Wednesday', 'cars in the last 3 days', 'people before Tuesday'],
  },
  weekdays: {
    states: 'days of each week',
    examples: ['how many people enter every weekday morning', 'nobody in the room on weekends'],
  },
  times: {
    states: 'times of each day; an interval past midnight is of the day on which it starts',
    examples: ['motion after 8 am', 'who came in between 22:00 and 06:00', 'any truck around 3 pm'],
  },
  parts: {
    states: 'morning (5 to 12), afternoon (12 to 18), evening (17 to 24), night (18 to 6)',
    examples: ['people this morning', 'dog barking last night', 'people in the afternoon'],
  },
  both: {
    states: 'times of a day',
    examples: ['people between 8:00 and 8:15 on Tuesday', 'did anyone come in last night after 10'],
  },
};

/** Comparisons of two values. */
export const COMPARISONS_OF_VALUES: Record<ComparisonKind, Row> = {
  more: { states: 'whether the first is greater', examples: ['are there more cars than trucks'] },
  less: { states: 'whether the first is smaller', examples: ['fewer buses than trucks?'] },
  same: { states: 'whether they are the same', examples: ['are there as many cars as trucks'] },
  difference: {
    states: 'by how much; by kind, what there is more and fewer of',
    examples: ['how many more cars than trucks are there', 'what is different between the start and the end'],
  },
  ratio: {
    states: 'how many times the second the first is',
    examples: ['are there twice as many cars as trucks', 'how many times more people than dogs are there'],
  },
  changed: { states: 'whether they differ', examples: ['did the number of parked cars change'] },
  within: {
    states: 'whether a value is in a range',
    examples: ['is it dark for more than half of the video', 'did we stop more than twice'],
  },
  all: {
    states: 'whether the first, a part of the second, is all of it',
    examples: ['are all of the cars parked', 'does everyone leave'],
  },
  part: {
    states: 'which share of the second the first, a part of it, is',
    examples: ['what percentage of the vehicles are trucks', 'what fraction of people wear red'],
  },
  mostly: { states: 'whether it is more than half of it', examples: ['are most of the cars white'] },
  which_most: { states: 'which is greater, or last', examples: ['which stands longer, the bus or the truck'] },
  which_least: {
    states: 'which is smaller, or first',
    examples: ['which car came first, the white one or the red one'],
  },
  every: { states: 'whether it is so in every shot', examples: ['are there people in every shot?'] },
  occurs: { states: 'in how many shots, and in which', examples: ['in how many shots is a person visible'] },
  order: { states: 'which of two comes earlier', examples: ['does the bus stop before or after the bang'] },
};
