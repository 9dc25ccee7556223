import { type Static, Type } from 'typebox';
import { CheckedElsewhere, Maybe, Nullable } from '#platform/http/index';

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
    examples: [{ query: 'a person walks past a parked car', video_id: '019a0b1c2d3e7f008000000000000003' }],
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
  { additionalProperties: true, description: 'A query that was accepted.' },
);
export type StartAnswer = Static<typeof StartAnswer>;

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
  { additionalProperties: true, description: 'How a batch stands.' },
);

export const BulkBody = Type.Object(
  {
    video_ids: Type.Array(Type.String(), {
      maxItems: 500,
      description:
        'Videos of the batch whose documents are wanted, at most 500; one that stands in it twice counts once.',
    }),
  },
  { additionalProperties: true, description: 'Which documents are wanted.' },
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
  { additionalProperties: true, description: 'Documents of a batch.' },
);
