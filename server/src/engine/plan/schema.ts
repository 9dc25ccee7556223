import { type Static, Type } from 'typebox';
import { OBJECT_MEASURES, OBJECT_OPERATORS } from '../operators/index.ts';
import { calendarSchema, planClockSchema, timesSchema } from './calendar-schema.ts';
import { nullable, objectSchema, oneOf, rangeSchema, regionSchema, valueRangeSchema } from './object-schema.ts';
import { SIGNAL_NAMES } from './signals.ts';
import {
  CAMERA_MOVES,
  COMPARISONS,
  EVERY,
  FACTS,
  GROUPINGS,
  JOINS,
  LIGHT_COLORS,
  LIGHT_EVENTS,
  MEASURES,
  MISSED,
  MOMENTS,
  PICKS,
  PRESUMPTIONS,
  QUANTITIES,
  QUESTIONS,
  READERS,
  SOUNDS,
  STATISTICS,
  TRENDS,
} from './terms.ts';

/** Longest time beside an event, and longest period, in seconds. */
export const LONGEST_S = 86_400;
/** Greatest place of a ranking. */
export const MOST_PLACES = 100;

export type { Calendar, CalendarDay, CalendarPoint, PlanClock } from './calendar-schema.ts';
export type { Line, ObjectQuery, ObjectTarget, Range, Region } from './object-schema.ts';
export type { SignalName } from './signals.ts';
export type * from './terms.ts';

/**
 * A plan states a prompt in terms that observations can be matched against. It is parsed from a prompt or sent by a
 * client, and every analysis contains it. Times are in seconds, quantities in SI units, places in fractions of the
 * frame (origin top left).
 */

const channelSchema = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'What the prompt calls it. It is looked up among the channels of each recording.',
    }),
    unit: nullable(
      Type.String({ maxLength: 20, description: 'Unit of `range`: `%`, `V`, `°C`, `rpm`.' }),
      'Null for the unit of the recording.',
    ),
  },
  { additionalProperties: false, description: 'For the quantity `channel`: which one is meant.' },
);

export const targetSchema = Type.Union(
  [
    objectSchema,
    Type.Object(
      { kind: Type.Literal('signal'), signal: oneOf(SIGNAL_NAMES, 'Signal of the frame.') },
      { additionalProperties: false, description: 'A signal of the whole frame.' },
    ),
    Type.Object(
      {
        kind: Type.Literal('motion'),
        place: nullable(regionSchema, 'Where; null for anywhere.'),
      },
      { additionalProperties: false, description: 'Anything that moves differently from the whole frame.' },
    ),
    Type.Object(
      {
        kind: Type.Literal('camera'),
        move: oneOf(CAMERA_MOVES, 'Motion of the camera, or of the vehicle that carries it.'),
        direction: nullable(
          oneOf(['left', 'right', 'up', 'down', 'in', 'out'], 'Direction of the motion.'),
          'Null for any.',
        ),
        hard: Type.Optional(Type.Boolean({ description: 'True: only hard braking, or sharp turns.' })),
        vehicle: Type.Optional(
          Type.Boolean({ description: 'True: the vehicle that carries the camera; only in footage from one.' }),
        ),
      },
      { additionalProperties: false, description: 'Motion of the camera.' },
    ),
    Type.Object(
      {
        kind: Type.Literal('sound'),
        sound: oneOf(SOUNDS, 'Kind of sound.'),
        maker: Type.Optional(
          Type.String({ maxLength: 50, description: 'Who or what makes it ("man"), which is not checked.' }),
        ),
      },
      { additionalProperties: false },
    ),
    Type.Object(
      {
        kind: Type.Literal('speech'),
        words: nullable(
          Type.String({ minLength: 1, maxLength: 100, description: 'Words in lower case, without punctuation.' }),
          'Spoken words; null for everything that is spoken.',
        ),
        about: Type.Optional(
          Type.Boolean({ description: 'True: the words are a subject, and may be spoken in any order.' }),
        ),
      },
      { additionalProperties: false, description: 'Spoken words, in any inflected form.' },
    ),
    Type.Object(
      {
        kind: Type.Literal('text'),
        text: nullable(Type.String({ minLength: 1, maxLength: 200 }), 'The text; null for any.'),
        carrier: Type.Optional(
          Type.String({ maxLength: 50, description: 'What it is written on ("sign"), which is not checked.' }),
        ),
      },
      { additionalProperties: false, description: 'Text in the frame: on a sign, a display or the picture.' },
    ),
    Type.Object(
      {
        kind: Type.Literal('traffic_light'),
        event: oneOf(
          LIGHT_EVENTS,
          '`shows`: its lamp of this color is lit; `turns`: it changes to this color; `waits`: the recording vehicle stands at it; `runs`: the recording vehicle passes it.',
        ),
        color: nullable(oneOf(LIGHT_COLORS, 'Color of the lit lamp.'), 'Null for any.'),
        presumed: Type.Optional(
          Type.Boolean({
            description:
              'For `waits`, true: the prompt presumes the light ("the red light"), so where no lamp is recognized any standstill counts, with lower confidence.',
          }),
        ),
      },
      { additionalProperties: false, description: 'The lit lamp of a traffic light.' },
    ),
    Type.Object(
      {
        kind: Type.Literal('quantity'),
        quantity: oneOf(
          QUANTITIES,
          'Speeds in m/s, accelerations in m/s², yaw rates in rad/s; `loudness`: the level of the audio track in dBFS, which has no limits and is compared; `channel`: a number that was recorded under a name.',
        ),
        channel: Type.Optional(channelSchema),
        trend: Type.Optional(oneOf(TRENDS, 'Of a channel: only while it rises, falls, does either, or does neither.')),
        range: valueRangeSchema,
      },
      { additionalProperties: false, description: 'A measured quantity, from telemetry or a robot log.' },
    ),
    Type.Object(
      {
        kind: Type.Literal('fact'),
        fact: oneOf(FACTS, 'The requested fact about the recording; speeds need telemetry.'),
      },
      { additionalProperties: false, description: 'A fact about the recording: answered in words, without events.' },
    ),
    Type.Object(
      { kind: Type.Literal('notable') },
      { additionalProperties: false, description: 'All notable events: the search of an open prompt.' },
    ),
    Type.Object(
      { kind: Type.Literal('unknown') },
      { additionalProperties: false, description: 'Nothing that an observer can find.' },
    ),
  ],
  { description: 'What to look for.' },
);

export const uncheckedSchema = Type.Object(
  {
    text: Type.String({ maxLength: 500, description: 'The words of the prompt.' }),
    reason: Type.String({ maxLength: 1000, description: 'Reason why it cannot be checked.' }),
    blocks: Type.Boolean({
      description:
        'True: without it the rest would answer another question, so nothing is reported. False: the rest is searched with lower confidence.',
    }),
    decides: Type.Optional(
      Type.Boolean({
        description:
          'True: what was found may be something else ("a person runs" is searched for as any motion), so its confidence stays below the default `min_confidence`.',
      }),
    ),
    presumed: Type.Optional(
      oneOf(
        PRESUMPTIONS,
        'Casts no doubt on what was found in such footage. `fixed`: a name of the place that the camera shows ("in the room"), except in footage from a moving vehicle. `vehicle`: outdoors, in footage from a moving vehicle. `any`: in all footage.',
      ),
    ),
  },
  { additionalProperties: false, description: 'Part of the prompt that cannot be checked.' },
);

export const stepSchema = Type.Object(
  {
    text: Type.String({ maxLength: 2000, description: 'The words of the prompt.' }),
    what: targetSchema,
    negated: Type.Boolean({ description: 'True: look for the times when it does not hold.' }),
    duration: nullable(rangeSchema, 'Duration in seconds; null for the default.'),
    join: nullable(
      oneOf(JOINS, '`then`: starts after the step before; `while`: at the same time as the step before.'),
      'Relation to the step before; null for the first step.',
    ),
    within: nullable(
      Type.Number({ minimum: 0 }),
      'For `then`: at most this many seconds after the end of the step before; null for the default.',
    ),
    apart: Type.Optional(
      Type.Number({
        minimum: 0,
        description:
          'For `then`: at least this many seconds after the end of the step before; without `within`, however much later.',
      }),
    ),
    every: Type.Optional(
      oneOf(
        EVERY,
        'For `then`: every occurrence of this step (`this`) or of the step before (`before`) is a match by itself, however much later or earlier. Absent: the next one.',
      ),
    ),
    throughout: Type.Optional(
      Type.Boolean({
        description: 'True: it has to hold from the start to the end of the searched part of the video.',
      }),
    ),
    same: Type.Boolean({ description: 'True: by the same object as the step before.' }),
    unchecked: Type.Array(uncheckedSchema, { maxItems: 200 }),
  },
  { additionalProperties: false, description: 'One event.' },
);

const windowSchema = Type.Object(
  {
    from: Type.Number({ description: 'Seconds from the start; negative: from the end.' }),
    to: nullable(Type.Number(), 'Seconds from the start; negative: from the end; null: to the end.'),
    unit: Type.Optional(
      oneOf(
        ['share', 'clock'],
        '`share`: the times are shares of the length of the video, 0.5 is its middle. `clock`: the part is stated by `calendar`; `from` and `to` are where that is in the video of the document.',
      ),
    ),
    calendar: Type.Optional(calendarSchema),
    daily: Type.Optional(timesSchema),
    parts: Type.Optional(
      Type.Array(
        Type.Object(
          {
            from: Type.Number({ description: 'Seconds from the start.' }),
            to: Type.Number({ description: 'Seconds from the start.' }),
          },
          { additionalProperties: false },
        ),
        {
          maxItems: 1000,
          description: 'Parts of the video, where it is several: one for each day. Found by the service.',
        },
      ),
    ),
    remark: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'How the recording clock was applied to the video of the document. Found by the service.',
      }),
    ),
    missed: Type.Optional(
      oneOf(
        MISSED,
        'Why this is no part of the video: `outside`: it was recorded at another time; `no_clock`: it is not known when it was recorded. Found by the service.',
      ),
    ),
    edge: Type.Optional(
      Type.Literal(true, {
        description: 'The start or the end of the video, of no stated length: at most a quarter of the video.',
      }),
    ),
  },
  { additionalProperties: false, description: 'A part of the video.' },
);

export const searchSchema = Type.Object(
  {
    text: Type.String({ maxLength: 20_000, description: 'The words of the prompt.' }),
    steps: Type.Array(stepSchema, { minItems: 1, maxItems: 20, description: 'One event, or several in sequence.' }),
    pick: nullable(
      oneOf(
        PICKS,
        'Which of the events to report. `largest`, `smallest`: by the size of the object in the picture; `fastest`, `slowest`: by its motion in the picture in its own lengths per second; `leftmost`, `rightmost`: while it is the first from that side of those that are in the picture at the same time.',
      ),
      'Null for all.',
    ),
    leading: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 19,
        description:
          'The pick is of the first so many steps, and the others follow it, as in "what happens after the second stop". Absent: of all steps.',
      }),
    ),
    places: Type.Optional(
      Type.Object(
        {
          from: Type.Integer({ minimum: 1, maximum: MOST_PLACES }),
          to: Type.Integer({ minimum: 1, maximum: MOST_PLACES }),
        },
        {
          additionalProperties: false,
          description:
            'With a pick that orders events (all but `second` to `fifth` and `most`): which places in that order; 1 to 3 are the three first ones, 2 to 2 the second. Absent: the first place.',
        },
      ),
    ),
    window: Type.Optional(windowSchema),
    moments: Type.Optional(
      Type.Object(
        {
          kind: oneOf(
            MOMENTS,
            '`before`, `after`, `around`: times before, after or around each event; `between`: from the end of one event to the start of the next or, in a sequence of two, from the end of the first to the start of the second.',
          ),
          seconds: nullable(
            Type.Number({ minimum: 0, maximum: LONGEST_S }),
            'Length before, after, or on each side; null for as long as possible, and for `between`.',
          ),
        },
        { additionalProperties: false, description: 'Times relative to the events are reported instead of them.' },
      ),
    ),
    during: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 199,
        description:
          'Only during what this other search of the plan finds, by its place. Events of that search are not reported.',
      }),
    ),
  },
  { additionalProperties: false, description: 'One search. Searches are answered independently.' },
);

const calculationSchema = Type.Object(
  {
    values: Type.Array(
      Type.Object(
        {
          searches: Type.Array(Type.Integer({ minimum: 0, maximum: 199 }), {
            minItems: 1,
            maxItems: 24,
            description: 'The searches that it is calculated from, by their place in the plan.',
          }),
          measure: oneOf(
            [...MEASURES, ...STATISTICS],
            '`count`: number of different objects, or of events; `count_at`: number of objects at each start of the search `at`; `most`: most objects at the same time; `mean_count`: objects at the same time on average; `length`: seconds in all; `item_length`: seconds of each object on average; `lengths`: seconds of each by itself, in order; `longest`, `shortest`: seconds of the object that is there longest or shortest; `share`: share of the searched time; `start`: when it first happens. ' +
              OBJECT_MEASURES.map((name) => `\`${name}\`: ${OBJECT_OPERATORS[name].states}. `).join('') +
              'The others are of the quantity meanwhile: its `mean`, `highest` and `lowest` value, that `at_start`, its `change` from the start to the end, and, of a speed, the `distance` in m.',
          ),
          quantity: Type.Optional(
            oneOf(
              QUANTITIES,
              'The measured quantity, for `mean`, `highest`, `lowest`, `at_start`, `change`, `distance`.',
            ),
          ),
          channel: Type.Optional(channelSchema),
          at: Type.Optional(
            Type.Integer({ minimum: 0, maximum: 199, description: 'For `count_at`: the search that states when.' }),
          ),
          offset: Type.Optional(
            Type.Number({ description: 'For `at_start`: seconds after the start; negative: before it.' }),
          ),
        },
        { additionalProperties: false, description: 'A value.' },
      ),
      { minItems: 1, maxItems: 6 },
    ),
    compare: nullable(
      oneOf(
        COMPARISONS,
        '`more`, `less`, `same`: whether the first value is greater or smaller than the second, or the same; `difference`: by how much it is greater; `ratio`: how many times the second it is; with `range`, whether the difference or the ratio is in it; `which_most`, `which_least`: which of them is the greatest or smallest; `order`: which of two starts is earlier; `within`: whether the value is in `range`; `all`, `mostly`: whether the first value is all, or more than half, of the second; `part`: which share of the second the first is; `every`: whether the value of each period or shot is more than 0; `occurs`: in how many of them it is; `changed`: whether the first value differs from the second.',
      ),
      'Null to state the values.',
    ),
    range: Type.Optional(rangeSchema),
    by: Type.Optional(
      oneOf(
        GROUPINGS,
        'The value of each group by itself: `kind`: by class of object or kind of sound; `color`: by the main color of an object; `period`: by periods of `period` seconds; `shot`: by shots.',
      ),
    ),
    period: Type.Optional(Type.Number({ minimum: 1, maximum: LONGEST_S, description: 'Seconds, for `period`.' })),
    rank: Type.Optional(
      Type.Object(
        {
          order: oneOf(['most', 'least'], 'The greatest or the smallest values first.'),
          from: Type.Integer({ minimum: 1, maximum: MOST_PLACES }),
          to: Type.Integer({ minimum: 1, maximum: MOST_PLACES }),
        },
        { additionalProperties: false, description: 'Only these places of the groups, in the order of their values.' },
      ),
    ),
  },
  { additionalProperties: false, description: 'What the question `calculation` asks for.' },
);

export const planSchema = Type.Object(
  {
    version: Type.Literal(1),
    query: Type.String({ maxLength: 200_000, description: 'The prompt.' }),
    question: nullable(oneOf(QUESTIONS, 'Kind of answer besides the events.'), 'Null for none.'),
    per: Type.Optional(
      Type.Number({ minimum: 1, description: 'For `count`: also the count per period of this many seconds.' }),
    ),
    calculation: Type.Optional(calculationSchema),
    window: nullable(windowSchema, 'The part of the video to search, unless a search has its own; null for all of it.'),
    clock: Type.Optional(planClockSchema),
    searches: Type.Array(searchSchema, { minItems: 1, maxItems: 200 }),
    corrected: Type.Array(
      Type.Object(
        { from: Type.String({ maxLength: 200 }), to: Type.String({ maxLength: 200 }) },
        { additionalProperties: false },
      ),
      { maxItems: 500, description: 'Words read as the nearest known one.' },
    ),
    suggestions: Type.Optional(
      Type.Array(Type.String({ maxLength: 2000 }), {
        maxItems: 3,
        description: 'Prompts in similar words that can be searched, where this one is refused for its wording.',
      }),
    ),
    language: Type.Optional(
      Type.String({ maxLength: 100, description: 'Language of the prompt, in English; absent for English.' }),
    ),
    reader: Type.Optional(
      oneOf(READERS, 'Who rewrote the prompt in English: `lexicon`, a dictionary; `model`, a language model.'),
    ),
    rewritten: Type.Optional(
      Type.Array(
        Type.Object(
          {
            from: Type.String({ maxLength: 2000, description: 'Words of the prompt.' }),
            to: Type.String({ maxLength: 2000, description: 'English that the plan was made from.' }),
          },
          { additionalProperties: false },
        ),
        { maxItems: 200, description: 'Parts of the prompt that were rewritten before they were read.' },
      ),
    ),
    alternative: Type.Optional(
      Type.Array(
        Type.Object(
          {
            from: Type.String({ maxLength: 2000, description: 'Words of the prompt.' }),
            to: Type.String({ maxLength: 2000, description: 'English of the other reading.' }),
          },
          { additionalProperties: false },
        ),
        {
          maxItems: 200,
          description: 'The reading of a language model that contradicts the rules. It was not searched.',
        },
      ),
    ),
  },
  { additionalProperties: false, description: 'A prompt in terms that can be searched.' },
);

export type Plan = Static<typeof planSchema>;
export type PlanWindow = Static<typeof windowSchema>;
export type PlannedCalculation = Static<typeof calculationSchema>;
export type PlannedSearch = Static<typeof searchSchema>;
export type Step = Static<typeof stepSchema>;
export type Target = Static<typeof targetSchema>;
export type Unchecked = Static<typeof uncheckedSchema>;
export type LightTarget = Extract<Target, { kind: 'traffic_light' }>;
export type SpeechTarget = Extract<Target, { kind: 'speech' }>;
export type CameraTarget = Extract<Target, { kind: 'camera' }>;
