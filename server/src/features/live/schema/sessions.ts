import { Type } from 'typebox';
import { Maybe, Nullable, resource } from '#platform/http/index';
import { ANALYSIS_EXAMPLE, LiveAnalysisResource } from './analysis.ts';
import {
  At,
  FormPostRoll,
  FormPreRoll,
  NewStreamId,
  PostRoll,
  PreRoll,
  QUERY_LENGTH,
  Recording,
  RetentionDays,
  SESSION_ID,
  Seconds,
  SessionId,
  SessionName,
  SourceUrl,
  StreamId,
  VIDEO_ID,
} from './fields.ts';
import { CHUNK_EXAMPLE, LiveChunk, LiveGap, LiveRetainedSpan, MAX_CHUNKS, MAX_RETAINED_SPANS } from './recording.ts';

export const NewLiveSession = resource(
  'NewLiveSession',
  Type.Object(
    {
      source_url: SourceUrl,
      name: SessionName,
      stream_id: Maybe(
        Type.Union([NewStreamId, Type.Literal('')], {
          description: 'Stream of the session, which groups sessions of the same source. Default: a new stream.',
        }),
      ),
      rapid_review_query: Maybe(
        Type.String({ maxLength: QUERY_LENGTH, description: 'Query for the analysis during the session.' }),
      ),
      folder_id: Maybe(Type.String({ maxLength: 255, description: 'Folder of the recording.' })),
      scope: Maybe(
        Type.Union([Type.Literal('user'), Type.Literal('org'), Type.Literal('')], {
          description:
            '`user` (default): you can access the session and its recording; `org`: everyone in the organization can. In a folder, the scope is that of the folder.',
        }),
      ),
      retention_days: Maybe(RetentionDays),
      recording: Maybe(Recording),
      pre_roll_s: Maybe(FormPreRoll),
      post_roll_s: Maybe(FormPostRoll),
    },
    {
      description:
        'A live session to start. Default: `recording` is `continuous`; with `events`, 5 seconds before and 10 seconds after each event are retained.',
      examples: [
        {
          source_url: 'rtsp://camera.example/stream1',
          name: 'Gate 4',
          stream_id: 'gate-4',
          rapid_review_query: 'a truck stops in front of the gate',
        },
      ],
    },
  ),
);

const Status = Type.Union(
  [
    Type.Literal('INITIALIZING'),
    Type.Literal('ACTIVE'),
    Type.Literal('ENDING'),
    Type.Literal('FINISHED'),
    Type.Literal('FAILED'),
  ],
  {
    description:
      '`INITIALIZING` until the first chunk is recorded, then `ACTIVE`; `ENDING` while the recording is finalized; at the end `FINISHED`, or `FAILED` if nothing was recorded.',
  },
);

export const StartedLiveSession = resource(
  'StartedLiveSession',
  Type.Object(
    {
      session_id: SessionId,
      stream_id: Type.String({ description: 'Stream of the session.' }),
      status: Status,
      name: SessionName,
      video_id: Type.String({ description: 'Identifier of the video of the recording.' }),
    },
    {
      description: 'The started session.',
      examples: [
        { session_id: SESSION_ID, stream_id: 'gate-4', status: 'INITIALIZING', name: 'Gate 4', video_id: VIDEO_ID },
      ],
    },
  ),
);

export const LiveSessionToEnd = resource(
  'LiveSessionToEnd',
  Type.Object(
    { stream_id: StreamId, session_id: SessionId },
    { description: 'The session to end.', examples: [{ stream_id: 'gate-4', session_id: SESSION_ID }] },
  ),
);

export const EndedLiveSession = resource(
  'EndedLiveSession',
  Type.Object(
    {
      status: Type.Union([Type.Literal('ended'), Type.Literal('already_ended')], {
        description: '`ended`: the session ends now; `already_ended`: it had ended before.',
      }),
    },
    { description: 'The session ends or has ended.', examples: [{ status: 'ended' }] },
  ),
);

export const LiveSessionListQuery = Type.Object({
  scope: Type.Optional(
    Type.Union([Type.Literal('personal'), Type.Literal('org')], {
      description:
        '`personal`: your own sessions; `org`: sessions shared with the organization. Default: all sessions you can access.',
    }),
  ),
  stream_id: Type.Optional(Type.String({ maxLength: 128, description: 'Only sessions of this stream.' })),
  video_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only the session that this video is or was a recording of.' }),
  ),
  camera_id: Type.Optional(Type.String({ maxLength: 64, description: 'Only sessions of this camera.' })),
  open: Type.Optional(
    Type.Boolean({ description: 'True: only sessions that have not ended; false: only those that have.' }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: 'Maximum number of sessions; default: 100.' }),
  ),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the previous page.' })),
});

const SUMMARY = {
  session_id: SessionId,
  stream_id: Type.String({ description: 'Stream of the session.' }),
  name: SessionName,
  source_url: Type.String({ description: 'URL of the source, without credentials.' }),
  status: Status,
  scope: Type.String({
    description: '`user`: visible to its owner and to admins; `org`: visible to everyone in the organization.',
  }),
  folder_id: Nullable(Type.String({ description: 'Folder of the recording.' })),
  camera_id: Nullable(
    Type.String({ description: 'Camera that was recorded; null for a session that was started by itself.' }),
  ),
  time_zone: Nullable(
    Type.String({ description: 'Time zone of its camera, which its recordings have; null: unknown.' }),
  ),
  created_by: Type.String({ description: 'The user who started the session.' }),
  created_by_display_name: Type.String({ description: 'Name of that user.' }),
  created_at: At('Creation time, ISO 8601, UTC.'),
  started_at: Nullable(At('Capture time of the first frame.')),
  ended_at: Nullable(At('End of the session.')),
  error: Nullable(Type.String({ description: 'Error code, if the session failed or ended early.' })),
  message: Nullable(Type.String({ description: 'The same error as a sentence.' })),
  rapid_review_query: Nullable(Type.String({ description: 'Query of the analysis; null: none.' })),
  connected: Type.Boolean({ description: 'True while frames arrive.' }),
  chunk_count: Type.Integer({ minimum: 0, description: 'Number of recorded chunks.' }),
  event_count: Type.Integer({ minimum: 0, description: 'Number of events so far.' }),
  duration_s: Seconds('Duration in seconds that was received and recorded at first, without gaps.'),
  recording: Recording,
  pre_roll_s: PreRoll,
  post_roll_s: PostRoll,
  retained_s: Seconds('Of `duration_s`, the seconds that are retained around events; 0 for a continuous recording.'),
  discarded_s: Seconds('Of `duration_s`, the seconds that are not retained. The rest is not decided yet.'),
  unanswered_s: Seconds(
    'Of `discarded_s`, the seconds that the query was not answered for, as the limit for undecided recording was reached before.',
  ),
  size_bytes: Type.Integer({ minimum: 0, description: 'Size of the recording in bytes.' }),
  video_id: Type.String({
    description: 'Identifier of the video of the recording, which is available after the end of the session.',
  }),
};

const SUMMARY_EXAMPLE = {
  session_id: SESSION_ID,
  stream_id: 'gate-4',
  name: 'Gate 4',
  source_url: 'rtsp://camera.example/stream1',
  status: 'ACTIVE' as const,
  scope: 'org',
  folder_id: null,
  camera_id: null,
  time_zone: null,
  created_by: '019a0b1c2d3e7f008000000000000001',
  created_by_display_name: 'Ada',
  created_at: '2026-11-21T09:30:00.000Z',
  started_at: '2026-11-21T09:30:01.250Z',
  ended_at: null,
  error: null,
  message: null,
  rapid_review_query: 'a truck stops in front of the gate',
  connected: true,
  chunk_count: 1,
  event_count: 0,
  duration_s: 2,
  recording: 'continuous' as const,
  pre_roll_s: 0,
  post_roll_s: 0,
  retained_s: 0,
  discarded_s: 0,
  unanswered_s: 0,
  size_bytes: 524_288,
  video_id: VIDEO_ID,
};

const LiveSessionSummary = resource(
  'LiveSessionSummary',
  Type.Object(SUMMARY, { additionalProperties: true, description: 'A live session.', examples: [SUMMARY_EXAMPLE] }),
);

export const LiveSessionList = resource(
  'LiveSessionList',
  Type.Object(
    {
      sessions: Type.Array(LiveSessionSummary, { description: 'Sessions, newest first.' }),
      has_more: Type.Boolean({ description: 'True if more sessions follow.' }),
      next_cursor: Nullable(Type.String({ description: 'Value of `cursor` for the next page.' })),
    },
    {
      description: 'A page of live sessions.',
      examples: [{ sessions: [SUMMARY_EXAMPLE], has_more: false, next_cursor: null }],
    },
  ),
);

export const LiveSessionResource = resource(
  'LiveSession',
  Type.Object(
    {
      ...SUMMARY,
      current_time: At('Time of the response, by the clock of the service that capture times are read from.'),
      video_ids: Type.Array(Type.String(), {
        description: 'Videos of the recording: one, or several if codec or frame size changed during the session.',
      }),
      chunks: Type.Array(LiveChunk, { description: `The last ${MAX_CHUNKS} chunks, in order.` }),
      gaps: Type.Array(LiveGap, { description: 'Gaps in the recording.' }),
      retained_spans: Type.Array(LiveRetainedSpan, {
        description: `Ranges that are retained around events, in order: the newest ${MAX_RETAINED_SPANS}. None for a continuous recording.`,
      }),
      events: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
        description:
          'Events in the order in which they were found; events are only ever added. Each has `event_id`, `chunk_index`, `stream_time`, `capture_time`, `t_start`, `t_end`, `type`, `label`, `description`, `severity`, `confidence`, `ongoing` (true until the end of the event is found; `t_end` is then the latest known time), `cut_start` and `cut_end` (the analysis skipped the range before or after the event, which may be longer), `chunk_relative_time`, and `evidence` with signed URLs of its images.',
      }),
      interpretation: Nullable(
        Type.String({ description: 'How the query is understood, in one sentence; null without a query.' }),
      ),
      analysis: Nullable(LiveAnalysisResource),
    },
    {
      additionalProperties: true,
      description: 'A live session with its chunks and events.',
      examples: [
        {
          ...SUMMARY_EXAMPLE,
          current_time: '2026-11-21T09:30:04.750Z',
          video_ids: [VIDEO_ID],
          chunks: [CHUNK_EXAMPLE],
          gaps: [],
          retained_spans: [],
          events: [],
          interpretation: 'Understood as: a truck that stops; not checked: "gate".',
          analysis: ANALYSIS_EXAMPLE,
        },
      ],
    },
  ),
);
