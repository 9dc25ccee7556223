import { Type } from 'typebox';
import { FIELD_TYPES } from './types.ts';

const nullable = (schema: ReturnType<typeof Type.String>) => Type.Union([schema, Type.Null()]);

/** The schema that clients send, for the description of the API; `checkOutputSchema` validates it. */
export const outputSchemaSchema = Type.Object(
  {
    label: Type.Optional(nullable(Type.String({ maxLength: 255, description: 'Default: `structured_output`.' }))),
    scope: Type.Optional(
      Type.Union([Type.Literal('event'), Type.Literal('video')], {
        description: 'One payload per event (default) or per video.',
      }),
    ),
    version: Type.Optional(Type.Integer({ description: 'Default: 1.' })),
    fields: Type.Array(
      Type.Object({
        name: Type.String({ maxLength: 48, description: 'Unique: `^[a-z][a-z0-9_]*$`; upper case is lowered.' }),
        type: Type.Optional(
          Type.Unsafe<string>(Type.Enum([...FIELD_TYPES], { description: 'Type of the value; default `text`.' })),
        ),
        description: Type.Optional(nullable(Type.String({ maxLength: 1000, description: 'What the field states.' }))),
        values: Type.Optional(
          Type.Union([
            Type.Array(Type.String(), { description: 'Of an `enum`: 2 to 64 distinct texts.' }),
            Type.Null(),
          ]),
        ),
        repeated: Type.Optional(
          Type.Boolean({ description: 'True: the value is a list. Default: true for `time_range`, else false.' }),
        ),
        required: Type.Optional(Type.Boolean({ description: 'Default: true.' })),
      }),
      { minItems: 1, maxItems: 12, description: 'The fields.' },
    ),
  },
  {
    description: 'Fields to fill for each event or video.',
    examples: [{ scope: 'event', fields: [{ name: 'kind', type: 'enum', values: ['person', 'vehicle'] }] }],
  },
);
