import { type Static, type TSchema, Type } from 'typebox';
import {
  ACTIONS,
  CAMERA_MOVES,
  DIRECTIONS,
  JOINS,
  PICKS,
  QUANTITIES,
  QUESTIONS,
  RELATIONS,
  SIDES,
  SIGNALS,
  SOUNDS,
} from './terms.ts';

export type * from './terms.ts';

/**
 * The plan: a prompt in terms that observations can be matched against. Rules make it from a prompt, or a client sends it;
 * every document contains it. Times are in seconds, quantities in SI units, places in fractions of the picture (origin top left).
 */

const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const oneOf = <const T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>(Type.Enum([...values], { description }));

const fraction = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const name = Type.String({ maxLength: 100, description: 'What it is called: `left`, `top right`, or any name.' });
const point = Type.Object(
  { x: fraction('Fraction of the width.'), y: fraction('Fraction of the height.') },
  { additionalProperties: false, description: 'A point in the picture.' },
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
      'A place in the picture, a rectangle or a polygon: of a thing, where its centre has to be; of what it does, what its centre `enters`, `leaves` or `crosses` instead of the whole picture.',
  },
);

export const lineSchema = Type.Object(
  { name, from: point, to: point },
  {
    additionalProperties: false,
    description: 'A line in the picture that the centre of a thing `crosses`; without one, the middle of the picture.',
  },
);

export const rangeSchema = Type.Object(
  {
    min: nullable(Type.Number({ minimum: 0 }), 'At least this; null for no lower limit.'),
    max: nullable(Type.Number({ minimum: 0 }), 'At most this; null for no upper limit.'),
  },
  { additionalProperties: false },
);

export const thingSchema = Type.Object(
  {
    text: Type.String({ maxLength: 500, description: 'The words of the prompt, or any name.' }),
    classes: Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 200,
      description: "The detector's classes that count as this thing, any of them; empty for any thing at all.",
    }),
    colors: Type.Array(Type.String({ maxLength: 50 }), {
      maxItems: 20,
      description: 'Names of colours, any of them; empty for any colour.',
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
    place: nullable(regionSchema, 'Where its centre has to be; null for anywhere.'),
    ridden: Type.Optional(Type.Boolean({ description: 'True: only while somebody rides it: a cyclist.' })),
  },
  { additionalProperties: false, description: 'A thing to look for.' },
);

const objectSchema = Type.Object(
  {
    kind: Type.Literal('object'),
    subject: thingSchema,
    action: oneOf(ACTIONS, 'What it does.'),
    idle: Type.Boolean({
      description:
        'True: the thing is there and does not do it ("a person who does not move"). Not the same as a negated step: nobody moves.',
    }),
    direction: nullable(oneOf(DIRECTIONS, 'Direction in the picture.'), 'Which way it moves; null for any.'),
    from: nullable(oneOf(SIDES, 'Side of the picture.'), 'The edge it comes in over; null for any.'),
    to: nullable(oneOf(SIDES, 'Side of the picture.'), 'The edge it goes out over; null for any.'),
    line: Type.Optional(lineSchema),
    region: Type.Optional(regionSchema),
    relation: nullable(
      Type.Object(
        {
          kind: oneOf(RELATIONS, 'How it stands to the other thing, in the picture.'),
          other: thingSchema,
          negated: Type.Boolean({ description: 'True: while that is not so.' }),
        },
        { additionalProperties: false },
      ),
      'Null when no other thing matters.',
    ),
  },
  { additionalProperties: false, description: 'A thing and what it does.' },
);

export const whatSchema = Type.Union(
  [
    objectSchema,
    Type.Object(
      { kind: Type.Literal('signal'), signal: oneOf(SIGNALS, 'What the picture does.') },
      { additionalProperties: false, description: 'Something about the whole picture.' },
    ),
    Type.Object(
      {
        kind: Type.Literal('motion'),
        place: nullable(regionSchema, 'Where; null for anywhere.'),
      },
      { additionalProperties: false, description: 'Anything that moves otherwise than the whole picture.' },
    ),
    Type.Object(
      {
        kind: Type.Literal('camera'),
        move: oneOf(CAMERA_MOVES, 'What the camera, or the vehicle that carries it, does.'),
        direction: nullable(oneOf(['left', 'right', 'up', 'down', 'in', 'out'], 'Which way.'), 'Null for any.'),
        hard: Type.Optional(
          Type.Boolean({ description: 'True: only when it does so hard: braking, or a sharp turn.' }),
        ),
      },
      { additionalProperties: false, description: 'Motion of the camera.' },
    ),
    Type.Object(
      { kind: Type.Literal('sound'), sound: oneOf(SOUNDS, 'What is heard.') },
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
      { kind: Type.Literal('notable') },
      { additionalProperties: false, description: 'Everything worth a mention: what an open prompt asks for.' },
    ),
    Type.Object(
      { kind: Type.Literal('unknown') },
      { additionalProperties: false, description: 'Nothing that an observer knows; finds nothing.' },
    ),
  ],
  { description: 'What to look for.' },
);

export const uncheckedSchema = Type.Object(
  {
    text: Type.String({ maxLength: 500, description: 'The words of the prompt.' }),
    reason: Type.String({ maxLength: 1000, description: 'Why nothing can check it.' }),
    blocks: Type.Boolean({
      description:
        'True: without it the rest would answer another question, so nothing is reported. False: the rest is looked for with less confidence.',
    }),
  },
  { additionalProperties: false, description: 'Part of the prompt that nothing here can check.' },
);

export const stepSchema = Type.Object(
  {
    text: Type.String({ maxLength: 2000, description: 'The words of the prompt.' }),
    what: whatSchema,
    negated: Type.Boolean({ description: 'True: look for when it is not so.' }),
    duration: nullable(rangeSchema, 'How long it has to last, in seconds; null for the default of what is looked for.'),
    join: nullable(
      oneOf(JOINS, '`then`: starts after the step before; `while`: at the same time as the step before.'),
      'How it is tied to the step before; null for the first step.',
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
    same: Type.Boolean({ description: 'True: by the same thing as the step before.' }),
    unchecked: Type.Array(uncheckedSchema, { maxItems: 200 }),
  },
  { additionalProperties: false, description: 'One happening.' },
);

export const searchSchema = Type.Object(
  {
    text: Type.String({ maxLength: 20_000, description: 'The words of the prompt.' }),
    steps: Type.Array(stepSchema, { minItems: 1, maxItems: 20, description: 'One happening, or several in sequence.' }),
    pick: nullable(oneOf(PICKS, 'Which of all that is found is told.'), 'Null for all of it.'),
  },
  { additionalProperties: false, description: 'One thing asked for. Searches are answered each on its own.' },
);

export const planSchema = Type.Object(
  {
    version: Type.Literal(1),
    query: Type.String({ maxLength: 200_000, description: 'The prompt.' }),
    question: nullable(oneOf(QUESTIONS, 'What kind of answer is asked for besides the events.'), 'Null for none.'),
    per: Type.Optional(
      Type.Number({ minimum: 1, description: 'For `count`: also how many in each stretch of this many seconds.' }),
    ),
    window: nullable(
      Type.Object(
        {
          from: Type.Number({ description: 'Seconds from the start; negative: from the end.' }),
          to: nullable(Type.Number(), 'Seconds from the start; negative: from the end; null: to the end.'),
        },
        { additionalProperties: false },
      ),
      'The part of the video to look at; null for all of it.',
    ),
    searches: Type.Array(searchSchema, { minItems: 1, maxItems: 200 }),
    corrected: Type.Array(
      Type.Object(
        { from: Type.String({ maxLength: 200 }), to: Type.String({ maxLength: 200 }) },
        { additionalProperties: false },
      ),
      { maxItems: 500, description: 'Words read as the nearest known one.' },
    ),
  },
  { additionalProperties: false, description: 'What a prompt asks for, in terms that can be looked for.' },
);

export type Plan = Static<typeof planSchema>;
export type Search = Static<typeof searchSchema>;
export type Step = Static<typeof stepSchema>;
export type What = Static<typeof whatSchema>;
export type Thing = Static<typeof thingSchema>;
export type Region = Static<typeof regionSchema>;
export type Line = Static<typeof lineSchema>;
export type Range = Static<typeof rangeSchema>;
export type Unchecked = Static<typeof uncheckedSchema>;
export type ObjectWhat = Extract<What, { kind: 'object' }>;
export type CameraWhat = Extract<What, { kind: 'camera' }>;
