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

const Tag = Type.String({ minLength: 1, maxLength: 64, description: 'A tag. Spaces around it are dropped.' });
const Tags = Type.Array(Tag, { description: 'What it is tagged with.' });
const MetadataValue = [Type.String({ maxLength: 2_000 }), Type.Number(), Type.Boolean()] as const;

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

const Item = {
  ...Identity,
  size_bytes: Nullable(Type.Integer({ description: 'Size of the file in bytes.' })),
  ...Reason,
};
const Paging = {
  has_more: Type.Boolean({ description: 'Whether more videos follow.' }),
  next_cursor: Nullable(Type.String({ description: 'Give it as `cursor` to get them.' })),
};

export const VideoList = Type.Object(
  { videos: Type.Array(Type.Object(Item), { description: 'Newest first.' }), ...Paging },
  {
    description: 'A page of videos.',
    examples: [{ videos: [{ ...EXAMPLE, size_bytes: 7_340_032 }], has_more: false, next_cursor: null }],
  },
);

const date = (description: string) => Maybe(Type.String({ format: 'date-time', description }));

export const SearchQuery = Type.Object({
  folder_id: Maybe(Type.String({ maxLength: 255, description: 'Only those in this folder.' })),
  folder: Maybe(
    Type.String({ maxLength: 255, description: 'The same by name. A personal folder of this name comes first.' }),
  ),
  scope: Maybe(
    Type.Union([Type.Literal('user'), Type.Literal('org')], {
      description: 'Only personal ones, or only those of the organisation. Without it: both.',
    }),
  ),
  status: Maybe(Word),
  name: Maybe(
    Type.String({ minLength: 1, maxLength: 255, description: 'Only those whose name contains this, in any case.' }),
  ),
  tag: Maybe(Tag),
  source: Maybe(
    Type.String({ maxLength: 64, description: 'Only those that came this way, such as `file` or `video_url`.' }),
  ),
  created_after: date('Only those whose upload began then or later, ISO 8601.'),
  created_before: date('Only those whose upload began before then, ISO 8601.'),
  // Not nullable: the conversion of query values would take false for null.
  deleted: Type.Optional(
    Type.Boolean({ description: 'True: deleted videos that can still be restored, instead of those that are there.' }),
  ),
  sort: Maybe(
    Type.Union([Type.Literal('-created_at'), Type.Literal('created_at'), Type.Literal('name'), Type.Literal('-name')], {
      description: 'Order; a minus is descending. Without it: `-created_at`, newest first.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: 'How many videos at most; 100 without it.' }),
  ),
  cursor: Maybe(
    Type.String({ maxLength: 4_000, description: 'The `next_cursor` of the page before; the order stays the same.' }),
  ),
});

const Restorable = {
  restorable_until: Nullable(
    Type.String({
      format: 'date-time',
      description: 'Until when a deleted video can be restored; null: it cannot, or need not.',
    }),
  ),
};

const LIBRARY_EXAMPLE = {
  ...EXAMPLE,
  size_bytes: 7_340_032,
  source: 'file',
  tags: ['night'],
  metadata: { vehicle: 'A7' },
  restorable_until: null,
};

export const LibraryVideo = Type.Object(
  {
    ...Item,
    source: Type.String({ description: 'How it came: `file` or `video_url`.' }),
    tags: Tags,
    metadata: Type.Record(Type.String(), Type.Union([...MetadataValue]), { description: 'What users say of it.' }),
    ...Restorable,
  },
  {
    description: 'A video of the library.',
    examples: [LIBRARY_EXAMPLE],
  },
);

export const LibraryPage = Type.Object(
  { videos: Type.Array(LibraryVideo, { description: 'In the order that was asked for.' }), ...Paging },
  {
    description: 'A page of the library.',
    examples: [{ videos: [LIBRARY_EXAMPLE], has_more: false, next_cursor: null }],
  },
);

export const Changes = Type.Object(
  {
    name: Maybe(Type.String({ minLength: 1, maxLength: 255, description: 'A new name.' })),
    folder_id: Maybe(
      Type.String({ maxLength: 255, description: 'The folder to move it into; null takes it out of its folder.' }),
    ),
    tags: Maybe(Type.Array(Tag, { maxItems: 50, description: 'All of its tags, in place of those it has.' })),
    metadata: Maybe(
      Type.Record(Type.String({ minLength: 1, maxLength: 128 }), Type.Union([...MetadataValue, Type.Null()]), {
        maxProperties: 64,
        description: 'Names and values to say of it, beside those it has; null drops a name.',
      }),
    ),
  },
  {
    description: 'What is to change; what is left out stays.',
    examples: [{ name: 'junction, night.mp4', tags: ['night', 'rain'], metadata: { vehicle: 'A7', route: null } }],
  },
);

const VideoIds = Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
  minItems: 1,
  maxItems: 500,
  description: 'The videos; doubles count once.',
});
const Erase = { description: 'Erase at once, with no time to restore.' };

export const Removal = Type.Object({ erase: Type.Optional(Type.Boolean(Erase)) });
export const RemovalOfMany = Type.Object(
  { video_ids: VideoIds, erase: Maybe(Type.Boolean(Erase)) },
  { description: 'Videos to delete.', examples: [{ video_ids: [EXAMPLE.video_id] }] },
);
export const RestorationOfMany = Type.Object(
  { video_ids: VideoIds },
  { description: 'Videos to restore.', examples: [{ video_ids: [EXAMPLE.video_id] }] },
);
export const MoveOfMany = Type.Object(
  {
    video_ids: VideoIds,
    folder_id: Nullable(
      Type.String({ maxLength: 255, description: 'The folder to move them into; null takes them out of theirs.' }),
    ),
  },
  {
    description: 'Videos to move.',
    examples: [{ video_ids: [EXAMPLE.video_id], folder_id: '019a0b1c2d3e7f008000000000000003' }],
  },
);

export const Outcomes = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        video_id: Type.String({ description: 'Identifier of the video.' }),
        ok: Type.Boolean({ description: 'Whether it was done.' }),
        status: Type.Optional(Type.Integer({ description: 'Only when not: the status it would have had alone.' })),
        error: Type.Optional(Type.String({ description: 'Only when not: the code of the reason.' })),
        message: Type.Optional(Type.String({ description: 'Only when not: the reason, in a sentence.' })),
      }),
      { description: 'What became of each, in the order of the request. One that fails stops no other.' },
    ),
  },
  { description: 'What became of each video.', examples: [{ results: [{ video_id: EXAMPLE.video_id, ok: true }] }] },
);

export const Deleted = Type.Object(
  {
    status: Type.Literal('deleted', { description: 'Always `deleted`.' }),
    video_id: Type.String({ description: 'Identifier of the video that was.' }),
    ...Restorable,
  },
  {
    description: 'The video is gone.',
    examples: [{ status: 'deleted', video_id: EXAMPLE.video_id, restorable_until: '2026-11-22T09:30:00.000Z' }],
  },
);
