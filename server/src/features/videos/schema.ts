import { Type } from 'typebox';
import { Name, Nullable, resource, Timestamp } from '#platform/http/index';
import { CLOCK_SOURCES } from './clock/types.ts';

export const VideoParams = Type.Object({
  video_id: Type.String({ minLength: 1, maxLength: 255, description: 'Identifier of the video.' }),
});
export const StatusParams = Type.Object({
  video_id: Type.String({ minLength: 1, maxLength: 255, description: 'Identifier of the video, or of a chunk of it.' }),
});

export const Status = Type.Union(
  [Type.Literal('processing'), Type.Literal('uploaded'), Type.Literal('uploading_failed')],
  {
    description:
      '`processing`: the upload is not complete; `uploaded`: stored and readable; `uploading_failed`: see `message`.',
  },
);
const LegacyStatus = Type.Union(
  [Type.Literal('PREPARE_IN_PROGRESS'), Type.Literal('UPLOADED'), Type.Literal('UPLOADING_FAILED')],
  { description: 'The same status, in the form that existing clients poll for.' },
);
export const FailureReason = {
  error: Type.Optional(Type.String({ description: 'Code of the reason; only if the upload failed.' })),
  message: Type.Optional(Type.String({ description: 'Reason as a sentence; only if the upload failed.' })),
};
const VisualAnalysis = Type.Object(
  { status: Type.Object({ status: LegacyStatus, ...FailureReason }, { description: 'Status of the upload.' }) },
  { description: 'Status of the upload, where existing clients read it. Analyses do not change it.' },
);

export const SharedFields = {
  video_id: Type.String({ description: 'Identifier of the video.' }),
  status: Status,
  video_name: Type.String({ description: 'Name of the video.' }),
  filename: Type.String({ description: 'The same as `video_name`.' }),
  duration_s: Nullable(
    Type.Number({ description: 'Duration in seconds of presentation time; null until it is known.' }),
  ),
  folder_id: Nullable(Type.String({ description: 'Folder of the video, if any.' })),
  folder_name: Nullable(Type.String({ description: 'Name of the folder.' })),
  org_id: Type.String({ description: 'Organization of the video.' }),
  scope: Type.Union([Type.Literal('user'), Type.Literal('org'), Type.Literal('sample')], {
    description:
      '`user`: visible to its owner; `org`: visible to everyone in the organization; `sample`: visible to everyone in the organization, read-only.',
  }),
  created_at: Timestamp({ description: 'Start of the upload, ISO 8601, UTC.' }),
  recorded_at: Nullable(
    Timestamp({ description: 'Time at which the first frame was recorded, ISO 8601, UTC; null if nothing says it.' }),
  ),
  time_zone: Nullable(
    Type.String({
      description:
        'Time zone of the place where it was recorded: an IANA name such as `Europe/Berlin`, or an offset such as `+01:00`; null if it is unknown.',
    }),
  ),
};

const ClockSource = Type.Union(
  CLOCK_SOURCES.map((source) => Type.Literal(source)),
  {
    description:
      '`person`: somebody set it; `live`: the clock of this service during a livestream; `gps`: a GPS receiver; `log`: the clock of a robot log; `sidecar`: a file beside the video; `container`: the file; `rule`: the path, by the rule of the folder; `name`: the name of the file; `picture`: a clock that is read in the frames.',
  },
);

export const Clock = Nullable(
  Type.Object(
    {
      source: ClockSource,
      zone_known: Type.Boolean({
        description:
          'False if the source does not say in which time zone it is, or if cameras often write local time there: `recorded_at` then assumes UTC.',
      }),
      shift_s: Type.Number({ description: 'Seconds that a person added to what the source says, for a wrong clock.' }),
      rate: Type.Number({
        description:
          'Seconds of the calendar in a second of the video: 1, unless two points correct a clock that drifts, or of a time lapse.',
      }),
      conflicts: Type.Array(
        Type.Object({
          source: ClockSource,
          recorded_at: Timestamp({ description: 'What this source says, ISO 8601, UTC.' }),
        }),
        { description: 'Sources that contradict it by more than a minute.' },
      ),
    },
    { description: 'What `recorded_at` is derived from; null if it is null.' },
  ),
);

/** Texts of people that explain a deletion or a hold. */
export const ReasonText = (description: string) => Name({ maxLength: 500, description });

export const LegalHold = resource(
  'LegalHold',
  Type.Object(
    {
      reason: ReasonText('Why it is on hold.'),
      since: Timestamp({ description: 'Since when, ISO 8601, UTC.' }),
      by: Type.String({ description: 'User who set it.' }),
    },
    {
      description: 'Legal hold of a video: until an administrator releases it, nothing deletes or erases it.',
      examples: [
        {
          reason: 'Claim 4711',
          since: '2026-11-21T09:30:00.000Z',
          by: '019a0b1c2d3e7f008000000000000001',
        },
      ],
    },
  ),
);
export const HoldField = {
  hold: Nullable(LegalHold),
};

export const Tag = Name({ maxLength: 64, description: 'A tag. Surrounding spaces are removed.' });
export const Tags = Type.Array(Tag, { description: 'Tags of the video.' });
export const MetadataValue = [Type.String({ maxLength: 2_000 }), Type.Number(), Type.Boolean()] as const;

export const VIDEO_EXAMPLE = {
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
  recorded_at: '2026-11-20T21:04:10.000Z',
  time_zone: 'Europe/Berlin',
};
export const CLOCK_EXAMPLE = { source: 'name' as const, zone_known: true, shift_s: 0, rate: 1, conflicts: [] };

const StatusMetadata = Type.Object(
  {
    visual_analysis: VisualAnalysis,
    chunks_total: Type.Integer({ description: 'Number of `chunk_ids`; 1 until the video is stored.' }),
    chunks_uploaded: Type.Integer({ description: 'Number of `chunk_ids`; 0 until the video is stored.' }),
    chunk_ids: Type.Array(Type.String(), {
      description:
        'Ids of consecutive ranges of 30 seconds, as existing clients read them. Each is accepted by this operation and for a signed URL; the file is made on demand, and the video itself is stored as uploaded.',
    }),
    duration_s: Nullable(Type.Number({ description: 'Duration in seconds; null until it is known.' })),
    parent_video_id: Type.Optional(Type.String({ description: 'Of a chunk: its video.' })),
    start_time_s: Type.Optional(Type.Number({ description: 'Of a chunk: its start in the video in seconds.' })),
    end_time_s: Type.Optional(Type.Number({ description: 'Of a chunk: its end in the video in seconds.' })),
    source: Type.String({ description: 'Source of the video, such as `file` or `video_url`.' }),
    source_uri: Nullable(Type.String({ description: 'URI of the source, without credentials.' })),
    size_bytes: Nullable(Type.Integer({ description: 'Size of the file in bytes.' })),
    sha256: Nullable(Type.String({ description: 'SHA-256 of the file, lower-case hex.' })),
    width: Nullable(Type.Integer({ description: 'Width in pixels, after rotation.' })),
    height: Nullable(Type.Integer({ description: 'Height in pixels, after rotation.' })),
    frame_rate: Nullable(
      Type.Number({ description: 'Average frames per second; null if the file does not state it.' }),
    ),
    container: Nullable(Type.String({ description: 'Container format, detected from the content.' })),
    video_codec: Nullable(Type.String({ description: 'Video codec.' })),
    audio_codec: Nullable(Type.String({ description: 'Audio codec; null without audio.' })),
    recorded_at: Nullable(Type.String({ description: 'Creation time that the file states, ISO 8601, UTC.' })),
    sidecar: Type.Optional(
      Type.Unknown({
        description:
          'Summary of the `metadata_file`: its name, size and declared fields, and the telemetry that was read from it.',
      }),
    ),
    subtitles: Type.Optional(
      Type.Unknown({
        description:
          'Summary of the subtitle file that was added: its name, size, format and language, and the number of its captions. It is absent for subtitles in the video file.',
      }),
    ),
  },
  { additionalProperties: true, description: 'Properties of the file, and the metadata that users added.' },
);

export const VideoStatus = resource(
  'VideoStatus',
  Type.Object(
    {
      ...SharedFields,
      ...FailureReason,
      camera_id: Nullable(Type.String({ description: 'Camera that it is a recording of; null for other videos.' })),
      tags: Tags,
      clock: Clock,
      ...HoldField,
      visual_analysis: VisualAnalysis,
      // Free-form, because users add names of their own: passed through in its wire form.
      metadata: Type.Unsafe<Record<string, unknown>>(StatusMetadata),
    },
    {
      description: 'Status and properties of a video.',
      examples: [
        {
          ...VIDEO_EXAMPLE,
          camera_id: null,
          tags: ['night'],
          clock: CLOCK_EXAMPLE,
          hold: null,
          visual_analysis: { status: { status: 'UPLOADED' } },
          metadata: {
            visual_analysis: { status: { status: 'UPLOADED' } },
            chunks_total: 2,
            chunks_uploaded: 2,
            chunk_ids: ['019a0b1c2d3e7f008000000000000010-c0', '019a0b1c2d3e7f008000000000000010-c1'],
            duration_s: 42.5,
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
  ),
);

/** Names in the `metadata` of a status that users cannot set. */
export const RESERVED_METADATA: readonly string[] = Object.keys(StatusMetadata.properties);

export const Restorable = {
  restorable_until: Nullable(
    Timestamp({
      description:
        'End of the period in which a deleted video can be restored; null if it is not deleted, or erased. On legal hold it has no end: `9999-12-31T00:00:00.000Z`.',
    }),
  ),
};
