import { type Static, type TSchema, Type } from 'typebox';
import { ACTIONS, DIRECTIONS, GARMENT_PARTS, RELATIONS, SIDES } from './terms.ts';

export const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const oneOf = <const T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>(Type.Enum([...values], { description }));

const fraction = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const name = Type.String({ maxLength: 100, description: 'Name: `left`, `top right`, or any other.' });
const point = Type.Object(
  { x: fraction('Fraction of the width.'), y: fraction('Fraction of the height.') },
  { additionalProperties: false, description: 'A point in the frame.' },
);

const zone = Type.Optional(
  Type.Boolean({
    description:
      'True: a zone that was drawn for the video, in which an object is where it stands: by the middle of the lower edge of its box instead of its center.',
  }),
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
      {
        name,
        points: Type.Array(point, { minItems: 3, maxItems: 64, description: 'Corners, in order around it.' }),
        zone,
      },
      { additionalProperties: false },
    ),
  ],
  {
    description:
      'A place in the frame, a rectangle or a polygon. As the place of an object: where its center has to be. As the region of an action: what its center `enters`, `leaves` or `crosses` instead of the whole frame.',
  },
);

export const lineSchema = Type.Object(
  {
    name,
    from: point,
    to: point,
    zone,
    way: Type.Optional(
      oneOf(
        ['in', 'out'],
        '`in`: only crossings to the right of the line, as seen from `from` to `to`; `out`: to its left.',
      ),
    ),
  },
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

export const valueRangeSchema = Type.Object(
  {
    min: nullable(Type.Number(), 'At least this; null for no lower limit.'),
    max: nullable(Type.Number(), 'At most this; null for no upper limit.'),
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
    worn: Type.Optional(
      oneOf(
        GARMENT_PARTS,
        'Of a person: where the colors are worn, on the torso (`upper`) or on the legs (`lower`). Missing: on either.',
      ),
    ),
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
    except: Type.Optional(
      Type.Object(
        {
          classes: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 200, description: 'Empty for any.' }),
          colors: Type.Array(Type.String({ maxLength: 50 }), { maxItems: 20, description: 'Empty for any.' }),
        },
        { additionalProperties: false, description: 'Objects of these classes and colors do not match.' },
      ),
    ),
    ridden: Type.Optional(Type.Boolean({ description: 'True: only while somebody rides it: a cyclist.' })),
    definite: Type.Optional(
      Type.Boolean({
        description:
          'True: the prompt presumes that it is there ("the car"): where it is never found, what it does is not known.',
      }),
    ),
    afoot: Type.Optional(
      Type.Boolean({
        description: 'True: of people, only those who do not ride a bicycle or motorcycle: pedestrians.',
      }),
    ),
  },
  { additionalProperties: false, description: 'An object to look for.' },
);

export const objectSchema = Type.Object(
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

export type Region = Static<typeof regionSchema>;
export type Line = Static<typeof lineSchema>;
export type Range = Static<typeof rangeSchema>;
export type ObjectQuery = Static<typeof objectQuerySchema>;
export type ObjectTarget = Static<typeof objectSchema>;
