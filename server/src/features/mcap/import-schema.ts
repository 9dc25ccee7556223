import { Type } from 'typebox';
import { Maybe, Name, Nullable } from '#platform/http/index';
import { DERIVED_EXAMPLE, ID, PLACE, Status, Text } from './schema.ts';

const MAX_FILES = 100;

export const ImportId = Type.Object({
  mcap_import_job_id: Type.String({ minLength: 1, maxLength: 64, description: 'Identifier of the import job.' }),
});

export const CloudIngest = Type.Object(
  {
    integration_id: Type.String({ description: 'A saved integration of any type; its credentials read the objects.' }),
    files: Type.Array(
      Type.Object({
        key: Type.String({ minLength: 1, maxLength: 1_024, description: 'Key of the object in the bucket.' }),
        filename: Maybe(
          Name({ minLength: 0, maxLength: 255, description: 'What to call it; default: the last part of the key.' }),
        ),
      }),
      {
        minItems: 1,
        maxItems: MAX_FILES,
        description: `The recordings, 1 to ${MAX_FILES}; each becomes an ingest of its own.`,
      },
    ),
    force: Maybe(
      Type.Boolean({
        description:
          'Whether files that were imported already, in the same version, are imported again. Default false.',
      }),
    ),
    ...PLACE,
  },
  {
    description: 'Recordings in a bucket.',
    examples: [
      {
        integration_id: '019a0b1c2d3e7f008000000000000040',
        files: [{ key: 'drives/2026-11-21.mcap', filename: 'drive.mcap' }],
        chunk_size: 600,
      },
    ],
  },
);

export const ImportAnswer = Type.Object(
  {
    mcap_import_job_id: Type.String({ description: 'Identifier of the import job.' }),
    status: Type.String({
      description:
        '`transferring` while a file is on its way, `processing` while videos are made; then `completed`, `partial` or `failed`.',
    }),
    error: Text('What went wrong with which file, in a sentence.'),
    total: Type.Integer({ description: 'How many files it has.' }),
    skipped: Type.Integer({ description: 'How many of them were imported already, and are not imported again.' }),
    ingests: Type.Array(
      Type.Object(
        {
          mcap_ingest_id: Type.String({ description: 'The ingest of this file: `/api/mcap/{ingest_id}`.' }),
          filename: Type.String({ description: 'What it is called.' }),
          key: Type.String({ description: 'Its key in the bucket.' }),
          status: Status,
          skipped: Nullable(
            Type.Literal('already imported', {
              description:
                '`already imported`: this is the ingest of an earlier import of the same object. Null otherwise.',
            }),
          ),
          error: Text('What went wrong with it.'),
          video_ids: Type.Array(Type.String(), { description: 'Its videos that are there.' }),
        },
        { additionalProperties: true },
      ),
      { description: 'Its files.' },
    ),
    video_ids: Type.Array(Type.String(), { description: 'All videos that are there.' }),
    created_at: Type.String({ format: 'date-time', description: 'When it was asked for, ISO 8601, UTC.' }),
  },
  {
    additionalProperties: true,
    description: 'How an import of recordings stands.',
    examples: [
      {
        mcap_import_job_id: '019a0b1c2d3e7f008000000000000070',
        status: 'completed',
        error: null,
        total: 1,
        skipped: 0,
        ingests: [
          {
            mcap_ingest_id: ID,
            filename: 'drive.mcap',
            key: 'drives/2026-11-21.mcap',
            status: 'completed',
            skipped: null,
            error: null,
            video_ids: [DERIVED_EXAMPLE.video_id],
          },
        ],
        video_ids: [DERIVED_EXAMPLE.video_id],
        created_at: '2026-11-21T09:31:00.000Z',
      },
    ],
  },
);
