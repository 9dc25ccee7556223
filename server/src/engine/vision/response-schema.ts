import { type Static, Type } from 'typebox';

/** Answer of the model in the first pass: claims about numbered frames. */
export const claimsSchema = Type.Object({
  events: Type.Array(
    Type.Object({
      question: Type.Integer({ minimum: 1 }),
      first_frame: Type.Integer({ minimum: 1 }),
      last_frame: Type.Integer({ minimum: 1 }),
      label: Type.String({ minLength: 1, maxLength: 200 }),
      confidence: Type.Number({ minimum: 0, maximum: 1 }),
    }),
    { maxItems: 50 },
  ),
});
export type Claims = Static<typeof claimsSchema>;

/** Answer in the second pass: whether one claim is true. */
export const verdictSchema = Type.Object({
  shown: Type.Boolean(),
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  why: Type.String({ maxLength: 1000 }),
});
