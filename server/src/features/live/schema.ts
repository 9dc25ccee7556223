import { Type } from 'typebox';
import { Formed, Maybe, Name, Nullable } from '#platform/http/index';

/** Clients send forms; JSON does as well. */
export const FORMS = ['application/x-www-form-urlencoded', 'application/json'];
/** How long a signed URL leads to a manifest, in seconds. */
export const EXPIRY_S = { least: 60, most: 3_600, usual: 900 };
/** Characters that the query of a session may have. */
export const QUERY_LENGTH = 10_000;
/** Chunks that a session tells of: its last ones. */
export const CHUNKS_TOLD = 100;

const StreamId = Formed(
  '^[A-Za-z0-9][A-Za-z0-9._:-]*$',
  'of letters, digits, dots, colons, hyphens and underscores, a letter or digit first',
  { minLength: 1, maxLength: 128 },
);
const SessionId = Type.String({ minLength: 1, maxLength: 64, description: 'Identifier of the session.' });
const SessionName = Name({ maxLength: 255, description: 'Name, for display.' });
const SourceUrl = Type.String({
  minLength: 1,
  maxLength: 4_096,
  description:
    'Where the stream is: HLS, MJPEG or a growing file by `http` or `https`, or `rtsp`, `rtsps`, `rtmp`, `rtmps`, `srt`. User and password may stand in it; they are kept sealed and never told.',
});
/** A number, also as a form sends it. */
const Days = Type.Union(
  [Type.Integer({ minimum: 1, maximum: 36_500 }), Formed('^([1-9][0-9]{0,4})?$', 'a whole number of days')],
  {
    description:
      'Recordings of the stream, those of its owner and those that the organisation shares, are deleted this many days after they ended. Without it they stay. Only the owner of a stream, who used it first, or an admin changes it.',
  },
);

export const StartSession = Type.Object(
  {
    source_url: SourceUrl,
    name: SessionName,
    stream_id: Maybe(
      Type.Union([StreamId, Type.Literal('')], {
        description: 'The stream that the session belongs to; the same one groups sessions. Without it one is made.',
      }),
    ),
    rapid_review_query: Maybe(
      Type.String({ maxLength: QUERY_LENGTH, description: 'What to look for while the session goes on.' }),
    ),
    folder_id: Maybe(Type.String({ maxLength: 255, description: 'The folder that the recording goes into.' })),
    scope: Maybe(
      Type.Union([Type.Literal('user'), Type.Literal('org'), Type.Literal('')], {
        description:
          '`user` (the default): you see the session and its recording; `org`: everyone in the organisation does. In a folder it is the folder’s.',
      }),
    ),
    retention_days: Maybe(Days),
  },
  {
    description: 'A source to follow.',
    examples: [
      {
        source_url: 'rtsp://camera.example/stream1',
        name: 'Gate 4',
        stream_id: 'gate-4',
        rapid_review_query: 'a truck stops in front of the gate',
      },
    ],
  },
);

export const AttachStream = Type.Object(
  { stream_id: StreamId, stream_name: SessionName, source_url: SourceUrl, retention_days: Maybe(Days) },
  {
    description: 'A stream and its name.',
    examples: [{ stream_id: 'gate-4', stream_name: 'Gate 4', source_url: 'rtsp://camera.example/stream1' }],
  },
);
export const Attached = Type.Object(
  { ok: Type.Boolean({ description: 'True.' }) },
  { description: 'The stream is known.', examples: [{ ok: true }] },
);

export const AskSession = Type.Object(
  {
    rapid_review_query: Type.String({ minLength: 1, maxLength: QUERY_LENGTH, description: 'What to look for.' }),
    mode: Maybe(
      Type.Union([Type.Literal('replace'), Type.Literal('add'), Type.Literal('')], {
        description: '`replace` (the default): this instead of what was looked for; `add`: this besides.',
      }),
    ),
  },
  {
    description: 'What to look for from now on.',
    examples: [{ rapid_review_query: 'a person near the gate', mode: 'add' }],
  },
);
export const AskedSession = Type.Object(
  {
    session_id: SessionId,
    rapid_review_query: Type.String({ description: 'All that is looked for now.' }),
    searches: Type.Array(Type.String(), { description: 'Its parts: each is looked for on its own.' }),
  },
  {
    description: 'It is looked for from the next chunk on.',
    examples: [
      {
        session_id: '019a0b1c2d3e7f008000000000000070',
        rapid_review_query: 'a truck stops in front of the gate\na person near the gate',
        searches: ['truck stops in front of gate', 'person near gate'],
      },
    ],
  },
);

export const EventsQuery = Type.Object({
  last_id: Maybe(
    Type.String({
      description: 'Id of the last event that was received; 0 for all. A `Last-Event-ID` header counts as well.',
    }),
  ),
});
export const SessionEvents = Type.String({
  description:
    'Server-sent events: `id` grows by one, `event` is the kind, `data` one JSON object that repeats it in `event`. `progress`: the session has another `status`, or looks for something else; `finding`: something began, in `finding`, as in `events` of the session but without the URLs of pictures; `finding_ended`: the same event once it has ended; `error`: why the session failed; `done`, always the last one: the session is over.',
  examples: [
    'id: 2\nevent: finding\ndata: {"event":"finding","type":"finding","session_id":"019a0b1c2d3e7f008000000000000070","finding":{"event_id":"019a0b1c2d3e7f008000000000000072","label":"truck stops","ongoing":true}}\n\n',
  ],
});

export const PictureParams = Type.Object({
  session_id: SessionId,
  picture: Type.String({ maxLength: 80, description: '`<event>-<number>.jpg`, as the URL in the event names it.' }),
});

export const EndSession = Type.Object(
  {
    stream_id: Type.String({ minLength: 1, maxLength: 128, description: 'The stream.' }),
    session_id: SessionId,
  },
  {
    description: 'The session to end.',
    examples: [{ stream_id: 'gate-4', session_id: '019a0b1c2d3e7f008000000000000070' }],
  },
);
export const Ended = Type.Object(
  {
    status: Type.Union([Type.Literal('ended'), Type.Literal('already_ended')], {
      description: '`ended`: it ends now; `already_ended`: it had been ended, or had ended by itself.',
    }),
  },
  { description: 'The session ends, or has.', examples: [{ status: 'ended' }] },
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
      '`INITIALIZING` until the first chunk is there, then `ACTIVE`; `ENDING` while the recording is put together; at the end `FINISHED`, or `FAILED` where nothing was recorded.',
  },
);

export const Started = Type.Object(
  {
    session_id: SessionId,
    stream_id: Type.String({ description: 'The stream that it belongs to.' }),
    status: Status,
    name: SessionName,
    video_id: Type.String({ description: 'The video that the recording becomes.' }),
  },
  {
    description: 'The session has begun.',
    examples: [
      {
        session_id: '019a0b1c2d3e7f008000000000000070',
        stream_id: 'gate-4',
        status: 'INITIALIZING',
        name: 'Gate 4',
        video_id: '019a0b1c2d3e7f008000000000000071',
      },
    ],
  },
);

export const SessionParams = Type.Object({ session_id: SessionId });
export const StreamSessionParams = Type.Object({
  stream_id: Type.String({ minLength: 1, maxLength: 128, description: 'The stream.' }),
  session_id: SessionId,
});

export const ListQuery = Type.Object({
  scope: Type.Optional(
    Type.Union([Type.Literal('personal'), Type.Literal('org')], {
      description: '`personal`: your own; `org`: those that the organisation shares. Without it all that you may see.',
    }),
  ),
  stream_id: Type.Optional(Type.String({ maxLength: 128, description: 'Only those of this stream.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'How many at most; 100 without it.' })),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the page before.' })),
});

const When = (description: string) => Type.String({ format: 'date-time', description });
const Seconds = (description: string) => Type.Number({ minimum: 0, description });

const SUMMARY = {
  session_id: SessionId,
  stream_id: Type.String({ description: 'The stream that it belongs to.' }),
  name: SessionName,
  source_url: Type.String({ description: 'Its source, without user, password and what else opens it.' }),
  status: Status,
  scope: Type.String({ description: '`user` or `org`: who sees it.' }),
  folder_id: Nullable(Type.String({ description: 'The folder that its recording goes into.' })),
  created_by: Type.String({ description: 'The user who started it.' }),
  created_by_display_name: Type.String({ description: "That user's name." }),
  created_at: When('When it was started, ISO 8601, UTC.'),
  started_at: Nullable(When('When its first picture was taken.')),
  ended_at: Nullable(When('When it ended.')),
  error: Nullable(Type.String({ description: 'Code of why it failed, or ended before it was asked to.' })),
  message: Nullable(Type.String({ description: 'The same in a sentence.' })),
  rapid_review_query: Nullable(Type.String({ description: 'What is looked for while it goes on.' })),
  connected: Type.Boolean({ description: 'Whether pictures are coming now.' }),
  chunk_count: Type.Integer({ minimum: 0, description: 'Chunks that are recorded.' }),
  event_count: Type.Integer({ minimum: 0, description: 'Events so far.' }),
  duration_s: Seconds('What is recorded, in seconds.'),
  size_bytes: Type.Integer({ minimum: 0, description: 'What is recorded, in bytes.' }),
  video_id: Type.String({ description: 'The video that the recording becomes; there once the session has ended.' }),
};

const SUMMARY_EXAMPLE = {
  session_id: '019a0b1c2d3e7f008000000000000070',
  stream_id: 'gate-4',
  name: 'Gate 4',
  source_url: 'rtsp://camera.example/stream1',
  status: 'ACTIVE' as const,
  scope: 'org',
  folder_id: null,
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
  size_bytes: 524_288,
  video_id: '019a0b1c2d3e7f008000000000000071',
};

export const SessionList = Type.Object(
  {
    sessions: Type.Array(Type.Object(SUMMARY, { additionalProperties: true, description: 'A session.' }), {
      description: 'Newest first.',
    }),
    has_more: Type.Boolean({ description: 'Whether more follow.' }),
    next_cursor: Nullable(Type.String({ description: 'Give it as `cursor` to get them.' })),
  },
  {
    description: 'A page of live sessions.',
    examples: [{ sessions: [SUMMARY_EXAMPLE], has_more: false, next_cursor: null }],
  },
);

export const SessionAnswer = Type.Object(
  {
    ...SUMMARY,
    video_ids: Type.Array(Type.String(), {
      description: 'The recordings: one, unless the pictures changed their codec or size on the way.',
    }),
    chunks: Type.Array(
      Type.Object(
        {
          chunk_id: Type.String({ description: 'Identifier of the chunk.' }),
          chunk_index: Type.Integer({ minimum: 0, description: 'Its number, from 0 on.' }),
          stream_time: Seconds('When it begins, in seconds from the first picture of the session; gaps count.'),
          hls_cumulative_offset: Seconds('Where it begins in the recording, in seconds; gaps do not count.'),
          duration_s: Seconds('How long it is, in seconds.'),
          capture_time: When('When its first picture was taken: as the source says, else when it came.'),
          size_bytes: Type.Integer({ minimum: 0, description: 'Its size.' }),
          discontinuity: Type.Boolean({ description: 'Whether something is missing, or changed, before it.' }),
        },
        { additionalProperties: true, description: 'A chunk: a few seconds that begin with a keyframe.' },
      ),
      { description: `The last ${CHUNKS_TOLD} chunks, in their order.` },
    ),
    gaps: Type.Array(
      Type.Object(
        {
          chunk_index: Type.Integer({
            minimum: 0,
            description: 'The chunk after it; of a gap at the end of the session, the number of its chunks.',
          }),
          from: When('When the pictures ended.'),
          until: When('When they came again.'),
          reason: Type.String({ description: 'Why nothing was recorded.' }),
        },
        { description: 'A stretch of which nothing was recorded.' },
      ),
      { description: 'What is missing.' },
    ),
    events: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description:
        'What was found, in the order in which it was: only ever added to. Each has `event_id`, `chunk_index`, `stream_time`, `capture_time`, `t_start`, `t_end`, `type`, `label`, `description`, `severity`, `confidence`, `ongoing` (it has not ended as far as is known; `t_end` is how far it has come), `cut_start` and `cut_end` (the analysis skipped what came before or after it, so it may be longer), `chunk_relative_time`, and `evidence` with signed URLs of its pictures.',
    }),
    analysis: Nullable(
      Type.Object(
        {
          state: Type.Union([Type.Literal('waiting'), Type.Literal('running'), Type.Literal('ended')], {
            description: '`waiting`: nothing was looked at yet; `ended`: nothing more comes.',
          }),
          analysed_s: Seconds('How far the stream was looked at, in seconds from its first picture.'),
          behind_s: Seconds('How much is recorded and was not looked at then, in seconds.'),
          sampling: Type.Union(
            [Type.Literal('full'), Type.Literal('reduced'), Type.Literal('sparse'), Type.Literal('pictures')],
            {
              description:
                'How closely it is looked at, as the machine allows. Every frame of what the picture as a whole does, and of things five pictures a second (`full`), two (`reduced`), one (`sparse`), or none (`pictures`).',
            },
          ),
          skipped_s: Seconds('How much was skipped to keep up and not caught up on yet, or could not be decoded.'),
          skipped: Type.Array(
            Type.Object(
              {
                from_s: Seconds('Where it begins, in seconds from the first picture of the session.'),
                until_s: Seconds('Where it ends.'),
                reason: Type.String({ description: 'Why it was skipped, and whether it is still to be analysed.' }),
              },
              { additionalProperties: true, description: 'A range that no analysis has covered.' },
            ),
            { description: 'What was skipped, in order of time. Ranges that are caught up on leave the list.' },
          ),
          coverage: Type.Array(Type.Object({}, { additionalProperties: true }), {
            description:
              'What is looked for and what is not, and why, as in analyses, over the whole session: `findings` counts all its events, `from_s`, `until_s` and `analysed_s` are where and how long it was looked for, and `intervals` has each range with its `status`, `by` and `reason`, skipped ranges too.',
          }),
        },
        { additionalProperties: true, description: 'How what was asked for is looked for.' },
      ),
    ),
  },
  {
    additionalProperties: true,
    description: 'A live session.',
    examples: [
      {
        ...SUMMARY_EXAMPLE,
        video_ids: ['019a0b1c2d3e7f008000000000000071'],
        chunks: [
          {
            chunk_id: '019a0b1c2d3e7f008000000000000070-0',
            chunk_index: 0,
            stream_time: 0,
            hls_cumulative_offset: 0,
            duration_s: 2,
            capture_time: '2026-11-21T09:30:01.250Z',
            size_bytes: 524_288,
            discontinuity: false,
          },
        ],
        gaps: [],
        events: [],
        analysis: {
          state: 'running' as const,
          analysed_s: 2,
          behind_s: 0,
          sampling: 'full' as const,
          skipped_s: 0,
          skipped: [],
          coverage: [
            {
              ...{ text: 'truck stops', status: 'looked_for', by: ['objects (yolox_nano)'], reason: null, findings: 0 },
              ...{ from_s: 0, until_s: 2, analysed_s: 2 },
              intervals: [{ from_s: 0, until_s: 2, status: 'looked_for', by: ['objects (yolox_nano)'], reason: null }],
            },
          ],
        },
      },
    ],
  },
);

export const SignQuery = Type.Object({
  expires_in: Type.Optional(
    Type.Integer({
      minimum: EXPIRY_S.least,
      maximum: EXPIRY_S.most,
      description: `For how many seconds the URL leads to the manifest, ${EXPIRY_S.least} to ${EXPIRY_S.most}; ${EXPIRY_S.usual} without it.`,
    }),
  ),
});

export const SignedManifest = Type.Object(
  {
    url: Type.String({ description: 'Short-lived signed URL of the HLS manifest; needs no key.' }),
    expires_at: When('Until when it can be fetched. Who has begun to play by then plays on.'),
    method: Type.Literal('GET', { description: 'GET.' }),
  },
  {
    description: 'A signed URL for the HLS manifest of a live session.',
    examples: [
      {
        url: 'https://video.example/api/live/media/019a0b1c2d3e7f008000000000000070/index.m3u8?token=sx1k2a.Zm9v',
        expires_at: '2026-11-21T09:45:00.000Z',
        method: 'GET' as const,
      },
    ],
  },
);

export const MediaQuery = Type.Object({
  token: Type.String({ maxLength: 200, description: 'The signature, as it stands in the URL.' }),
});
export const PartParams = Type.Object({
  session_id: SessionId,
  part: Type.String({
    maxLength: 40,
    description: '`init-<number>.mp4`, or `<number>.m4s`, as the playlist names it.',
  }),
});

export const MANIFEST = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-STREAM-INF:BANDWIDTH=2097152,CODECS="avc1.64001f",RESOLUTION=1280x720
stream.m3u8?token=sy0a1b.YmFy
`;
export const PLAYLIST = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:2
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-DISCONTINUITY-SEQUENCE:0
#EXT-X-MAP:URI="init-0.mp4?token=sy0a1b.YmFy"
#EXT-X-PROGRAM-DATE-TIME:2026-11-21T09:30:01.250Z
#EXTINF:2.000000,
0.m4s?token=sy0a1b.YmFy
`;
