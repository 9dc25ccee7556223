import { Type } from 'typebox';
import { Maybe, Nullable, resource, Timestamp } from '#platform/http/index';
import { ID } from './schema.ts';

export const IngestStatusField = Type.String({
  description:
    '`created` (waits for its file), `transferring`, `uploaded` (waits to be processed), `processing`; then `completed`, `partial` (some data could not be read, see `error` and `recording.lost`) or `failed`.',
});
const Seconds = (description: string) => Nullable(Type.Number({ description }));
export const Text = (description: string) => Nullable(Type.String({ description }));

export const DerivedVideo = resource(
  'DerivedVideo',
  Type.Object(
    {
      video_id: Text('Id of the video; null until it is created.'),
      channel: Type.String({
        description: 'Channel: the topic, or `topic#id` if several channels have the same topic.',
      }),
      channel_name: Type.String({ description: 'Same as `channel`, for existing clients.' }),
      role: Text('Role of the channel among the views.'),
      label: Text('Display label of the channel.'),
      part: Type.Integer({
        description: 'Index of the range of the recording, from 0; always 0 without `chunk_size`.',
      }),
      status: Type.String({
        description:
          '`processing`, `completed`, `failed`, or `deleted` (it was completed, then deleted from the library).',
      }),
      error: Text('Reason why there is no video.'),
      offset_s: Seconds('Capture time of its first frame, in seconds after the first frame of the primary view.'),
      start_time: Nullable(
        Timestamp({
          description:
            'Capture time of its first frame, ISO 8601, UTC; null if the clock of the recording has no date.',
        }),
      ),
      duration_s: Seconds('Time from its first frame to its last, in seconds.'),
      frame_count: Nullable(Type.Integer({ description: 'Number of frames.' })),
      drift_ppm: Seconds(
        "Drift of the camera's clock against the recorder's in parts per million, positive if it is faster; null if unknown.",
      ),
      gaps: Type.Array(
        Type.Object({
          start_s: Type.Number({
            description: 'Time of the last frame before the gap, in seconds from the start of the video.',
          }),
          end_s: Type.Number({ description: 'Time of the first frame after the gap.' }),
        }),
        { description: 'Ranges without frames: longer than half a second and three usual frame intervals.' },
      ),
      reencoded: Nullable(Type.Boolean({ description: 'True if its frames were re-encoded.' })),
      notes: Type.Array(Type.String(), { description: 'Remarks on the conversion.' }),
    },
    { additionalProperties: true },
  ),
);

const Views = Type.Record(Type.String(), Type.String(), {
  description: 'Video ids by role. For a recording that was split: those of its first range.',
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

const LISTED = {
  mcap_ingest_id: '019a0b1c2d3e7f008000000000000031',
  status: 'completed',
  error: null,
  error_code: null,
  filename: 'drive.mcap',
  source_uri: 'mcap://drive.mcap',
  size_bytes: 48_120_331,
  folder_id: null,
  scope: 'user',
  created_at: '2026-11-21T09:30:00.000Z',
  completed_at: '2026-11-21T09:31:00.000Z',
};

/** Fields of an ingest in a list and alone. */
const SummaryFields = {
  mcap_ingest_id: Type.String({ description: 'Identifier of the ingest.' }),
  status: IngestStatusField,
  error: Text('Reason for `failed` or `partial`.'),
  error_code: Text('Error code of `error`.'),
  filename: Type.String({ description: 'Name of the file.' }),
  source_uri: Type.String({ description: 'URI of the recording.' }),
  size_bytes: Nullable(Type.Integer({ description: 'Size of the file in bytes.' })),
  folder_id: Text('Folder of its videos.'),
  scope: Type.String({ description: '`user` or `org`.' }),
  created_at: Timestamp({ description: 'Creation time of the ingest, ISO 8601, UTC.' }),
  completed_at: Nullable(Timestamp({ description: 'End time, ISO 8601, UTC.' })),
};

export const IngestListQuery = Type.Object({
  limit: Maybe(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Maximum number of ingests; default: 100.' })),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the previous page.' })),
});

export const IngestList = resource(
  'McapIngestList',
  Type.Object(
    {
      ingests: Type.Array(Type.Object(SummaryFields, { description: 'An ingest without its videos.' }), {
        description: 'Ingests, newest first.',
      }),
      has_more: Type.Boolean({ description: 'True if there are older ones.' }),
      next_cursor: Nullable(Type.String({ description: 'Value of `cursor` for the next page.' })),
    },
    {
      description: 'A page of ingests.',
      examples: [{ ingests: [LISTED], has_more: false, next_cursor: null }],
    },
  ),
);

export const IngestResource = resource(
  'McapIngest',
  Type.Object(
    {
      ...SummaryFields,
      sha256: Text('SHA-256 of the file.'),
      chunk_size: Nullable(
        Type.Integer({ description: 'Length of the ranges in seconds; null if the recording is not split.' }),
      ),
      derived_videos: Type.Array(DerivedVideo, {
        description: 'Result of each image channel, or of each range of it.',
      }),
      views: Views,
      primary_view_id: Text('Video of the primary view.'),
      videos: Type.Array(DerivedVideo, { description: 'The completed `derived_videos`.' }),
      video_ids: Type.Array(Type.String(), { description: 'Ids of `videos`.' }),
      videos_by_channel: Type.Record(Type.String(), Type.String(), {
        description: 'Video ids by channel; the first if a channel has several.',
      }),
      videos_by_role: Views,
      primary_video_id: Text('Same as `primary_view_id`.'),
      video_id: Text('Same as `primary_view_id`.'),
      recording: Nullable(
        Type.Object(
          {
            start_time: Nullable(
              Timestamp({ description: "Log time of the first message, ISO 8601, UTC, by the recorder's clock." }),
            ),
            duration_s: Seconds('Time from the first message to the last, in seconds.'),
            indexed: Type.Boolean({ description: 'True if the file has a usable index.' }),
            channels: Type.Array(
              Type.Object({
                name: Type.String({ description: 'Topic, or `topic#id` if several channels have the same topic.' }),
                topic: Type.String({ description: 'Topic.' }),
                schema: Type.String({ description: 'Type of its messages.' }),
                messages: Nullable(Type.Integer({ description: 'Number of messages; null if unknown.' })),
                pictures: Type.Boolean({ description: 'True if its messages are images or video.' }),
              }),
              { description: 'All channels.' },
            ),
            telemetry: Type.Record(Type.String(), Type.String(), {
              description: 'Channel of each measurement (`speedMps`, …). Prompts on the videos can use measurements.',
            }),
            notes: Type.Array(Type.String(), { description: 'Limits of the telemetry.' }),
            lost: Type.Array(
              Type.Object({
                channel: Text('Channel of the lost messages; null: all channels.'),
                from_s: Seconds('Start, in seconds after the first message; null: the start of the recording.'),
                until_s: Seconds('End, in seconds after the first message; null: the end of the recording.'),
                reason: Type.String({ description: 'Reason.' }),
              }),
              { description: 'Ranges of the recording that could not be read.' },
            ),
          },
          { description: 'Content of the recording; null until it was read.' },
        ),
      ),
    },
    {
      additionalProperties: true,
      description: 'An ingest with the views of its recording.',
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
  ),
);
