import { type Static, type TSchema, Type } from 'typebox';
import {
  ACTIONS,
  CAMERA_MOVES,
  DIRECTIONS,
  FACTS,
  JOINS,
  PICKS,
  PRESUMPTIONS,
  QUANTITIES,
  QUESTIONS,
  READERS,
  RELATIONS,
  SIDES,
  SIGNALS,
  SOUNDS,
} from './terms.ts';

export type * from './terms.ts';

/**
 * A plan states a prompt in terms that observations can be matched against. It is parsed from a prompt or sent by a
 * client, and every analysis contains it. Times are in seconds, quantities in SI units, places in fractions of the
 * frame (origin top left).
 */

const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const oneOf = <const T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>(Type.Enum([...values], { description }));

const fraction = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const name = Type.String({ maxLength: 100, description: 'Name: `left`, `top right`, or any other.' });
const point = Type.Object(
  { x: fraction('Fraction of the width.'), y: fraction('Fraction of the height.') },
  { additionalProperties: false, description: 'A point in the frame.' },
);

export const regionSchema = Type.Union(
  [
    Type.Object(
      {
        name,
        x: fraction('Left edge, fraction of the width.'),
        y: fraction('Top edge, fraction of the height.'),
        width: fraction('Fraction of the width.'),
        height: fraction('Fraction of the height.'),
      },
      { additionalProperties: false },
    ),
    Type.Object(
      { name, points: Type.Array(point, { minItems: 3, maxItems: 64, description: 'Corners, in order around it.' }) },
      { additionalProperties: false },
    ),
  ],
  {
    description:
      'A place in the frame, a rectangle or a polygon. As the place of an object: where its center has to be. As the region of an action: what its center `enters`, `leaves` or `crosses` instead of the whole frame.',
  },
);

export const lineSchema = Type.Object(
  { name, from: point, to: point },
  {
    additionalProperties: false,
    description: 'A line in the frame that the center of an object `crosses`; without one, the middle of the frame.',
  },
);

export const rangeSchema = Type.Object(
  {
    min: nullable(Type.Number({ minimum: 0 }), 'At least this; null for no lower limit.'),
    max: nullable(Type.Number({ minimum: 0 }), 'At most this; null for no upper limit.'),
  },
  { additionalProperties: false },
);

export const objectQuerySchema = Type.Object(
  {
    text: Type.String({ maxLength: 500, description: 'The words of the prompt, or any name.' }),
    classes: Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 200,
      description: 'Classes of the detector that match, any of them; empty for any object.',
    }),
    colors: Type.Array(Type.String({ maxLength: 50 }), {
      maxItems: 20,
      description: 'Names of colors, any of them; empty for any color.',
    }),
    count: Type.Object(
      {
        min: Type.Integer({ minimum: 1, maximum: 10_000, description: 'At least this many at the same time.' }),
        max: nullable(
          Type.Integer({ minimum: 1, maximum: 10_000 }),
          'At most this many at the same time; null for no limit.',
        ),
      },
      { additionalProperties: false },
    ),
    state: nullable(
      oneOf(['stationary', 'moving'], 'Only while it stands still, or only while it moves.'),
      'Null for either.',
    ),
    place: nullable(regionSchema, 'Where its center has to be; null for anywhere.'),
    ridden: Type.Optional(Type.Boolean({ description: 'True: only while somebody rides it: a cyclist.' })),
  },
  { additionalProperties: false, description: 'An object to look for.' },
);

const objectSchema = Type.Object(
  {
    kind: Type.Literal('object'),
    subject: objectQuerySchema,
    action: oneOf(ACTIONS, 'Action of the object.'),
    idle: Type.Boolean({
      description:
        'True: the object is there and does not do it ("a person who does not move"). Not the same as a negated step: nobody moves.',
    }),
    direction: nullable(oneOf(DIRECTIONS, 'Direction in the frame.'), 'Direction of motion; null for any.'),
    from: nullable(oneOf(SIDES, 'Side of the frame.'), 'The edge of entry; null for any.'),
    to: nullable(oneOf(SIDES, 'Side of the frame.'), 'The edge of exit; null for any.'),
    line: Type.Optional(lineSchema),
    region: Type.Optional(regionSchema),
    vehicle: Type.Optional(
      oneOf(
        ['instead', 'also'],
        'In footage from a moving vehicle: `instead`: the vehicle that carries the camera is meant; `also`: it is searched as well. Missing: an object in the frame.',
      ),
    ),
    relation: nullable(
      Type.Object(
        {
          kind: oneOf(RELATIONS, 'Relation to the other object, in the frame.'),
          other: objectQuerySchema,
          negated: Type.Boolean({ description: 'True: while the relation does not hold.' }),
        },
        { additionalProperties: false },
      ),
      'Null if no other object matters.',
    ),
  },
  { additionalProperties: false, description: 'An object and its action.' },
);

export const targetSchema = Type.Union(
  [
    objectSchema,
    Type.Object(
      { kind: Type.Literal('signal'), signal: oneOf(SIGNALS, 'Signal of the frame.') },
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
      { kind: Type.Literal('sound'), sound: oneOf(SOUNDS, 'Kind of sound.') },
      { additionalProperties: false },
    ),
    Type.Object(
      {
        kind: Type.Literal('quantity'),
        quantity: oneOf(QUANTITIES, 'Speeds in m/s, accelerations in m/s², yaw rates in rad/s.'),
        range: rangeSchema,
      },
      { additionalProperties: false, description: 'A measured quantity of the vehicle, from telemetry.' },
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
        'Casts no doubt on what was found in such footage. `fixed`: a name of the place that the camera shows ("in the room"), except in footage from a moving vehicle. `vehicle`: outdoors, in footage from a moving vehicle.',
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

export const searchSchema = Type.Object(
  {
    text: Type.String({ maxLength: 20_000, description: 'The words of the prompt.' }),
    steps: Type.Array(stepSchema, { minItems: 1, maxItems: 20, description: 'One event, or several in sequence.' }),
    pick: nullable(oneOf(PICKS, 'Which of the events to report.'), 'Null for all.'),
  },
  { additionalProperties: false, description: 'One search. Searches are answered independently.' },
);

export const planSchema = Type.Object(
  {
    version: Type.Literal(1),
    query: Type.String({ maxLength: 200_000, description: 'The prompt.' }),
    question: nullable(oneOf(QUESTIONS, 'Kind of answer besides the events.'), 'Null for none.'),
    per: Type.Optional(
      Type.Number({ minimum: 1, description: 'For `count`: also the count per period of this many seconds.' }),
    ),
    window: nullable(
      Type.Object(
        {
          from: Type.Number({ description: 'Seconds from the start; negative: from the end.' }),
          to: nullable(Type.Number(), 'Seconds from the start; negative: from the end; null: to the end.'),
        },
        { additionalProperties: false },
      ),
      'The part of the video to search; null for all of it.',
    ),
    searches: Type.Array(searchSchema, { minItems: 1, maxItems: 200 }),
    corrected: Type.Array(
      Type.Object(
        { from: Type.String({ maxLength: 200 }), to: Type.String({ maxLength: 200 }) },
        { additionalProperties: false },
      ),
      { maxItems: 500, description: 'Words read as the nearest known one.' },
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
export type PlannedSearch = Static<typeof searchSchema>;
export type Step = Static<typeof stepSchema>;
export type Target = Static<typeof targetSchema>;
export type ObjectQuery = Static<typeof objectQuerySchema>;
export type Region = Static<typeof regionSchema>;
export type Line = Static<typeof lineSchema>;
export type Range = Static<typeof rangeSchema>;
export type Unchecked = Static<typeof uncheckedSchema>;
export type ObjectTarget = Extract<Target, { kind: 'object' }>;
export type CameraTarget = Extract<Target, { kind: 'camera' }>;
