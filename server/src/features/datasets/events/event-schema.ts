import { Type } from 'typebox';
import { Maybe, Nullable, resource } from '#platform/http/index';

const BATCH_ID = '019a0b1c2d3e7f008000000000000010';
const ANALYSIS_ID = '019a0b1c2d3e7f008000000000000011';
const VIDEO_ID = '019a0b1c2d3e7f008000000000000003';

const Count = (description: string) => Type.Integer({ minimum: 0, description });

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

export const DatasetEventResource = Type.Object({
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
export const DATASET_EVENT_EXAMPLE = {
  event_id: `${ANALYSIS_ID}-0`,
  video_id: VIDEO_ID,
  video_name: 'junction.mp4',
  analysis_id: ANALYSIS_ID,
  batch_id: BATCH_ID,
  type: 'object',
  description: 'a car overtakes',
  severity: 'low',
  approval: 'pending',
  confidence: 0.91,
  start_time: 12.346,
  end_time: 15.015,
  values: { lane_line: 'dashed' },
  score: null,
  match_reason: null,
};

export const FilteredEvents = resource(
  'DatasetFilteredEvents',
  Type.Object(
    {
      events: Type.Array(DatasetEventResource, { description: 'Events, ordered by video and start.' }),
      total: Count('Number of all events that match.'),
      next_offset: Nullable(Type.Integer({ description: 'Offset of the next page; null on the last one.' })),
    },
    {
      description: 'Events that match a filter.',
      examples: [{ events: [DATASET_EVENT_EXAMPLE], total: 1, next_offset: null }],
    },
  ),
);

export const DatasetSearchRequest = resource(
  'DatasetSearchRequest',
  Type.Object(
    {
      query: Type.String({ minLength: 1, maxLength: 1_000, description: 'What is searched, in plain words.' }),
      top_k: Maybe(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Number of events; default: 50.' })),
      structured_where: Where(WHERE),
    },
    { additionalProperties: true, description: 'A search.', examples: [{ query: 'a car overtakes', top_k: 50 }] },
  ),
);

export const RankingField = Type.String({
  description:
    '`llm`: by the configured language model, which compares descriptions with the query; `words`: by the share of the words of the query, and of what it was read as, that an event contains.',
});
export const DegradedField = Type.Boolean({
  description: 'True if a configured language model could not rank: words did.',
});

export const DatasetSearchResult = resource(
  'DatasetSearchResult',
  Type.Object(
    {
      events: Type.Array(DatasetEventResource, { description: 'The best matches first.' }),
      total: Count('Number of all events that match.'),
      index_status: Type.String({ description: '`ready`: events can be found as soon as their analysis has ended.' }),
      ranking: RankingField,
      ranking_degraded: DegradedField,
    },
    {
      description: 'Events that match a query.',
      examples: [
        {
          events: [
            {
              ...DATASET_EVENT_EXAMPLE,
              score: 1,
              match_reason: 'Matching words in "a car overtakes": car, overtakes.',
            },
          ],
          total: 1,
          index_status: 'ready',
          ranking: 'words',
          ranking_degraded: false,
        },
      ],
    },
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
