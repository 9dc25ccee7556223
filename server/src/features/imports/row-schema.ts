import { Type } from 'typebox';
import { Nullable } from '#platform/http/index';
import { JobId, Uri } from './schema.ts';

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
const Reason = Nullable(Type.String({ description: 'Code of why it did not come.' }));
const Sentence = Nullable(Type.String({ description: 'The same in a sentence.' }));

const Skipped = Nullable(
  Type.Literal('already imported', {
    description:
      '`already imported`: the object is in the library in this version, and `video_id` is the video of the earlier import. Null otherwise.',
  }),
);

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

export const RowsAnswer = Type.Object(
  {
    import_job_id: JobId,
    videos: Type.Array(
      Type.Object(
        {
          video_id: VideoId,
          kind: Kind,
          status: RowStatus,
          skipped: Skipped,
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
                  skipped: Skipped,
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
