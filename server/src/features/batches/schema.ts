import { Type } from 'typebox';
import { LibrarySelection } from '#features/videos/index';
import { type Domain, Maybe, Nullable, resource, ServiceValidated, Timestamp } from '#platform/http/index';

const VIDEO_ID = '019a0b1c2d3e7f008000000000000003';
const ANALYSIS_ID = '019a0b1c2d3e7f008000000000000011';
const BATCH_ID = '019a0b1c2d3e7f008000000000000010';
const STREAM_ID = '019a0b1c2d3e7f008000000000000012';
const LIBRARY_COUNT_EXAMPLE = {
  considered: 10_000,
  chosen: 312,
  outside: 9_685,
  no_clock: 3,
  no_clock_videos: [{ video_id: VIDEO_ID, name: 'gate.mp4' }],
  left_out: 0,
  left_out_from: null,
  left_out_until: null,
};

export const QueryBody = resource(
  'Query',
  Type.Object(
    {
      query: Type.String({ description: 'The prompt: what to find, in plain words. At most 10,000 characters.' }),
      video_id: Maybe(Type.String({ description: 'The video to query. Send one of this, `video_ids` and `library`.' })),
      video_ids: Maybe(
        Type.Array(Type.String(), {
          description: 'The videos to query, at most 1,000. A video that is listed twice is analyzed twice.',
        }),
      ),
      library: Type.Optional(
        Type.Union([LibrarySelection, Type.Null()], {
          description:
            'Query the videos that match these filters and that were recorded when the prompt says, at most 1,000: of more, the newest recordings, or the oldest if the prompt asks for the first event. `selection` of the response counts the others by the reason.',
        }),
      ),
      min_confidence: Maybe(
        Type.Number({
          minimum: 0,
          maximum: 1,
          description:
            'Least confidence of an event, 0 to 1. What is found with less is listed under `candidates` in the document, and is in no count, answer, search or stream. Default: 0.5.',
        }),
      ),
      verify: Maybe(
        Type.Union([Type.Literal('auto'), Type.Literal('always'), Type.Literal('never')], {
          description:
            'Which events a configured vision-language model verifies: those in doubt (`auto`, the default), up to 20 of all (`always`), or none. It changes their confidence and costs tokens.',
        }),
      ),
      vision_profile: Maybe(
        Type.String({
          maxLength: 64,
          description:
            'Profile of the vision-language model (`vision_profiles` of `GET /api/system`). Default: that of the folder of the video, else that of the service.',
        }),
      ),
      detector: Maybe(
        Type.String({
          maxLength: 64,
          description:
            'Detector of objects, one of `detectors` of `GET /api/system`. Videos are observed by it where the prompt needs objects. If its weights are missing, `coverage` reports it. Default: that of the service, which also sees larger copies of frames where the requested objects are small (`yolox_nano_640`).',
        }),
      ),
      time_zone: Maybe(
        Type.String({
          maxLength: 64,
          description:
            'Time zone of days and times of day in the prompt, such as "yesterday after 10 pm": an IANA name, or an offset such as `+01:00`. Default: that of each video, or UTC if it is unknown.',
        }),
      ),
      preliminary: Maybe(
        Type.Boolean({
          description:
            'True: the stream also has what is found while a video is still being processed, as events of the kinds `preliminary`, `preliminary_confirmed`, `preliminary_withdrawn` and `preliminary_coverage`. Each preliminary event is confirmed or withdrawn when its analysis ends. Default: false.',
        }),
      ),
      plan: Maybe(
        ServiceValidated(
          'Plan',
          'A plan to follow instead of the prompt, as in `analysis.plan` of an analysis document. Equal plans give equal results.',
        ),
      ),
      output_schema: Maybe(
        ServiceValidated(
          'OutputSchema',
          'Fields to fill for each event or each video. Measurements fill what they can; a field without a value has a reason in `structured_output_errors`.',
        ),
      ),
    },
    {
      additionalProperties: true,
      description: 'A prompt on one or more videos, or on those of a library that were recorded when the prompt says.',
      examples: [{ query: 'a person walks past a parked car', video_id: VIDEO_ID }],
    },
  ),
);
export type QueryRequest = Domain<typeof QueryBody>;

export const SchemaQuery = resource(
  'SchemaQuery',
  Type.Object(
    { query: Type.String({ description: 'The prompt. At most 10,000 characters.' }) },
    {
      additionalProperties: true,
      description: 'A prompt that states the form of its answer.',
      examples: [{ query: 'Is there a person? VERDICT: yes/no/uncertain' }],
    },
  ),
);

export const InferredSchema = resource(
  'InferredSchema',
  Type.Object(
    {
      output_schema: Nullable(
        Type.Object({}, { additionalProperties: true, description: 'The schema, to send with a query.' }),
      ),
      reason: Nullable(Type.String({ description: 'Why there is no schema.' })),
    },
    {
      description: 'The fields that a prompt requests.',
      examples: [
        {
          output_schema: {
            label: 'structured_output',
            scope: 'event',
            version: 1,
            fields: [
              {
                name: 'verdict',
                type: 'enum',
                description: null,
                values: ['yes', 'no', 'uncertain'],
                repeated: false,
                required: true,
              },
            ],
          },
          reason: null,
        },
      ],
    },
  ),
);

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const LibraryCount = resource(
  'LibraryCount',
  Type.Object(
    {
      considered: Count('Videos that match all filters but those of the time of recording.'),
      chosen: Count('Videos that are searched.'),
      outside: Count('Videos that were recorded at another time than the filters and the prompt say.'),
      no_clock: Count('Videos that are not searched because it is not known when they were recorded.'),
      no_clock_videos: Type.Array(
        Type.Object(
          {
            video_id: Type.String({ description: 'Identifier of the video.' }),
            name: Type.String({ description: 'Name of the video.' }),
          },
          { description: 'A video without a clock.' },
        ),
        { description: 'The first ten of them.' },
      ),
      left_out: Count(
        'Further videos of the requested time: a query covers at most 1,000. `recorded_before` continues.',
      ),
      left_out_from: Nullable(
        Type.String({ description: 'Start of the earliest recording among these, ISO 8601, UTC.' }),
      ),
      left_out_until: Nullable(Type.String({ description: 'Start of the latest recording among these.' })),
    },
    {
      description: 'How videos of the library were chosen for a query.',
      examples: [LIBRARY_COUNT_EXAMPLE],
    },
  ),
);
export type LibraryCount = Domain<typeof LibraryCount>;

export const StartedQuery = resource(
  'StartedQuery',
  Type.Object(
    {
      stream_id: Type.String({ description: 'Stream of its events: `/api/router/v2/query/events/{stream_id}`.' }),
      batch_id: Type.String({ description: 'Batch with one analysis per video.' }),
      status: Type.String({ description: '`processing`; `completed` if no video of the library was chosen.' }),
      total: Type.Integer({ description: 'Number of analyses in the batch.' }),
      selection: Type.Optional(LibraryCount),
    },
    {
      additionalProperties: true,
      description: 'A query that was accepted.',
      examples: [{ stream_id: STREAM_ID, batch_id: BATCH_ID, status: 'processing', total: 1 }],
    },
  ),
);
export type StartedBatch = Domain<typeof StartedQuery>;

export const EventStream = Type.String({
  description:
    'Server-sent events: `id` increases by one; `event` is the kind (`batch_created`, `progress`, `finding`, `video_completed`, `done`, `error`); `data` is a JSON object that repeats the kind in `event`. Queries with `preliminary` have four more kinds: `preliminary`, an event in the part of a video that was seen so far, in `preliminary` with its `preliminary_id`, sent again with the same id when it changes, and `ongoing` if it may continue; `preliminary_coverage`, the seen part as `until_s` of `duration_s`; `preliminary_withdrawn`, a `preliminary_id` that is not found any more; `preliminary_confirmed`, the `event_id` that a `preliminary_id` has in the document. `batch_created` has the `interpretation` of the prompt; `done` has `analysis_ids` and `answer`: that of the video, if the query has one, or which event of all videos is the first or last, if the prompt asks for it. Ends after `done` or `error`.',
  examples: [
    `id: 1\nevent: batch_created\ndata: {"event":"batch_created","batch_id":"${BATCH_ID}","total":1,"interpretation":"Understood as: picture gets dark."}\n\nid: 2\nevent: done\ndata: {"event":"done","batch_id":"${BATCH_ID}","status":"completed"}\n\n`,
  ],
});

export const StreamParams = Type.Object({ stream_id: Type.String({ description: 'Identifier of the stream.' }) });

export const StreamQuery = Type.Object({
  last_id: Maybe(
    Type.String({
      description: 'Id of the last received event; 0 for all events. The header `Last-Event-ID` has the same effect.',
    }),
  ),
});

export const BatchParams = Type.Object({ batch_id: Type.String({ description: 'Identifier of the batch.' }) });

export const BatchQuery = Type.Object({
  include_videos: Maybe(Type.Boolean({ description: 'True: include `videos`. Default: true.' })),
});

export const BatchResource = resource(
  'Batch',
  Type.Object(
    {
      batch_id: Type.String({ description: 'Identifier of the batch.' }),
      status: Type.String({
        description: '`processing`; then `completed` if any analysis succeeded, else `failed`; or `cancelled`.',
      }),
      aggregated_progress: Type.Object({
        total: Type.Integer({ description: 'Number of analyses.' }),
        completed: Type.Integer({
          description: 'Number of ended analyses, failed ones included. Their documents are readable.',
        }),
        failed: Type.Integer({ description: 'Number of failed analyses.' }),
      }),
      event_count: Type.Integer({
        minimum: 0,
        description: 'Number of events of its analyses; at most 10,000 are counted.',
      }),
      answer: Nullable(
        Type.String({
          description:
            'For a prompt about several videos that asks for the first or last event: which of all videos it is, by their clocks; also why no video of the library was searched. Null: none, or it has not ended.',
        }),
      ),
      answer_event_id: Nullable(Type.String({ description: 'The event of `answer`.' })),
      selection: Type.Optional(LibraryCount),
      videos: Type.Array(
        Type.Object(
          {
            video_id: Type.String({ description: 'Identifier of the video.' }),
            analysis_id: Type.String({ description: 'Identifier of its analysis.' }),
            status: Type.String({ description: '`processing`, `completed` or `failed`.' }),
            progress: Type.Number({ description: 'Progress in percent, 0 to 100.' }),
            stage: Nullable(Type.String({ description: 'Current stage; null once the analysis has ended.' })),
            last_error: Nullable(Type.String({ description: 'Reason of a failure, as a sentence.' })),
            missed: Nullable(
              Type.Union([Type.Literal('outside'), Type.Literal('no_clock')], {
                description:
                  'Why nothing of it was searched, if the prompt names days or times of day. `outside`: it was recorded at another time; `no_clock`: it is not known when it was recorded. Null: it was searched, or is not yet.',
              }),
            ),
          },
          { additionalProperties: true },
        ),
        { description: 'Videos in the order of the request.' },
      ),
      config: Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'The query: `prompt`, `mode`, `analysis_kind`, and fields that older clients read.',
        },
      ),
      query: Type.String({ description: 'The prompt.' }),
      mode: Type.String({ description: '`thinking` or `fast`.' }),
      stream_id: Type.String({ description: 'Stream of its events.' }),
      metadata: Type.Object({}, { additionalProperties: true, description: 'Metadata that users added.' }),
      review_status: Nullable(Type.String({ description: 'Always null: batches are not reviewed.' })),
      review_status_updated_at: Nullable(Type.String({ description: 'Always null.' })),
      created_at: Timestamp({ description: 'Creation time, ISO 8601, UTC.' }),
      completed_at: Nullable(Timestamp({ description: 'End of the last analysis, ISO 8601, UTC.' })),
    },
    {
      additionalProperties: true,
      description: 'State of a batch.',
      examples: [
        {
          batch_id: BATCH_ID,
          status: 'processing',
          aggregated_progress: { total: 1, completed: 0, failed: 0 },
          event_count: 0,
          answer: null,
          answer_event_id: null,
          videos: [
            {
              video_id: VIDEO_ID,
              analysis_id: ANALYSIS_ID,
              status: 'processing',
              progress: 42.5,
              stage: 'observing',
              last_error: null,
              missed: null,
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
  ),
);

export const BatchMetadataBody = resource(
  'BatchMetadataChanges',
  Type.Object(
    {
      metadata: Type.String({
        description:
          'JSON text of a flat object whose values are strings or integers; at most 100 names in total. Existing names are replaced.',
      }),
    },
    {
      additionalProperties: true,
      description: 'Metadata to merge into a batch.',
      examples: [{ metadata: '{"experiment": "night-drives", "round": 2}' }],
    },
  ),
);

export const BatchMetadataResource = resource(
  'BatchMetadata',
  Type.Object(
    {
      success: Type.Boolean({ description: 'Always true.' }),
      batch_id: Type.String({ description: 'Identifier of the batch.' }),
      metadata: Type.Record(Type.String(), Type.Union([Type.String(), Type.Integer()]), {
        description: 'All metadata of the batch.',
      }),
    },
    {
      additionalProperties: true,
      description: 'Metadata of a batch.',
      examples: [{ success: true, batch_id: BATCH_ID, metadata: { experiment: 'night-drives', round: 2 } }],
    },
  ),
);
