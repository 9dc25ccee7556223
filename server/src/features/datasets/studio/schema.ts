import { Type } from 'typebox';
import { Maybe, Name, Nullable, resource, Timestamp } from '#platform/http/index';

const ID = '019a0b1c2d3e7f008000000000000051';
const TAXONOMY_ID = '019a0b1c2d3e7f008000000000000052';
const BATCH_ID = '019a0b1c2d3e7f008000000000000010';
const ANALYSIS_ID = '019a0b1c2d3e7f008000000000000011';
const VIDEO_ID = '019a0b1c2d3e7f008000000000000003';

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
  ...{ name: 'lane_line', type: 'enum', description: null },
  ...{ values: ['solid', 'dashed'], repeated: false, required: true },
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
  ...{ taxonomy_id: null, source: 'batch', status: 'done', error: null, analyses_done: 40, analyses_total: 40 },
  schema: { label: 'LaneLine', fields: [FIELD] },
};

const EXAMPLE = {
  ...{ id: ID, title: 'Lane lines', description: '', vertical: null, scope: 'user', status: 'ready' },
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

const Where = (description: string) => Maybe(Type.Object({}, { additionalProperties: true, description }));
const WHERE =
  'Conditions that must all hold: `{"field": value}`, `{"field": [any of these]}` or, for numbers, `{"field": "< 5"}`; `{"and": [...]}` and `{"or": [...]}` combine them.';

export const FilterRequest = resource(
  'DatasetFilterRequest',
  Type.Object(
    {
      where: Type.Object({}, { additionalProperties: true, description: WHERE }),
      offset: Maybe(Type.Integer({ minimum: 0, maximum: 10_000_000, description: 'Events to skip; default: 0.' })),
      limit: Maybe(Type.Integer({ minimum: 1, maximum: 500, description: 'Length of the page; default: 100.' })),
    },
    {
      additionalProperties: true,
      description: 'A filter and a page.',
      examples: [{ where: { lane_line: ['solid', 'dashed'], confidence: '>= 0.8' }, offset: 0, limit: 100 }],
    },
  ),
);

const Event = Type.Object({
  event_id: Type.String({ description: 'Identifier of the event.' }),
  video_id: Type.String({ description: 'Identifier of the video.' }),
  video_name: Type.String({ description: 'Name of the video.' }),
  analysis_id: Type.String({ description: 'Identifier of the analysis.' }),
  batch_id: Nullable(Type.String({ description: 'Identifier of the batch.' })),
  type: Type.String({ description: 'Kind of event.' }),
  description: Type.String({ description: 'What was found.' }),
  severity: Type.String({ description: 'Severity.' }),
  approval: Type.String({ description: 'Review state.' }),
  confidence: Type.Number({ description: 'Confidence from 0 to 1.' }),
  start_time: Type.Number({ description: 'Start in seconds.' }),
  end_time: Type.Number({ description: 'End in seconds.' }),
  values: Type.Object({}, { additionalProperties: true, description: 'Values by the name of their field.' }),
  score: Nullable(Type.Number({ description: 'Share of the query that matches; null without a query.' })),
  match_reason: Nullable(Type.String({ description: 'Why it matches; null without a query.' })),
});
const EVENT = {
  ...{ event_id: `${ANALYSIS_ID}-0`, video_id: VIDEO_ID, video_name: 'junction.mp4', analysis_id: ANALYSIS_ID },
  ...{ batch_id: BATCH_ID, type: 'object', description: 'a car overtakes', severity: 'low', approval: 'pending' },
  ...{ confidence: 0.91, start_time: 12.346, end_time: 15.015, values: { lane_line: 'dashed' } },
  ...{ score: null, match_reason: null },
};

export const FilteredEvents = resource(
  'DatasetFilteredEvents',
  Type.Object(
    {
      events: Type.Array(Event, { description: 'Events, ordered by video and start.' }),
      total: Count('Number of all events that match.'),
      next_offset: Nullable(Type.Integer({ description: 'Offset of the next page; null on the last one.' })),
    },
    { description: 'Events that match a filter.', examples: [{ events: [EVENT], total: 1, next_offset: null }] },
  ),
);

export const DatasetSearchRequest = resource(
  'DatasetSearchRequest',
  Type.Object(
    {
      query: Type.String({ minLength: 1, maxLength: 1_000, description: 'What is searched, in plain words.' }),
      top_k: Maybe(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Number of events; default: 50.' })),
      structured_where: Where(WHERE),
      deep: Maybe(Type.Boolean({ description: 'Sent by existing clients; `ranking` states how events are ranked.' })),
    },
    { additionalProperties: true, description: 'A search.', examples: [{ query: 'a car overtakes', top_k: 50 }] },
  ),
);

const RANKING = Type.String({
  description: '`words`: by the share of the words of the query, and of what it was read as, that an event contains.',
});

export const DatasetSearchResult = resource(
  'DatasetSearchResult',
  Type.Object(
    {
      events: Type.Array(Event, { description: 'The best matches first.' }),
      total: Count('Number of all events that match.'),
      index_status: Type.String({ description: '`ready`: events can be found as soon as their analysis has ended.' }),
      ranking: RANKING,
    },
    {
      description: 'Events that match a query.',
      examples: [
        {
          events: [{ ...EVENT, score: 1, match_reason: 'Matching words in "a car overtakes": car, overtakes.' }],
          ...{ total: 1, index_status: 'ready', ranking: 'words' },
        },
      ],
    },
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
      events: Type.Array(Event, { description: 'All matches, the best first.' }),
      ranking: RANKING,
      truncated: Type.Boolean({ description: 'True if more events match than are listed.' }),
    },
    { description: 'Events that match a query.', examples: [{ events: [EVENT], ranking: 'words', truncated: false }] },
  ),
);

export const FacetRowsResource = resource(
  'DatasetFacetRows',
  Type.Object(
    {
      available: Type.Boolean({ description: 'True if the events have fields with fixed values.' }),
      fields: Type.Array(
        Type.Object({
          name: Type.String({ description: 'Name of the field.' }),
          values: Type.Array(Type.String(), { description: 'Its values.' }),
        }),
        { description: 'Fields with the types `enum` and `boolean`.' },
      ),
      rows: Type.Array(
        Type.Array(Type.Union([Type.Integer(), Type.Array(Type.Integer())]), {
          description:
            'One cell per field: the index of the value, a list of them for a repeated field, -1 without one.',
        }),
        { description: 'One row per event, at most 100,000.' },
      ),
      event_refs: Type.Array(
        Type.Object({
          event_id: Type.String({ description: 'Identifier of the event.' }),
          video_id: Type.String({ description: 'Identifier of the video.' }),
          batch_id: Nullable(Type.String({ description: 'Identifier of the batch.' })),
        }),
        { description: 'The events of the rows.' },
      ),
      truncated: Type.Boolean({ description: 'True if the dataset has more events.' }),
    },
    {
      description: 'Values of all events, for tables and counts.',
      examples: [
        {
          available: true,
          fields: [{ name: 'lane_line', values: ['solid', 'dashed'] }],
          rows: [[1]],
          event_refs: [{ event_id: `${ANALYSIS_ID}-0`, video_id: VIDEO_ID, batch_id: BATCH_ID }],
          truncated: false,
        },
      ],
    },
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
          ...{ status: 'done', error: null, analyses_done: 40, analyses_total: 40 },
          ...{ completed_fields: ['kind'], total_fields: 1 },
        },
      ],
    },
  ),
);
