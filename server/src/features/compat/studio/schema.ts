import { Type } from 'typebox';
import {
  DATASET_EVENT_EXAMPLE,
  DatasetEventResource,
  DegradedField,
  EVENT_FIELD_EXAMPLE,
  EventFieldResource,
  RankingField,
  TAXONOMY_STATE,
} from '#features/datasets/index';
import { Maybe, Name, Nullable, resource, Timestamp } from '#platform/http/index';

const ID = '019a0b1c2d3e7f008000000000000051';
const BATCH_ID = '019a0b1c2d3e7f008000000000000010';

const Count = (description: string) => Type.Integer({ minimum: 0, description });
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

const Taxonomy = Type.Object({
  taxonomy_id: Nullable(Type.String({ description: 'Identifier; null if the fields come from queries.' })),
  source: Type.String({ description: '`batch`: requested by queries; `manual`: added later.' }),
  ...TAXONOMY_STATE,
  schema: Type.Object(
    {
      label: Type.String({ description: 'Name of the taxonomy.' }),
      fields: Type.Array(EventFieldResource, { description: 'Its fields.' }),
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
  schema: { label: 'LaneLine', fields: [EVENT_FIELD_EXAMPLE] },
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

export const CriteriaRequest = resource(
  'DatasetCriteriaRequest',
  Type.Object(
    {
      query: Type.String({ minLength: 1, maxLength: 1_000, description: 'What is selected, in plain words.' }),
      min_match_pct: Maybe(
        Type.Number({ minimum: 0, maximum: 100, description: 'Smallest score of an event in percent; default: 0.' }),
      ),
    },
    { additionalProperties: true, description: 'A selection.', examples: [{ query: 'a car overtakes' }] },
  ),
);

export const ResolvedCriteria = resource(
  'DatasetResolvedCriteria',
  Type.Object(
    {
      events: Type.Array(DatasetEventResource, { description: 'All matches, the best first.' }),
      ranking: RankingField,
      ranking_degraded: DegradedField,
      truncated: Type.Boolean({ description: 'True if more events match than are listed.' }),
    },
    {
      description: 'Events that match a query.',
      examples: [{ events: [DATASET_EVENT_EXAMPLE], ranking: 'words', ranking_degraded: false, truncated: false }],
    },
  ),
);
