import { type Static, Type } from 'typebox';
import { CheckedElsewhere, Maybe, Nullable } from '#platform/http/index';

/** Ids of the examples. */
const VIDEO_ID = '019a0b1c2d3e7f008000000000000003';
const ANALYSIS_ID = '019a0b1c2d3e7f008000000000000011';
const BATCH_ID = '019a0b1c2d3e7f008000000000000010';
const STREAM_ID = '019a0b1c2d3e7f008000000000000012';

export const QueryBody = Type.Object(
  {
    query: Type.String({ description: 'What to look for, in plain words; at most 10,000 characters.' }),
    video_id: Maybe(Type.String({ description: 'The video to ask. Either this or `video_ids`.' })),
    video_ids: Maybe(
      Type.Array(Type.String(), {
        description: 'The videos to ask, at most 1,000; a video that stands in it twice is analysed twice.',
      }),
    ),
    plan: Maybe(
      CheckedElsewhere(
        'Plan',
        'A plan, as it stands in an analysis document under `analysis.plan`, to be followed instead of reading the query: the same plan gives the same answer.',
      ),
    ),
  },
  {
    additionalProperties: true,
    description: 'A question about one or more videos.',
    examples: [{ query: 'a person walks past a parked car', video_id: VIDEO_ID }],
  },
);
export type QueryBody = Static<typeof QueryBody>;

export const StartAnswer = Type.Object(
  {
    stream_id: Type.String({ description: 'Where its events are: `/api/router/v2/query/events/{stream_id}`.' }),
    batch_id: Type.String({ description: 'The batch of analyses that was made, one per video.' }),
    status: Type.String({ description: '`processing`.' }),
    total: Type.Integer({ description: 'How many analyses the batch has.' }),
  },
  {
    additionalProperties: true,
    description: 'A query that was accepted.',
    examples: [{ stream_id: STREAM_ID, batch_id: BATCH_ID, status: 'processing', total: 1 }],
  },
);
export type StartAnswer = Static<typeof StartAnswer>;

/** The events of a query as they come. */
export const EventStream = Type.String({
  description:
    'Server-sent events: `id` grows by one, `event` is the kind (`batch_created`, `progress`, `finding`, `video_completed`, `done`, `error`), `data` one JSON object that repeats the kind in `event`. Ends after `done` or `error`.',
  examples: [
    `id: 1\nevent: batch_created\ndata: {"event":"batch_created","batch_id":"${BATCH_ID}","total":1}\n\nid: 2\nevent: done\ndata: {"event":"done","batch_id":"${BATCH_ID}","status":"completed"}\n\n`,
  ],
});

export const StreamParams = Type.Object({ stream_id: Type.String({ description: 'Identifier of the stream.' }) });

export const StreamQuery = Type.Object({
  last_id: Maybe(
    Type.String({
      description: 'Id of the last event that was received; 0 for all. A `Last-Event-ID` header counts as well.',
    }),
  ),
});

export const BatchParams = Type.Object({ batch_id: Type.String({ description: 'Identifier of the batch.' }) });

export const BatchQuery = Type.Object({
  include_videos: Maybe(Type.Boolean({ description: 'Whether `videos` is filled; true unless said otherwise.' })),
});

export const BatchAnswer = Type.Object(
  {
    batch_id: Type.String({ description: 'Identifier of the batch.' }),
    status: Type.String({
      description: '`processing`; then `completed` when any analysis succeeded, else `failed`; or `cancelled`.',
    }),
    aggregated_progress: Type.Object({
      total: Type.Integer({ description: 'Analyses in the batch.' }),
      completed: Type.Integer({
        description: 'Those that have ended, failed ones included; their documents can be read.',
      }),
      failed: Type.Integer({ description: 'Those that have failed.' }),
    }),
    videos: Type.Array(
      Type.Object(
        {
          video_id: Type.String({ description: 'Identifier of the video.' }),
          analysis_id: Type.String({ description: 'Identifier of its analysis.' }),
          status: Type.String({ description: '`processing`, `completed` or `failed`.' }),
          progress: Type.Number({ description: 'Percent done, 0 to 100.' }),
          stage: Nullable(Type.String({ description: 'What is being done; null once it has ended.' })),
          last_error: Nullable(Type.String({ description: 'Why it failed, in a sentence.' })),
        },
        { additionalProperties: true },
      ),
      { description: 'The videos in the order they were asked for.' },
    ),
    config: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'What was asked: `prompt`, `mode`, `analysis_kind` and what older clients read.',
      },
    ),
    query: Type.String({ description: 'The prompt.' }),
    mode: Type.String({ description: '`thinking` or `fast`.' }),
    stream_id: Type.String({ description: 'The stream of its events.' }),
    metadata: Type.Object({}, { additionalProperties: true, description: 'What was noted on the batch.' }),
    review_status: Nullable(Type.String({ description: 'Null: not reviewed.' })),
    review_status_updated_at: Nullable(Type.String({ description: 'When it was reviewed, ISO 8601, UTC.' })),
    created_at: Type.String({ format: 'date-time', description: 'When it was asked for, ISO 8601, UTC.' }),
    completed_at: Nullable(
      Type.String({ format: 'date-time', description: 'When the last analysis ended, ISO 8601, UTC.' }),
    ),
  },
  {
    additionalProperties: true,
    description: 'How a batch stands.',
    examples: [
      {
        batch_id: BATCH_ID,
        status: 'processing',
        aggregated_progress: { total: 1, completed: 0, failed: 0 },
        videos: [
          {
            video_id: VIDEO_ID,
            analysis_id: ANALYSIS_ID,
            status: 'processing',
            progress: 42.5,
            stage: 'observing',
            last_error: null,
          },
        ],
        config: { prompt: 'a person walks past a parked car', mode: 'thinking' },
        query: 'a person walks past a parked car',
        mode: 'thinking',
        stream_id: STREAM_ID,
        metadata: {},
        review_status: null,
        review_status_updated_at: null,
        created_at: '2026-11-21T09:30:00.000Z',
        completed_at: null,
      },
    ],
  },
);

export const BulkBody = Type.Object(
  {
    video_ids: Type.Array(Type.String(), {
      maxItems: 500,
      description:
        'Videos of the batch whose documents are wanted, at most 500; one that stands in it twice counts once.',
    }),
  },
  {
    additionalProperties: true,
    description: 'Which documents are wanted.',
    examples: [{ video_ids: [VIDEO_ID] }],
  },
);

export const BulkQuery = Type.Object({
  include_source_uri: Maybe(
    Type.Boolean({ description: 'Whether each document says where its video came from, as `import_source_uri`.' }),
  ),
});

export const BulkAnswer = Type.Object(
  {
    analyses: Type.Array(
      Type.Object(
        {},
        { additionalProperties: true, description: 'An analysis document, as its own endpoint gives it.' },
      ),
      { description: "The documents in the batch's order." },
    ),
    unresolved_video_ids: Type.Array(Type.String(), { description: 'Videos that are not in this batch.' }),
    not_found_analysis_ids: Type.Array(Type.String(), {
      description: 'Analyses without a document: still running, or their video was deleted.',
    }),
  },
  {
    additionalProperties: true,
    description: 'Documents of a batch.',
    examples: [
      {
        analyses: [
          {
            video_id: VIDEO_ID,
            analysis_id: ANALYSIS_ID,
            analysis: { status: 'COMPLETED', answer: 'A person walks past a parked car at 00:12.', events: [] },
            metadata: { filename: 'junction.mp4', duration_s: 60.06 },
            events: [],
          },
        ],
        unresolved_video_ids: [],
        not_found_analysis_ids: [],
      },
    ],
  },
);

export const NotesBody = Type.Object(
  {
    metadata: Type.String({
      description:
        'JSON text of a flat object: names, each with a text or a whole number; at most 100 names in all. Those that are there are replaced.',
    }),
  },
  {
    additionalProperties: true,
    description: 'What to note on the batch.',
    examples: [{ metadata: '{"experiment": "night-drives", "round": 2}' }],
  },
);

export const NotesAnswer = Type.Object(
  {
    success: Type.Boolean({ description: 'True.' }),
    batch_id: Type.String({ description: 'Identifier of the batch.' }),
    metadata: Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()]), {
      description: 'Everything that is noted on it now.',
    }),
  },
  {
    additionalProperties: true,
    description: 'What is noted on a batch.',
    examples: [{ success: true, batch_id: BATCH_ID, metadata: { experiment: 'night-drives', round: 2 } }],
  },
);

const APPROVALS = ['approved', 'rejected', 'pending', 'invalid'] as const;

export const FilterBody = Type.Object(
  {
    filter: Maybe(
      Type.Array(Type.Union(APPROVALS.map((approval) => Type.Literal(approval))), {
        description: 'States of approval whose events are wanted; null for all.',
      }),
    ),
  },
  {
    additionalProperties: true,
    description: 'Which events are wanted.',
    examples: [{ filter: ['pending'] }],
  },
);

export const ResultsAnswer = Type.Object(
  {
    batch_metadata: Type.Object(
      {
        batch_id: Type.String({ description: 'Identifier of the batch.' }),
        status: Type.String({ description: 'How the batch stands.' }),
        prompt: Type.String({ description: 'What was asked.' }),
        created_at: Type.String({ format: 'date-time', description: 'When, ISO 8601, UTC.' }),
      },
      { additionalProperties: true, description: 'The batch, with what was noted on it under `metadata`.' },
    ),
    results: Type.Array(
      Type.Object(
        {
          video_id: Type.String({ description: 'Identifier of the video.' }),
          analysis_id: Type.String({ description: 'Identifier of its analysis.' }),
          status: Type.String({ description: '`processing`, `completed` or `failed`.' }),
          analysis: Type.Object(
            {
              status: Type.String({ description: 'The same, in capitals.' }),
              events: Type.Array(Type.Object({}, { additionalProperties: true }), {
                description: 'Events in their stored form, without their evidence.',
              }),
            },
            { additionalProperties: true, description: 'What became of it.' },
          ),
        },
        { additionalProperties: true },
      ),
      { description: 'One for each analysis.' },
    ),
  },
  {
    additionalProperties: true,
    description: 'The results of a batch.',
    examples: [
      {
        batch_metadata: {
          batch_id: BATCH_ID,
          status: 'completed',
          prompt: 'a person walks past a parked car',
          created_at: '2026-11-21T09:30:00.000Z',
        },
        results: [
          {
            video_id: VIDEO_ID,
            analysis_id: ANALYSIS_ID,
            status: 'completed',
            analysis: { status: 'COMPLETED', answer: 'A person walks past a parked car at 00:12.', events: [] },
          },
        ],
      },
    ],
  },
);
