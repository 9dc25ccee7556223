/**
 * Schemas that endpoints should follow. They are small on purpose: lengths, patterns, ranges and references fail on
 * common servers. What a model returns is read tolerantly by `reply-reader.ts`.
 */
export type WireSchema = { name: string; schema: Record<string, unknown> };

const object = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const list = (items: unknown) => ({ type: 'array', items });
const integer = { type: 'integer' };
const text = { type: 'string' };

/** `seen` comes first: facts that the model has written down support the events after them. */
export const CLAIMS: WireSchema = {
  name: 'claims',
  schema: object({
    seen: list(object({ frame: integer, fact: text })),
    events: list(
      object({
        question: integer,
        first_frame: integer,
        last_frame: integer,
        label: text,
        confidence: { type: 'number' },
      }),
    ),
  }),
};

export const MOMENTS: WireSchema = {
  name: 'moments',
  schema: object({ moments: list(object({ question: integer, cell: integer })) }),
};

export const CHOICE: WireSchema = {
  name: 'choice',
  schema: object({ choice: { type: 'string', enum: ['A', 'B', 'C', 'D'] } }),
};

export const PER_FRAME: WireSchema = { name: 'per_frame', schema: object({ so: list({ type: 'boolean' }) }) };

export const SENTENCES: WireSchema = {
  name: 'answer',
  schema: object({ sentences: list(object({ text, cites: list(integer) })), unknown: list(text) }),
};

export const RANGES: WireSchema = {
  name: 'captions',
  schema: object({ captions: list(object({ range: integer, text })) }),
};

/** Values as text: unions of types fail on common servers. */
export const FIELDS: WireSchema = {
  name: 'fields',
  schema: object({ fields: list(object({ field: integer, value: text })) }),
};
