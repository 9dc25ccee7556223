import { Type } from 'typebox';
import { Maybe, Nullable } from '#platform/http/index';

export const Scope = Type.Union([Type.Literal('user'), Type.Literal('org')], {
  description:
    'Who sees the videos: `user`, you alone; `org`, the organisation. Without it: as the folder, else `user`.',
});
const KEY_LENGTH = 2_000;
const NAMES = 10_000;
/** Bytes that a request for an import may have: as many names as it may give, of any length. */
export const BODY_BYTES = NAMES * (KEY_LENGTH + 100);
const Key = Type.String({ minLength: 1, maxLength: KEY_LENGTH });
const Names = Type.Array(Key, {
  minItems: 1,
  maxItems: NAMES,
  description: 'Names of objects in the bucket, or their addresses (`s3://bucket/key`). Doubles count once.',
});
const Sets = Type.Array(
  Type.Object(
    {
      views: Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Key, {
        maxProperties: 32,
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
export const SELECTION = {
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
export const Sidecars = Type.Boolean({
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
export const FolderId = Type.String({ maxLength: 255, description: 'Folder that the videos go to.' });

export const DESTINATION = { folder_id: Maybe(FolderId), scope: Maybe(Scope), sidecars: Maybe(Sidecars) };
const Force = Type.Boolean({
  description: 'Whether objects that were imported already, in the same version, are imported again. Default false.',
});
const REQUEST = {
  integration_id: Maybe(IntegrationId),
  bucket: Maybe(BucketName),
  sets: Maybe(Sets),
  force: Maybe(Force),
};
export const EXAMPLE_ID = '019a0b1c2d3e7f008000000000000021';

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
export const Uri = Type.String({ description: 'Address of the object: `s3://bucket/key`.' });
export const JobId = Type.String({ description: 'Identifier of the import job, `ij_` and 12 hexadecimal digits.' });

export const ImportStarted = Type.Object(
  {
    import_job_id: JobId,
    status: JobStatus,
    total: Type.Integer({ minimum: 0, description: 'Rows so far: all of them when objects were named.' }),
    skipped: Type.Integer({ minimum: 0, description: 'Objects so far that were imported already and are skipped.' }),
    uploaded_video_ids: Type.Array(Type.String(), {
      description:
        'The ids that the named objects will have as videos, in their order, or have already; empty for a selection.',
    }),
  },
  {
    description: 'The import has begun.',
    examples: [
      {
        import_job_id: 'ij_0a1b2c3d4e5f',
        status: 'importing',
        total: 2,
        skipped: 0,
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
  terminal: false,
  poll_after_seconds: 2,
  listed: true,
  total: 2,
  objects: 2,
  uploaded: 1,
  skipped: 0,
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
    terminal: Type.Boolean({
      description: 'Whether it has ended: nothing of it changes any more unless it is retried.',
    }),
    poll_after_seconds: Nullable(
      Type.Integer({
        minimum: 1,
        description: 'Seconds to wait before the next request for its state; null once it has ended.',
      }),
    ),
    listed: Type.Boolean({ description: 'Whether all rows are there; until then `total` grows.' }),
    total: Type.Integer({ minimum: 0, description: 'Rows: objects, or sets of views.' }),
    objects: Type.Integer({ minimum: 0, description: 'Objects: each view of a set counts.' }),
    uploaded: Type.Integer({ minimum: 0, description: 'Objects that are in the library, skipped ones included.' }),
    skipped: Type.Integer({
      minimum: 0,
      description: 'Those of `uploaded` that were imported already, and were not imported again.',
    }),
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
