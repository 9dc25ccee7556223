import { Type } from 'typebox';
import { Maybe, Nullable, resource } from '#platform/http/index';

const ID = '019a0b1c2d3e7f008000000000000051';
const TAXONOMY_ID = '019a0b1c2d3e7f008000000000000052';

export const TaxonomyParams = Type.Object({
  dataset_id: Type.String({ description: 'Identifier of the dataset.' }),
  run_id: Type.String({ description: 'Identifier of the taxonomy.' }),
});
// Existing clients send a decimal number.
export const TaxonomyStatusQuery = Type.Object({
  wait_s: Type.Optional(
    Type.Number({ minimum: 0, maximum: 25, description: 'Time to wait for the end, in seconds; default: 0.' }),
  ),
});

export const EventFieldResource = Type.Object({
  name: Type.String({ description: 'Name of the field.' }),
  type: Type.String({ description: '`enum`, `boolean`, `number`, `text` or `time_range`.' }),
  description: Nullable(Type.String({ description: 'What it states.' })),
  values: Nullable(Type.Array(Type.String(), { description: 'Values of an enum; null for others.' })),
  repeated: Type.Boolean({ description: 'True if an event may have several values.' }),
  required: Type.Boolean({ description: 'True if the query required a value.' }),
});
export const EVENT_FIELD_EXAMPLE = {
  name: 'lane_line',
  type: 'enum',
  description: null,
  values: ['solid', 'dashed'],
  repeated: false,
  required: true,
};

const Count = (description: string) => Type.Integer({ minimum: 0, description });
export const TAXONOMY_STATE = {
  status: Type.String({ description: '`processing`, `done` or `failed`.' }),
  error: Nullable(Type.String({ description: 'Why it failed, in a sentence; null if it did not.' })),
  analyses_done: Count('Analyses whose events are classified.'),
  analyses_total: Count('All analyses.'),
};

export const FilterSchema = resource(
  'DatasetFilterSchema',
  Type.Object(
    { fields: Type.Array(EventFieldResource, { description: 'Fields of every event, then those of the taxonomies.' }) },
    { description: 'Fields that a filter can name.', examples: [{ fields: [EVENT_FIELD_EXAMPLE] }] },
  ),
);

export const TaxonomyRequest = resource(
  'TaxonomyRequest',
  Type.Object(
    {
      label: Maybe(Type.String({ maxLength: 255, description: 'Name of the taxonomy.' })),
      fields: Type.Array(Type.Object({}, { additionalProperties: true }), {
        maxItems: 100,
        description: 'Fields as in `output_schema`, with the types `enum`, `boolean` and `number`.',
      }),
    },
    {
      additionalProperties: true,
      description: 'Fields by which the events of a dataset are classified.',
      examples: [{ label: 'Kind', fields: [{ name: 'kind', type: 'enum', values: ['car', 'truck'] }] }],
    },
  ),
);

export const StartedTaxonomy = resource(
  'StartedTaxonomy',
  Type.Object(
    {
      status: Type.String({ description: '`processing`.' }),
      dataset_id: Type.String({ description: 'Identifier of the dataset.' }),
      fast_taxonomy: Type.Object(
        { sub_batch_id: Type.String({ description: 'Identifier of the taxonomy.' }) },
        { description: 'The run.' },
      ),
    },
    {
      description: 'A taxonomy that is being filled.',
      examples: [{ status: 'processing', dataset_id: ID, fast_taxonomy: { sub_batch_id: TAXONOMY_ID } }],
    },
  ),
);

export const TaxonomyStatus = resource(
  'TaxonomyStatus',
  Type.Object(
    {
      ...TAXONOMY_STATE,
      completed_fields: Type.Array(Type.String(), { description: 'Fields that are filled for all events.' }),
      total_fields: Count('Number of fields.'),
    },
    {
      description: 'The state of a taxonomy.',
      examples: [
        {
          status: 'done',
          error: null,
          analyses_done: 40,
          analyses_total: 40,
          completed_fields: ['kind'],
          total_fields: 1,
        },
      ],
    },
  ),
);
