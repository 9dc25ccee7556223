import { Type } from 'typebox';
import { Name, Nullable } from '#platform/http/index';

export const VideoId = Type.Object({
  video_id: Type.String({ minLength: 1, maxLength: 255, description: 'Identifier of the video.' }),
});

export const Word = Type.Union(
  [Type.Literal('processing'), Type.Literal('uploaded'), Type.Literal('uploading_failed')],
  {
    description: '`processing`: on its way; `uploaded`: stored and readable; `uploading_failed`: `message` says why.',
  },
);
const State = Type.Union(
  [Type.Literal('PREPARE_IN_PROGRESS'), Type.Literal('UPLOADED'), Type.Literal('UPLOADING_FAILED')],
  { description: 'The same in the words that existing clients poll for.' },
);
export const Reason = {
  error: Type.Optional(Type.String({ description: 'Only for a failed one: the code of the reason.' })),
  message: Type.Optional(Type.String({ description: 'Only for a failed one: the reason, in a sentence.' })),
};
const VisualAnalysis = Type.Object(
  { status: Type.Object({ status: State, ...Reason }, { description: 'How the arrival stands.' }) },
  { description: 'How the arrival stands, where existing clients look for it. Analyses never change it.' },
);

export const Identity = {
  video_id: Type.String({ description: 'Identifier of the video.' }),
  status: Word,
  video_name: Type.String({ description: 'Name of the video, as it was given.' }),
  filename: Type.String({ description: 'The same as `video_name`.' }),
  duration_s: Nullable(Type.Number({ description: 'Length in seconds of presentation time; null until it is known.' })),
  folder_id: Nullable(Type.String({ description: 'The folder it lies in, if any.' })),
  folder_name: Nullable(Type.String({ description: "That folder's name." })),
  org_id: Type.String({ description: 'The organisation it belongs to.' }),
  scope: Type.Union([Type.Literal('user'), Type.Literal('org'), Type.Literal('sample')], {
    description:
      '`user`: its owner sees it; `org`: everyone in the organisation does; `sample`: so too, and nobody changes it.',
  }),
  created_at: Type.String({ format: 'date-time', description: 'When its upload began, ISO 8601, UTC.' }),
};

export const Tag = Name({ maxLength: 64, description: 'A tag. Spaces around it are dropped.' });
export const Tags = Type.Array(Tag, { description: 'What it is tagged with.' });
export const MetadataValue = [Type.String({ maxLength: 2_000 }), Type.Number(), Type.Boolean()] as const;

export const EXAMPLE = {
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
    tags: Tags,
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
      {
        additionalProperties: true,
        description: 'What is known of the file, and beside it what users say of the video.',
      },
    ),
  },
  {
    description: 'How a video stands.',
    examples: [
      {
        ...EXAMPLE,
        tags: ['night'],
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

/** The names in a status' `metadata` that are the service's own. */
export const KNOWN_METADATA: readonly string[] = Object.keys(VideoStatus.properties.metadata.properties);

export const Restorable = {
  restorable_until: Nullable(
    Type.String({
      format: 'date-time',
      description: 'Until when a deleted video can be restored; null: it cannot, or need not.',
    }),
  ),
};
