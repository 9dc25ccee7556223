import { Type } from 'typebox';
import { Formed, Maybe, Name, Nullable } from '#platform/http/index';

const MIN_PART_S = 10;
const MAX_PART_S = 86_400;

export const IngestId = Type.Object({
  ingest_id: Type.String({ minLength: 1, maxLength: 64, description: 'Identifier of the ingest.' }),
});
export const UploadQuery = Type.Object({
  token: Type.String({ maxLength: 200, description: 'The signature, as it stands in `upload_url`.' }),
});

export const PLACE = {
  folder_id: Maybe(Type.String({ description: 'The folder that the videos go into.' })),
  scope: Maybe(
    Type.Union([Type.Literal('user'), Type.Literal('org')], {
      description:
        '`user` (the default): you see the videos; `org`: everyone in the organisation does. In a folder it is the folder’s.',
    }),
  ),
  chunk_size: Maybe(
    Type.Integer({
      minimum: MIN_PART_S,
      maximum: MAX_PART_S,
      description: `Length in seconds into which long recordings are cut, ${MIN_PART_S} to ${MAX_PART_S}: each channel becomes one video per stretch of that length. Coded video is cut at keyframes. Without it each channel is one video.`,
    }),
  ),
};

export const CreateIngest = Type.Object(
  {
    filename: Name({ maxLength: 255, description: 'Name of the file.' }),
    size_bytes: Type.Integer({ minimum: 1, description: 'Its exact size in bytes.' }),
    sha256: Maybe(
      Formed('^[0-9a-fA-F]{64}$', '64 hexadecimal digits', {
        description: 'SHA-256 of the file in hex: what does not match is not kept.',
      }),
    ),
    content_type: Maybe(Type.String({ description: 'Accepted for existing clients and not used.' })),
    ...PLACE,
  },
  {
    description: 'A recording that is to be uploaded.',
    examples: [{ filename: 'drive.mcap', size_bytes: 734_003_200, chunk_size: 600 }],
  },
);

export const ID = '019a0b1c2d3e7f008000000000000060';

export const CreatedIngest = Type.Object(
  {
    mcap_ingest_id: Type.String({ description: 'Identifier of the ingest.' }),
    upload_url: Type.String({
      description: 'Where to PUT the bytes, in one request; needs no key and holds for a day.',
    }),
    upload_headers: Type.Record(Type.String(), Type.String(), { description: 'Headers to send with the PUT.' }),
    source_uri: Type.String({ description: 'How the recording is called as the source of its videos.' }),
    status: Type.String({ description: '`created`.' }),
  },
  {
    additionalProperties: true,
    description: 'An ingest that waits for its file.',
    examples: [
      {
        mcap_ingest_id: ID,
        upload_url: `http://localhost:8099/api/mcap/${ID}/file?token=t1x2y3.signature`,
        upload_headers: { 'Content-Type': 'application/octet-stream' },
        source_uri: `mcap://${ID}/drive.mcap`,
        status: 'created',
      },
    ],
  },
);

export const Received = Type.Object(
  {
    mcap_ingest_id: Type.String({ description: 'Identifier of the ingest.' }),
    status: Type.String({ description: '`uploaded`.' }),
  },
  { description: 'The file is here.', examples: [{ mcap_ingest_id: ID, status: 'uploaded' }] },
);

export const RolesBody = Type.Object(
  {
    front_channel: Maybe(Type.String({ description: 'The channel that is the front view, the primary one.' })),
    channel_roles: Maybe(
      Type.Record(Type.String(), Type.String(), {
        description:
          'Role of each channel by its name: `front`, `rear`, `left`, `right`, `top`, `bottom`, or any word of your own; each once. Channels that are not named get what their topic suggests.',
      }),
    ),
    channel_labels: Maybe(
      Type.Record(Type.String(), Name({ minLength: 0, maxLength: 200 }), {
        description:
          'What to show for a channel, by its name. Labels of channels that are left out stay; an empty one removes it.',
      }),
    ),
  },
  {
    description: 'All fields are optional; no body at all is fine.',
    examples: [{ front_channel: '/camera/front', channel_roles: { '/camera/1': 'rear' }, channel_labels: {} }],
  },
);

export const Status = Type.String({
  description:
    '`created` (waits for its file), `transferring`, `uploaded` (waits for process), `processing`; then `completed`, `partial` (something could not be read: `error` and `recording.lost` say what) or `failed`.',
});
const Seconds = (description: string) => Nullable(Type.Number({ description }));
export const Text = (description: string) => Nullable(Type.String({ description }));

const DerivedVideo = Type.Object(
  {
    video_id: Text('The video; null where there is none.'),
    channel: Type.String({
      description: 'Its channel: the topic, or `topic#id` where several channels have one topic.',
    }),
    channel_name: Type.String({ description: 'The same as `channel`, where existing clients read it.' }),
    role: Text('Role of the channel among the views.'),
    label: Text('What to show for it, where it was said.'),
    part: Type.Integer({ description: 'Which stretch of the recording, from 0; always 0 without `chunk_size`.' }),
    status: Type.String({
      description:
        '`processing`, `completed`, `failed`, or `deleted`: it was made, and is not in the library any more.',
    }),
    error: Text('Why there is no video, in a sentence.'),
    offset_s: Seconds('When its first frame was taken, in seconds after the first frame of the primary view.'),
    start_time: Text('The same as a date, ISO 8601, UTC, by the common clock; null where that tells no date.'),
    duration_s: Seconds('From its first frame to its last, in seconds.'),
    frame_count: Nullable(Type.Integer({ description: 'Frames in it.' })),
    drift_ppm: Seconds(
      "How much faster the camera's clock ran than the recorder's, in millionths; null where that cannot be told.",
    ),
    gaps: Type.Array(
      Type.Object({
        start_s: Type.Number({ description: 'Last frame before the gap, in seconds of the video.' }),
        end_s: Type.Number({ description: 'First frame after it.' }),
      }),
      { description: 'Stretches without frames: longer than half a second and three usual distances.' },
    ),
    reencoded: Nullable(Type.Boolean({ description: 'Whether its frames were encoded anew.' })),
    notes: Type.Array(Type.String(), { description: 'What else is to be known, in sentences.' }),
  },
  { additionalProperties: true },
);

const Views = Type.Record(Type.String(), Type.String(), {
  description: 'The views of the recording: role to video. Of a recording that was cut, those of its first stretch.',
});

export const DERIVED_EXAMPLE = {
  video_id: '019a0b1c2d3e7f008000000000000061',
  channel: '/camera/front',
  channel_name: '/camera/front',
  role: 'front',
  label: null,
  part: 0,
  status: 'completed',
  error: null,
  offset_s: 0,
  start_time: '2026-11-21T09:30:00.000Z',
  duration_s: 59.9,
  frame_count: 600,
  drift_ppm: 12.5,
  gaps: [],
  reencoded: false,
  notes: [],
};

export const IngestAnswer = Type.Object(
  {
    mcap_ingest_id: Type.String({ description: 'Identifier of the ingest.' }),
    status: Status,
    error: Text('What went wrong, in a sentence.'),
    error_code: Text('Its stable code.'),
    filename: Type.String({ description: 'Name of the file.' }),
    source_uri: Type.String({ description: 'Where the recording came from.' }),
    size_bytes: Nullable(Type.Integer({ description: 'Its size in bytes.' })),
    sha256: Text('SHA-256 of the file.'),
    folder_id: Text('The folder that its videos go into.'),
    scope: Type.String({ description: '`user` or `org`.' }),
    chunk_size: Nullable(Type.Integer({ description: 'Length of its stretches in seconds; null: it is not cut.' })),
    derived_videos: Type.Array(DerivedVideo, { description: 'What became of each channel of pictures, and stretch.' }),
    views: Views,
    primary_view_id: Text('The video of the primary view.'),
    videos: Type.Array(DerivedVideo, { description: 'Those of `derived_videos` that are there.' }),
    video_ids: Type.Array(Type.String(), { description: 'Their ids.' }),
    videos_by_channel: Type.Record(Type.String(), Type.String(), { description: 'Channel to its (first) video.' }),
    videos_by_role: Views,
    primary_video_id: Text('The same as `primary_view_id`.'),
    video_id: Text('The same as `primary_view_id`.'),
    recording: Nullable(
      Type.Object(
        {
          start_time: Text("When its first message was recorded, ISO 8601, UTC, by the recorder's clock."),
          duration_s: Seconds('From its first message to its last, in seconds.'),
          indexed: Type.Boolean({ description: 'Whether it has an index that could be used.' }),
          channels: Type.Array(
            Type.Object({
              name: Type.String({ description: 'Topic, or `topic#id` where several channels have one topic.' }),
              topic: Type.String({ description: 'Its topic.' }),
              schema: Type.String({ description: 'Type of its messages.' }),
              messages: Nullable(Type.Integer({ description: 'How many it has, where that is known.' })),
              pictures: Type.Boolean({ description: 'Whether its messages are pictures.' }),
            }),
            { description: 'All channels.' },
          ),
          telemetry: Type.Record(Type.String(), Type.String(), {
            description:
              'What was measured (`speedMps`, …), and by which channel. Prompts on the videos can ask for it.',
          }),
          notes: Type.Array(Type.String(), { description: 'Limits of the telemetry.' }),
          lost: Type.Array(
            Type.Object({
              channel: Text('Whose messages; null: of all channels.'),
              from_s: Seconds('From when, in seconds after the first message; null: from the start.'),
              until_s: Seconds('Until when; null: to the end.'),
              reason: Type.String({ description: 'Why.' }),
            }),
            { description: 'Stretches of the file that could not be read.' },
          ),
        },
        { description: 'What the recording holds; null until it was looked into.' },
      ),
    ),
    created_at: Type.String({ format: 'date-time', description: 'When the ingest was created, ISO 8601, UTC.' }),
    completed_at: Text('When it ended, ISO 8601, UTC.'),
  },
  {
    additionalProperties: true,
    description: 'How an ingest stands, and the views of the recording.',
    examples: [
      {
        mcap_ingest_id: ID,
        status: 'completed',
        error: null,
        error_code: null,
        filename: 'drive.mcap',
        source_uri: `mcap://${ID}/drive.mcap`,
        size_bytes: 734_003_200,
        sha256: null,
        folder_id: null,
        scope: 'user',
        chunk_size: null,
        derived_videos: [DERIVED_EXAMPLE],
        views: { front: DERIVED_EXAMPLE.video_id },
        primary_view_id: DERIVED_EXAMPLE.video_id,
        videos: [DERIVED_EXAMPLE],
        video_ids: [DERIVED_EXAMPLE.video_id],
        videos_by_channel: { '/camera/front': DERIVED_EXAMPLE.video_id },
        videos_by_role: { front: DERIVED_EXAMPLE.video_id },
        primary_video_id: DERIVED_EXAMPLE.video_id,
        video_id: DERIVED_EXAMPLE.video_id,
        recording: {
          start_time: '2026-11-21T09:29:59.000Z',
          duration_s: 61.2,
          indexed: true,
          channels: [
            {
              name: '/camera/front',
              topic: '/camera/front',
              schema: 'foxglove.CompressedVideo',
              messages: 600,
              pictures: true,
            },
          ],
          telemetry: { speedMps: '/vehicle/speed' },
          notes: [],
          lost: [],
        },
        created_at: '2026-11-21T09:31:00.000Z',
        completed_at: '2026-11-21T09:31:20.000Z',
      },
    ],
  },
);
