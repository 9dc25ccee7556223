import { Type } from 'typebox';
import { Maybe, Nullable } from '#platform/http/index';

export const VideoId = Type.Object({
  video_id: Type.String({ minLength: 1, maxLength: 255, description: 'Identifier of the video.' }),
});

const Word = Type.Union([Type.Literal('processing'), Type.Literal('uploaded'), Type.Literal('uploading_failed')], {
  description: '`processing`: on its way; `uploaded`: stored and readable; `uploading_failed`: `message` says why.',
});
const State = Type.Union(
  [Type.Literal('PREPARE_IN_PROGRESS'), Type.Literal('UPLOADED'), Type.Literal('UPLOADING_FAILED')],
  { description: 'The same in the words that existing clients poll for.' },
);
const Reason = {
  error: Type.Optional(Type.String({ description: 'Only for a failed one: the code of the reason.' })),
  message: Type.Optional(Type.String({ description: 'Only for a failed one: the reason, in a sentence.' })),
};
const VisualAnalysis = Type.Object(
  { status: Type.Object({ status: State, ...Reason }, { description: 'How the arrival stands.' }) },
  { description: 'How the arrival stands, where existing clients look for it. Analyses never change it.' },
);

const Identity = {
  video_id: Type.String({ description: 'Identifier of the video.' }),
  status: Word,
  video_name: Type.String({ description: 'Name of the video, as it was given.' }),
  filename: Type.String({ description: 'The same as `video_name`.' }),
  duration_s: Nullable(Type.Number({ description: 'Length in seconds of presentation time; null until it is known.' })),
  folder_id: Nullable(Type.String({ description: 'The folder it lies in, if any.' })),
  folder_name: Nullable(Type.String({ description: "That folder's name." })),
  org_id: Type.String({ description: 'The organisation it belongs to.' }),
  scope: Type.Union([Type.Literal('user'), Type.Literal('org')], {
    description: '`user`: its owner sees it; `org`: everyone in the organisation does.',
  }),
  created_at: Type.String({ format: 'date-time', description: 'When its upload began, ISO 8601, UTC.' }),
};

const EXAMPLE = {
  video_id: '019a0b1c2d3e7f008000000000000010',
  status: 'uploaded',
  video_name: 'junction.mp4',
  filename: 'junction.mp4',
  duration_s: 42.5,
  folder_id: null,
  folder_name: null,
  org_id: '019a0b1c2d3e7f008000000000000000',
  scope: 'user',
  created_at: '2026-11-21T09:30:00.000Z',
};

export const VideoStatus = Type.Object(
  {
    ...Identity,
    ...Reason,
    visual_analysis: VisualAnalysis,
    metadata: Type.Object(
      {
        visual_analysis: VisualAnalysis,
        chunks_total: Type.Integer({ description: 'Always 1: a video is not cut up.' }),
        chunks_uploaded: Type.Integer({ description: '1 once the video is stored.' }),
        source: Type.String({ description: 'How it came: `file` or `video_url`.' }),
        source_uri: Nullable(Type.String({ description: 'Where it came from, without credentials.' })),
        size_bytes: Nullable(Type.Integer({ description: 'Size of the file in bytes.' })),
        sha256: Nullable(Type.String({ description: 'SHA-256 of the file, lower-case hex.' })),
        width: Nullable(Type.Integer({ description: 'Width in pixels, as shown (after rotation).' })),
        height: Nullable(Type.Integer({ description: 'Height in pixels, as shown.' })),
        frame_rate: Nullable(Type.Number({ description: 'Average frames per second, where the file says one.' })),
        container: Nullable(Type.String({ description: 'Container, as its bytes say.' })),
        video_codec: Nullable(Type.String({ description: 'Codec of the pictures.' })),
        audio_codec: Nullable(Type.String({ description: 'Codec of the sound; null without sound.' })),
        recorded_at: Nullable(Type.String({ description: "The file's own creation time, ISO 8601, UTC." })),
        sidecar: Type.Optional(
          Type.Unknown({
            description:
              'What came as `metadata_file`: its name, size, declared fields, and what of it is understood as telemetry.',
          }),
        ),
      },
      { additionalProperties: true, description: 'What is known of the file.' },
    ),
  },
  {
    description: 'How a video stands.',
    examples: [
      {
        ...EXAMPLE,
        visual_analysis: { status: { status: 'UPLOADED' } },
        metadata: {
          visual_analysis: { status: { status: 'UPLOADED' } },
          chunks_total: 1,
          chunks_uploaded: 1,
          source: 'file',
          source_uri: null,
          size_bytes: 7_340_032,
          sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
          width: 1920,
          height: 1080,
          frame_rate: 30,
          container: 'mp4',
          video_codec: 'h264',
          audio_codec: 'aac',
          recorded_at: null,
        },
      },
    ],
  },
);

export const ListQuery = Type.Object({
  folder: Maybe(
    Type.String({
      maxLength: 255,
      description: 'Name of a folder. Without it: all videos that you see. A personal folder of this name comes first.',
    }),
  ),
  scope: Maybe(
    Type.Union([Type.Literal('user'), Type.Literal('org'), Type.Literal('sample')], {
      description: 'Only personal ones, only those of the organisation, or only samples. Without it: all of them.',
    }),
  ),
  // Not nullable: the conversion of query values would take 0 for null.
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: 'How many videos at most; 1,000 without it. `has_more` says whether there are more.',
    }),
  ),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the page before.' })),
});

export const VideoList = Type.Object(
  {
    videos: Type.Array(
      Type.Object({
        ...Identity,
        size_bytes: Nullable(Type.Integer({ description: 'Size of the file in bytes.' })),
        ...Reason,
      }),
      { description: 'Newest first.' },
    ),
    has_more: Type.Boolean({ description: 'Whether more videos follow.' }),
    next_cursor: Nullable(Type.String({ description: 'Give it as `cursor` to get them.' })),
  },
  {
    description: 'A page of videos.',
    examples: [{ videos: [{ ...EXAMPLE, size_bytes: 7_340_032 }], has_more: false, next_cursor: null }],
  },
);

export const Deleted = Type.Object(
  {
    status: Type.Literal('deleted', { description: 'Always `deleted`.' }),
    video_id: Type.String({ description: 'Identifier of the video that was.' }),
  },
  {
    description: 'The video is gone.',
    examples: [{ status: 'deleted', video_id: '019a0b1c2d3e7f008000000000000010' }],
  },
);
