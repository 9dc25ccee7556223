import { Type } from 'typebox';
import { Maybe, Name, Nullable, resource, Timestamp } from '#platform/http/index';

const ID = '019a0b1c2d3e7f008000000000000051';
const TAXONOMY_ID = '019a0b1c2d3e7f008000000000000052';
const BATCH_ID = '019a0b1c2d3e7f008000000000000010';

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

const Ids = (maxItems: number, description: string) =>
  Maybe(Type.Array(Type.String({ maxLength: 255 }), { maxItems, description }));

export const StudioDatasetRequest = resource(
  'StudioDatasetRequest',
  Type.Object(
    {
      title: Name({ maxLength: 255, description: 'Name of the dataset.' }),
      batch_ids: Ids(200, 'Batches that you may read.'),
      folder_ids: Ids(100, 'Folders instead of batches: the dataset has the videos that are in them now.'),
      description: Maybe(Type.String({ maxLength: 10_000, description: 'What the dataset is for.' })),
      vertical: Maybe(Type.String({ maxLength: 100, description: 'Field of work; it does not affect the content.' })),
    },
    {
      additionalProperties: true,
      description: 'A dataset of batches or of folders.',
      examples: [{ title: 'Lane lines', batch_ids: [BATCH_ID] }],
    },
  ),
);

const Field = Type.Object({
  name: Type.String({ description: 'Name of the field.' }),
  type: Type.String({ description: '`enum`, `boolean`, `number`, `text` or `time_range`.' }),
  description: Nullable(Type.String({ description: 'What it states.' })),
  values: Nullable(Type.Array(Type.String(), { description: 'Values of an enum; null for others.' })),
  repeated: Type.Boolean({ description: 'True if an event may have several values.' }),
  required: Type.Boolean({ description: 'True if the query required a value.' }),
});
const FIELD = {
  name: 'lane_line',
  type: 'enum',
  description: null,
  values: ['solid', 'dashed'],
  repeated: false,
  required: true,
};

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const TAXONOMY_STATE = {
  status: Type.String({ description: '`processing`, `done` or `failed`.' }),
  error: Nullable(Type.String({ description: 'Why it failed, in a sentence; null if it did not.' })),
  analyses_done: Count('Analyses whose events are classified.'),
  analyses_total: Count('All analyses.'),
};

const Taxonomy = Type.Object({
  taxonomy_id: Nullable(Type.String({ description: 'Identifier; null if the fields come from queries.' })),
  source: Type.String({ description: '`batch`: requested by queries; `manual`: added later.' }),
  ...TAXONOMY_STATE,
  schema: Type.Object(
    {
      label: Type.String({ description: 'Name of the taxonomy.' }),
      fields: Type.Array(Field, { description: 'Its fields.' }),
    },
    { description: 'Fields of events.' },
  ),
});
const TAXONOMY = {
  taxonomy_id: null,
  source: 'batch',
  status: 'done',
  error: null,
  analyses_done: 40,
  analyses_total: 40,
  schema: { label: 'LaneLine', fields: [FIELD] },
};

const EXAMPLE = {
  id: ID,
  title: 'Lane lines',
  description: '',
  vertical: null,
  scope: 'user',
  status: 'ready',
  stats: { video_count: 40, event_count: 148 },
  output_schemas: [TAXONOMY],
  buckets: [{ sub_batch_id: BATCH_ID }],
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
};

export const StudioDatasetResource = resource(
  'StudioDataset',
  Type.Object(
    {
      id: Type.String({ description: 'Identifier of the dataset.' }),
      title: Type.String({ description: 'Name of the dataset.' }),
      description: Type.String({ description: 'What the dataset is for.' }),
      vertical: Nullable(Type.String({ description: 'Field of work.' })),
      scope: Type.String({ description: '`user`: personal; `org`: shared with the organization.' }),
      status: Type.String({ description: '`processing`, `ready` or `error`, as of `Dataset`.' }),
      stats: Type.Object(
        {
          video_count: Count('Number of videos.'),
          event_count: Count('Number of events of its batches, without those of its other videos.'),
        },
        { description: 'What the dataset has now.' },
      ),
      output_schemas: Type.Array(Taxonomy, { description: 'Fields by which its events are classified.' }),
      buckets: Type.Array(Type.Object({ sub_batch_id: Type.String({ description: 'Identifier of the batch.' }) }), {
        description: 'Batches of the dataset.',
      }),
      created_at: Timestamp({ description: 'Creation time, ISO 8601, UTC.' }),
      updated_at: Timestamp({ description: 'Time of the last change, ISO 8601, UTC.' }),
    },
    { description: 'A dataset and the fields of its events.', examples: [EXAMPLE] },
  ),
);

export const StudioDatasetList = resource(
  'StudioDatasetList',
  Type.Object(
    { datasets: Type.Array(StudioDatasetResource, { description: 'Your 100 newest datasets.' }) },
    { description: 'Datasets that you created.', examples: [{ datasets: [EXAMPLE] }] },
  ),
);

export const FilterSchema = resource(
  'DatasetFilterSchema',
  Type.Object(
    { fields: Type.Array(Field, { description: 'Fields of every event, then those of the taxonomies.' }) },
    { description: 'Fields that a filter can name.', examples: [{ fields: [FIELD] }] },
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
      source: Maybe(Type.String({ maxLength: 100, description: 'Sent by existing clients.' })),
      mode: Maybe(Type.String({ maxLength: 100, description: 'Sent by existing clients.' })),
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
