import { Type } from 'typebox';
import { Maybe, Nullable } from '#platform/http/index';

const Scope = Type.Union([Type.Literal('user'), Type.Literal('org')], {
  description:
    'Who sees the videos: `user`, you alone; `org`, the organisation. Without it: as the folder, else `user`.',
});
const Key = Type.String({ minLength: 1, maxLength: 2_000 });
const Names = Type.Array(Key, {
  minItems: 1,
  maxItems: 10_000,
  description: 'Names of objects in the bucket, or their addresses (`s3://bucket/key`). Doubles count once.',
});
const Sets = Type.Array(
  Type.Object(
    {
      views: Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Key, {
        description: 'Object by role: `front`, which each set has, and others such as `left`, `right`, `rear`.',
      }),
    },
    { description: 'Views of one scene.' },
  ),
  {
    minItems: 1,
    maxItems: 2_000,
    description: 'Sets of views, in place of single objects. A row of the import is a set.',
  },
);
const Pattern = Type.String({ minLength: 1, maxLength: 500 });
const SELECTION = {
  prefix: Maybe(
    Type.String({
      maxLength: 1_024,
      description: 'Bring what begins with this; without it the prefix of the integration.',
    }),
  ),
  include: Maybe(
    Type.Array(Pattern, {
      maxItems: 20,
      description:
        'Of these only what fits one of the patterns: `*` within a folder, `**` across folders, `?` one character.',
    }),
  ),
  exclude: Maybe(Type.Array(Pattern, { maxItems: 20, description: 'And not what fits one of these.' })),
};
const Sidecars = Type.Boolean({
  description:
    'Whether what was measured beside a video comes with it: an object of the same name with the ending `.json`, `.csv` or `.srt`. Default false.',
});
const IntegrationId = Type.String({
  maxLength: 255,
  description: 'The saved integration that opens the bucket; without it the one that was saved for the bucket.',
});
const BucketName = Type.String({
  maxLength: 255,
  description: 'Name of the bucket; may be left out with `integration_id`.',
});
const FolderId = Type.String({ maxLength: 255, description: 'Folder that the videos go to.' });

const DESTINATION = { folder_id: Maybe(FolderId), scope: Maybe(Scope), sidecars: Maybe(Sidecars) };
const REQUEST = { integration_id: Maybe(IntegrationId), bucket: Maybe(BucketName), sets: Maybe(Sets) };
const EXAMPLE_ID = '019a0b1c2d3e7f008000000000000021';

export const ImportFiles = Type.Object(
  { files: Maybe(Names), ...REQUEST, ...SELECTION, ...DESTINATION },
  {
    description: 'Either `files`, or `sets`, or a selection by `prefix`, `include` and `exclude`.',
    examples: [
      { integration_id: EXAMPLE_ID, files: ['drives/a.mp4', 'drives/b.mp4'], folder_id: null },
      { integration_id: EXAMPLE_ID, prefix: 'drives/', include: ['**/front_*.mp4'], sidecars: true },
    ],
  },
);

export const ImportKeys = Type.Object(
  { keys: Maybe(Names), ...REQUEST, ...SELECTION, ...DESTINATION },
  {
    description: 'Either `keys`, or `sets`, or a selection by `prefix`, `include` and `exclude`.',
    examples: [
      { bucket: 'fleet-recordings', keys: ['drives/a.mp4', 'drives/b.mp4'], folder_id: null, scope: 'org' },
      {
        bucket: 'fleet-recordings',
        sets: [{ views: { front: 's3://fleet-recordings/1/front.mp4', left: 's3://fleet-recordings/1/left.mp4' } }],
      },
    ],
  },
);

const Provider = Type.Union([Type.Literal('gcs'), Type.Literal('s3'), Type.Literal('hf_bucket')], {
  description: 'Where the bucket is.',
});
const JobStatus = Type.Union(
  [
    Type.Literal('importing'),
    Type.Literal('completed'),
    Type.Literal('partial'),
    Type.Literal('failed'),
    Type.Literal('cancelled'),
  ],
  {
    description:
      '`importing`; then `completed` (all came), `partial` (some came), `failed` (none came) or `cancelled`.',
  },
);
const JobId = Type.String({ description: 'Identifier of the import job, `ij_` and 12 hexadecimal digits.' });

export const ImportStarted = Type.Object(
  {
    import_job_id: JobId,
    status: JobStatus,
    total: Type.Integer({ minimum: 0, description: 'Rows so far: all of them when objects were named.' }),
    uploaded_video_ids: Type.Array(Type.String(), {
      description: 'The ids that the named objects will have as videos, in their order; empty for a selection.',
    }),
  },
  {
    description: 'The import has begun.',
    examples: [
      {
        import_job_id: 'ij_0a1b2c3d4e5f',
        status: 'importing',
        total: 2,
        uploaded_video_ids: ['019a0b1c2d3e7f008000000000000031', '019a0b1c2d3e7f008000000000000032'],
      },
    ],
  },
);

export const JobParams = Type.Object({
  job_id: Type.String({ minLength: 1, maxLength: 255, description: 'Identifier of the import job.' }),
});

const JOB_EXAMPLE = {
  id: 'ij_0a1b2c3d4e5f',
  import_job_id: 'ij_0a1b2c3d4e5f',
  job_id: 'ij_0a1b2c3d4e5f',
  status: 'importing' as const,
  source: 's3' as const,
  bucket: 'fleet-recordings',
  prefix: 'drives/',
  integration_id: EXAMPLE_ID,
  sync_id: null,
  folder_id: null,
  folder_name: null,
  scope: 'org' as const,
  listed: true,
  total: 2,
  objects: 2,
  uploaded: 1,
  failed: 0,
  error: null,
  message: null,
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:05.000Z',
  completed_at: null,
};

export const ImportJobAnswer = Type.Object(
  {
    id: JobId,
    import_job_id: JobId,
    job_id: JobId,
    status: JobStatus,
    source: Provider,
    bucket: Type.String({ description: 'Name of the bucket.' }),
    prefix: Nullable(Type.String({ description: 'Prefix of the selection; null when objects were named.' })),
    integration_id: Nullable(
      Type.String({ description: 'The integration; null: a public bucket, or it was deleted.' }),
    ),
    sync_id: Nullable(Type.String({ description: 'The scheduled import that this is a run of.' })),
    folder_id: Nullable(FolderId),
    folder_name: Nullable(Type.String({ description: 'Name of that folder.' })),
    scope: Scope,
    listed: Type.Boolean({ description: 'Whether all rows are there; until then `total` grows.' }),
    total: Type.Integer({ minimum: 0, description: 'Rows: objects, or sets of views.' }),
    objects: Type.Integer({ minimum: 0, description: 'Objects: each view of a set counts.' }),
    uploaded: Type.Integer({ minimum: 0, description: 'Objects that are videos by now.' }),
    failed: Type.Integer({ minimum: 0, description: 'Objects that did not come.' }),
    error: Nullable(Type.String({ description: 'Code of why the bucket could not be listed to its end.' })),
    message: Nullable(Type.String({ description: 'The same in a sentence.' })),
    created_at: Type.String({ format: 'date-time', description: 'When it began, ISO 8601, UTC.' }),
    updated_at: Type.String({ format: 'date-time', description: 'When it last came on.' }),
    completed_at: Nullable(Type.String({ format: 'date-time', description: 'When it ended.' })),
  },
  { additionalProperties: true, description: 'An import job.', examples: [JOB_EXAMPLE] },
);

export const ImportJobList = Type.Object(
  {
    import_jobs: Type.Array(ImportJobAnswer, { description: 'Newest first.' }),
    has_more: Type.Boolean({ description: 'Whether more follow.' }),
    next_cursor: Nullable(Type.String({ description: 'Give it as `cursor` to get them.' })),
  },
  {
    description: 'A page of import jobs.',
    examples: [{ import_jobs: [JOB_EXAMPLE], has_more: false, next_cursor: null }],
  },
);

export const JobListQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'How many at most; 100 without it.' })),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the page before.' })),
});

export const RowsQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Rows at most; 500 without it.' })),
  cursor: Type.Optional(
    Type.String({ maxLength: 255, description: 'The `next_cursor` of the page before: its last `video_id`.' }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Rows to pass over, in place of `cursor`. Not for imports of sets.',
    }),
  ),
});

const RowStatus = Type.String({
  description: '`PROCESSING`, and at the end `UPLOADED` or `UPLOADING_FAILED`. Of a set: of all its views.',
});
const VideoId = Type.String({
  description: 'Id of the video that it becomes; of a recording, of its ingest (`/api/mcap/{ingest_id}`).',
});
const Kind = Type.String({
  description:
    'What it is: `video`, or `recording` (MCAP), which is `UPLOADED` once it is here and becomes videos then.',
});
const Uri = Type.String({ description: 'Address of the object: `s3://bucket/key`.' });
const Reason = Nullable(Type.String({ description: 'Code of why it did not come.' }));
const Sentence = Nullable(Type.String({ description: 'The same in a sentence.' }));

const ROW_EXAMPLE = {
  video_id: '019a0b1c2d3e7f008000000000000031',
  kind: 'video',
  status: 'UPLOADED',
  import_source_uri: 's3://fleet-recordings/drives/a.mp4',
  size_bytes: 1_048_576,
  error: null,
  message: null,
};

export const RowsAnswer = Type.Object(
  {
    import_job_id: JobId,
    videos: Type.Array(
      Type.Object(
        {
          video_id: VideoId,
          kind: Kind,
          status: RowStatus,
          import_source_uri: Uri,
          size_bytes: Nullable(Type.Integer({ minimum: 0, description: 'Size of the object, once it is known.' })),
          error: Reason,
          message: Sentence,
          views: Type.Optional(
            Type.Record(
              Type.String(),
              Type.Object(
                {
                  video_id: VideoId,
                  kind: Kind,
                  status: RowStatus,
                  import_source_uri: Uri,
                  error: Reason,
                  message: Sentence,
                },
                { description: 'One view.' },
              ),
              { description: 'The views of a set by role.' },
            ),
          ),
        },
        { additionalProperties: true, description: 'A row: an object, or a set by its front view.' },
      ),
      { description: 'One page, in the order in which the objects were named or listed.' },
    ),
    total: Type.Integer({ minimum: 0, description: 'Rows of the job so far.' }),
    video_count: Type.Integer({ minimum: 0, description: 'Rows of this page.' }),
    has_more: Type.Boolean({ description: 'Whether more rows follow now.' }),
    next_cursor: Nullable(Type.String({ description: 'Give it as `cursor` to get them; null without more.' })),
    limit: Type.Integer({ minimum: 1, description: 'Rows that a page has at most.' }),
    cursor: Nullable(Type.String({ description: 'The cursor that was given.' })),
  },
  {
    additionalProperties: true,
    description: 'A page of the rows of an import job.',
    examples: [
      {
        import_job_id: 'ij_0a1b2c3d4e5f',
        videos: [ROW_EXAMPLE],
        total: 2,
        video_count: 1,
        has_more: true,
        next_cursor: '019a0b1c2d3e7f008000000000000031',
        limit: 1,
        cursor: null,
      },
    ],
  },
);

export const PreviewBody = Type.Object(
  {
    source: Maybe(Provider),
    integration_id: Maybe(IntegrationId),
    bucket: Maybe(BucketName),
    ...SELECTION,
    cursor: Maybe(Type.String({ maxLength: 5_000, description: 'The `next_cursor` of the page before.' })),
  },
  {
    description: 'A selection to look at. `source` is needed where no integration says it.',
    examples: [{ integration_id: EXAMPLE_ID, prefix: 'drives/', include: ['**/front_*.mp4'] }],
  },
);

export const PreviewAnswer = Type.Object(
  {
    objects: Type.Array(
      Type.Object(
        {
          key: Type.String({ description: 'Name of the object.' }),
          import_source_uri: Uri,
          size_bytes: Type.Integer({ minimum: 0, description: 'Size of the object.' }),
        },
        { description: 'An object that an import would bring.' },
      ),
      { description: 'What would come, in the order of the bucket.' },
    ),
    passed_over: Type.Integer({ minimum: 0, description: 'Objects of this page that would not come.' }),
    has_more: Type.Boolean({ description: 'Whether the bucket goes on.' }),
    next_cursor: Nullable(Type.String({ description: 'Give it as `cursor` to go on.' })),
  },
  {
    description: 'A page of what would be imported.',
    examples: [
      {
        objects: [
          {
            key: 'drives/front_1.mp4',
            import_source_uri: 's3://fleet-recordings/drives/front_1.mp4',
            size_bytes: 1_048_576,
          },
        ],
        passed_over: 3,
        has_more: false,
        next_cursor: null,
      },
    ],
  },
);

export const NewSyncBody = Type.Object(
  {
    integration_id: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The saved integration that opens the bucket.',
    }),
    ...SELECTION,
    ...DESTINATION,
    every_minutes: Maybe(
      Type.Integer({
        minimum: 1,
        maximum: 44_640,
        description: 'How often the bucket is looked at, in minutes; default 60.',
      }),
    ),
  },
  {
    description: 'A selection to import again and again.',
    examples: [{ integration_id: EXAMPLE_ID, prefix: 'drives/', every_minutes: 15, scope: 'org' }],
  },
);

export const SyncParams = Type.Object({
  sync_id: Type.String({ minLength: 1, maxLength: 255, description: 'Identifier of the scheduled import.' }),
});

const SYNC_EXAMPLE = {
  id: '019a0b1c2d3e7f008000000000000041',
  integration_id: EXAMPLE_ID,
  prefix: 'drives/',
  include: [],
  exclude: [],
  folder_id: null,
  scope: 'org' as const,
  sidecars: false,
  every_minutes: 15,
  next_run_at: '2026-11-21T09:45:00.000Z',
  error: null,
  message: null,
  last_import_job_id: 'ij_0a1b2c3d4e5f',
  created_at: '2026-11-21T09:30:00.000Z',
};

export const SyncAnswer = Type.Object(
  {
    id: Type.String({ description: 'Identifier of the scheduled import.' }),
    integration_id: Type.String({ description: 'The integration that it uses.' }),
    prefix: Type.String({ description: 'What it brings begins with this.' }),
    include: Type.Array(Type.String(), { description: 'Patterns, one of which must fit.' }),
    exclude: Type.Array(Type.String(), { description: 'Patterns, none of which may fit.' }),
    folder_id: Nullable(FolderId),
    scope: Scope,
    sidecars: Sidecars,
    every_minutes: Type.Integer({ minimum: 1, description: 'How often the bucket is looked at, in minutes.' }),
    next_run_at: Nullable(
      Type.String({ format: 'date-time', description: 'When it is due, ISO 8601, UTC; null: it has stopped.' }),
    ),
    error: Nullable(
      Type.String({
        description:
          'Code of why it has stopped: whoever made it left, or may not use the integration or folder any more.',
      }),
    ),
    message: Nullable(Type.String({ description: 'The same in a sentence.' })),
    last_import_job_id: Nullable(
      Type.String({ description: 'Its last run; a run that brought nothing new is not kept.' }),
    ),
    created_at: Type.String({ format: 'date-time', description: 'When it was made.' }),
  },
  { description: 'A scheduled import.', examples: [SYNC_EXAMPLE] },
);

export const SyncList = Type.Object(
  { syncs: Type.Array(SyncAnswer, { description: 'Oldest first.' }) },
  { description: 'The scheduled imports that you see.', examples: [{ syncs: [SYNC_EXAMPLE] }] },
);

export const SyncDeleted = Type.Object(
  {
    status: Type.Literal('deleted', { description: 'Always `deleted`.' }),
    id: Type.String({ description: 'Identifier of the scheduled import that was.' }),
  },
  { description: 'It runs no more; what it brought stays.', examples: [{ status: 'deleted', id: SYNC_EXAMPLE.id }] },
);
