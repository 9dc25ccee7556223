import { Type } from 'typebox';
import { Nullable, resource } from '#platform/http/index';
import { JobId, Uri } from './schema.ts';

export const RowsQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Page size. Default 500.' })),
  cursor: Type.Optional(
    Type.String({ maxLength: 255, description: '`next_cursor` of the previous page: its last `video_id`.' }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Number of rows to skip, instead of `cursor`. Not supported for imports of sets.',
    }),
  ),
});

const rowFields = {
  video_id: Type.String({
    description: 'Id of the video; for a recording, id of its ingest (`/api/mcap/{ingest_id}`).',
  }),
  kind: Type.String({
    description:
      '`video` or `recording` (MCAP). A recording is `UPLOADED` once stored; it is then converted to videos.',
  }),
  status: Type.String({
    description: '`PROCESSING`, then `UPLOADED` or `UPLOADING_FAILED`. The status of a set covers all its views.',
  }),
  skipped: Nullable(
    Type.Literal('already imported', {
      description:
        '`already imported` if an earlier import has this object in the same version; `video_id` is then its video. Else null.',
    }),
  ),
  import_source_uri: Uri,
  error: Nullable(Type.String({ description: 'Error code if the import of the object failed.' })),
  message: Nullable(Type.String({ description: 'Explanation of `error`.' })),
};

export const ImportView = resource('ImportView', Type.Object(rowFields, { description: 'A view of a set.' }));

const ROW_EXAMPLE = {
  video_id: '019a0b1c2d3e7f008000000000000031',
  kind: 'video',
  status: 'UPLOADED',
  skipped: null,
  import_source_uri: 's3://fleet-recordings/drives/a.mp4',
  size_bytes: 1_048_576,
  error: null,
  message: null,
};

const ImportRowResource = resource(
  'ImportRow',
  Type.Object(
    {
      ...rowFields,
      size_bytes: Nullable(Type.Integer({ minimum: 0, description: 'Size of the object in bytes, once known.' })),
      video_ids: Type.Optional(
        Type.Array(Type.String(), { description: 'Of a recording: the videos that it became so far.' }),
      ),
      views: Type.Optional(
        Type.Record(Type.String(), ImportView, {
          description: 'Views of a set, by role.',
        }),
      ),
    },
    { additionalProperties: true, description: 'A row: an object, or a set with the fields of its front view.' },
  ),
);

export const ImportRowList = resource(
  'ImportRowList',
  Type.Object(
    {
      import_job_id: JobId,
      videos: Type.Array(ImportRowResource, {
        description: 'A page of rows, in the order in which the objects were named or listed.',
      }),
      total: Type.Integer({ minimum: 0, description: 'Number of rows of the job so far.' }),
      video_count: Type.Integer({ minimum: 0, description: 'Number of rows on this page.' }),
      has_more: Type.Boolean({ description: 'True if there are more rows now.' }),
      next_cursor: Nullable(Type.String({ description: 'Pass it as `cursor` to get the next page; null at the end.' })),
      limit: Type.Integer({ minimum: 1, description: 'Page size.' }),
      cursor: Nullable(Type.String({ description: 'The cursor of the request.' })),
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
  ),
);
