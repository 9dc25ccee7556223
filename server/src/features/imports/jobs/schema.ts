import { Type } from 'typebox';
import { Maybe, Nullable, resource, Timestamp } from '#platform/http/index';
import { DestinationFields, EXAMPLE_INTEGRATION_ID, FolderId, Scope, SelectionFields } from '../schema.ts';

/** Length of an object's key, in characters. */
export const MAX_KEY_LENGTH = 2_000;
const MAX_NAMES = 10_000;
/** Body limit of import requests, in bytes: the most names, each of the greatest length. */
export const BODY_BYTES = MAX_NAMES * (MAX_KEY_LENGTH + 100);
const Key = Type.String({ minLength: 1, maxLength: MAX_KEY_LENGTH });
const Names = Type.Array(Key, {
  minItems: 1,
  maxItems: MAX_NAMES,
  description: 'Object keys or URIs (`s3://bucket/key`). Duplicates count once.',
});
const Sets = Type.Array(
  Type.Object(
    {
      views: Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Key, {
        maxProperties: 32,
        description: 'Object key or URI by view role. `front` is required; others are, for example, `left` and `rear`.',
      }),
    },
    { description: 'Views of one scene.' },
  ),
  {
    minItems: 1,
    maxItems: 2_000,
    description: 'Sets of views, instead of single objects. Each set is one row of the import.',
  },
);
const IntegrationId = Type.String({
  maxLength: 255,
  description: 'Integration that opens the bucket. Default: the one saved for the bucket.',
});
const BucketName = Type.String({
  maxLength: 255,
  description: 'Name of the bucket. Optional if `integration_id` is given.',
});
const Force = Type.Boolean({
  description: 'If true, objects that were already imported in the same version are imported again. Default false.',
});
const requestFields = {
  integration_id: Maybe(IntegrationId),
  bucket: Maybe(BucketName),
  sets: Maybe(Sets),
  force: Maybe(Force),
  ...SelectionFields.properties,
  ...DestinationFields.properties,
};

export const FilesToImport = resource(
  'FilesToImport',
  Type.Object(
    { files: Maybe(Names), ...requestFields },
    {
      description: 'Objects to import: `files`, `sets`, or a selection by `prefix`, `include` and `exclude`.',
      examples: [
        { integration_id: EXAMPLE_INTEGRATION_ID, files: ['drives/a.mp4', 'drives/b.mp4'], folder_id: null },
        { integration_id: EXAMPLE_INTEGRATION_ID, prefix: 'drives/', include: ['**/front_*.mp4'], sidecars: true },
      ],
    },
  ),
);

export const KeysToImport = resource(
  'KeysToImport',
  Type.Object(
    { keys: Maybe(Names), ...requestFields },
    {
      description: 'Objects to import: `keys`, `sets`, or a selection by `prefix`, `include` and `exclude`.',
      examples: [
        { bucket: 'fleet-recordings', keys: ['drives/a.mp4', 'drives/b.mp4'], folder_id: null, scope: 'org' },
        {
          bucket: 'fleet-recordings',
          sets: [{ views: { front: 's3://fleet-recordings/1/front.mp4', left: 's3://fleet-recordings/1/left.mp4' } }],
        },
      ],
    },
  ),
);

const Provider = Type.Union([Type.Literal('gcs'), Type.Literal('s3'), Type.Literal('hf_bucket')], {
  description: 'Provider of the bucket.',
});
export const Status = Type.Union(
  [
    Type.Literal('importing'),
    Type.Literal('completed'),
    Type.Literal('partial'),
    Type.Literal('failed'),
    Type.Literal('cancelled'),
  ],
  {
    description:
      '`importing`, then `completed` (all objects imported), `partial` (some failed), `failed` (all failed) or `cancelled`.',
  },
);
export const Uri = Type.String({ description: 'URI of the object: `s3://bucket/key`.' });
export const JobId = Type.String({ description: 'Id of the import job: `ij_` and 12 hexadecimal digits.' });

export const StartedImport = resource(
  'StartedImport',
  Type.Object(
    {
      import_job_id: JobId,
      status: Status,
      total: Type.Integer({ minimum: 0, description: 'Number of rows so far; final if the request named objects.' }),
      skipped: Type.Integer({ minimum: 0, description: 'Number of objects so far that were already imported.' }),
      uploaded_video_ids: Type.Array(Type.String(), {
        description: 'Ids of the videos of the named objects, in request order. Empty for a selection.',
      }),
    },
    {
      description: 'The started import.',
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
  ),
);

export const JobParams = Type.Object({
  job_id: Type.String({ minLength: 1, maxLength: 255, description: 'Id of the import job.' }),
});

export const RowsToRetry = resource(
  'RowsToRetry',
  Maybe(
    Type.Object(
      {
        video_ids: Maybe(
          Type.Array(Type.String({ maxLength: 255 }), {
            minItems: 1,
            maxItems: 10_000,
            uniqueItems: true,
            description: 'Videos whose failed rows are retried; the front of a set stands for all views. Default: all.',
          }),
        ),
      },
      {
        additionalProperties: true,
        description: 'The rows to retry.',
        examples: [{ video_ids: ['019a0b1c2d3e7f008000000000000003'] }],
      },
    ),
  ),
);

const JOB_EXAMPLE = {
  id: 'ij_0a1b2c3d4e5f',
  import_job_id: 'ij_0a1b2c3d4e5f',
  job_id: 'ij_0a1b2c3d4e5f',
  status: 'importing' as const,
  source: 's3' as const,
  bucket: 'fleet-recordings',
  prefix: 'drives/',
  integration_id: EXAMPLE_INTEGRATION_ID,
  sync_id: null,
  folder_id: null,
  folder_name: null,
  scope: 'org' as const,
  source_format: null,
  summary: { completed: 1, failed: 0 },
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

export const ImportJobResource = resource(
  'ImportJob',
  Type.Object(
    {
      id: JobId,
      import_job_id: JobId,
      job_id: JobId,
      status: Status,
      source: Provider,
      bucket: Type.String({ description: 'Name of the bucket.' }),
      prefix: Nullable(Type.String({ description: 'Prefix of the selection; null if the request named objects.' })),
      integration_id: Nullable(
        Type.String({
          description: 'Integration that opens the bucket; null for a public bucket or after its deletion.',
        }),
      ),
      sync_id: Nullable(Type.String({ description: 'Scheduled import that started this job.' })),
      folder_id: Nullable(FolderId),
      folder_name: Nullable(Type.String({ description: 'Name of the folder.' })),
      scope: Scope,
      source_format: Nullable(
        Type.String({ description: 'Format of recordings that are imported by directory; null for other imports.' }),
      ),
      summary: Type.Object(
        {
          completed: Type.Integer({ minimum: 0, description: 'Number of objects that are imported completely.' }),
          failed: Type.Integer({ minimum: 0, description: 'Number of objects that failed.' }),
        },
        { description: 'Outcome so far. Recordings that are imported by directory count once they are videos.' },
      ),
      terminal: Type.Boolean({ description: 'True once the import has ended; it then only changes if it is retried.' }),
      poll_after_seconds: Nullable(
        Type.Integer({
          minimum: 1,
          description: 'Seconds to wait before you poll again; null once the import has ended.',
        }),
      ),
      listed: Type.Boolean({ description: 'True once the bucket is listed; `total` grows until then.' }),
      total: Type.Integer({ minimum: 0, description: 'Number of rows: objects, or sets of views.' }),
      objects: Type.Integer({ minimum: 0, description: 'Number of objects; each view of a set counts.' }),
      uploaded: Type.Integer({ minimum: 0, description: 'Number of objects in the library, including skipped ones.' }),
      skipped: Type.Integer({
        minimum: 0,
        description: 'Number of those in `uploaded` that an earlier import had already imported.',
      }),
      failed: Type.Integer({ minimum: 0, description: 'Number of objects that could not be imported.' }),
      error: Nullable(Type.String({ description: 'Error code if the bucket could not be listed completely.' })),
      message: Nullable(Type.String({ description: 'Explanation of `error`.' })),
      created_at: Timestamp({ description: 'Start time, ISO 8601, UTC.' }),
      updated_at: Timestamp({ description: 'Time of the last progress.' }),
      completed_at: Nullable(Timestamp({ description: 'End time.' })),
    },
    { additionalProperties: true, description: 'An import job.', examples: [JOB_EXAMPLE] },
  ),
);

export const ImportJobList = resource(
  'ImportJobList',
  Type.Object(
    {
      import_jobs: Type.Array(ImportJobResource, { description: 'Import jobs, newest first.' }),
      has_more: Type.Boolean({ description: 'True if there are more import jobs.' }),
      next_cursor: Nullable(Type.String({ description: 'Pass it as `cursor` to get the next page.' })),
    },
    {
      description: 'A page of import jobs.',
      examples: [{ import_jobs: [JOB_EXAMPLE], has_more: false, next_cursor: null }],
    },
  ),
);

export const JobListQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Page size. Default 100.' })),
  cursor: Maybe(Type.String({ maxLength: 255, description: '`next_cursor` of the previous page.' })),
});

export const SelectionToPreview = resource(
  'SelectionToPreview',
  Type.Object(
    {
      source: Maybe(Provider),
      integration_id: Maybe(IntegrationId),
      bucket: Maybe(BucketName),
      ...SelectionFields.properties,
      cursor: Maybe(Type.String({ maxLength: 5_000, description: '`next_cursor` of the previous page.' })),
    },
    {
      description: 'A selection to preview. `source` is required if no `integration_id` is given.',
      examples: [{ integration_id: EXAMPLE_INTEGRATION_ID, prefix: 'drives/', include: ['**/front_*.mp4'] }],
    },
  ),
);

export const ImportPreview = resource(
  'ImportPreview',
  Type.Object(
    {
      objects: Type.Array(
        Type.Object(
          {
            key: Type.String({ description: 'Key of the object.' }),
            import_source_uri: Uri,
            size_bytes: Type.Integer({ minimum: 0, description: 'Size of the object in bytes.' }),
          },
          { description: 'An object that would be imported.' },
        ),
        { description: 'Objects that would be imported, in the order of the bucket.' },
      ),
      passed_over: Type.Integer({ minimum: 0, description: 'Number of objects on this page that do not match.' }),
      has_more: Type.Boolean({ description: 'True if the bucket has more objects.' }),
      next_cursor: Nullable(Type.String({ description: 'Pass it as `cursor` to get the next page.' })),
    },
    {
      description: 'A page of objects that would be imported.',
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
  ),
);
