import { Type } from 'typebox';
import { Maybe, Name, Nullable, resource, Timestamp } from '#platform/http/index';
import { DERIVED_EXAMPLE, IngestStatusField, Text } from '../ingest-schema.ts';
import { DESTINATION_FIELDS, ID } from '../schema.ts';

const MAX_FILES = 100;

export const ImportParams = Type.Object({
  mcap_import_job_id: Type.String({ minLength: 1, maxLength: 64, description: 'Identifier of the import job.' }),
});

export const McapFilesToImport = resource(
  'McapFilesToImport',
  Type.Object(
    {
      integration_id: Type.String({ description: 'Integration that opens the bucket, of any type.' }),
      files: Type.Array(
        Type.Object({
          key: Type.String({ minLength: 1, maxLength: 1_024, description: 'Key of the object in the bucket.' }),
          filename: Maybe(
            Name({
              minLength: 0,
              maxLength: 255,
              description: 'Name of the recording. Default: the last segment of the key.',
            }),
          ),
        }),
        {
          minItems: 1,
          maxItems: MAX_FILES,
          description: `Recordings, 1 to ${MAX_FILES}; each becomes an ingest.`,
        },
      ),
      force: Maybe(
        Type.Boolean({
          description:
            'If true, files that were already imported in the same version are imported again. Default false.',
        }),
      ),
      ...DESTINATION_FIELDS,
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
  ),
);

export const McapImportResource = resource(
  'McapImportJob',
  Type.Object(
    {
      mcap_import_job_id: Type.String({ description: 'Identifier of the import job.' }),
      status: Type.String({
        description:
          '`transferring` until all files are stored, `processing` until their videos exist; then `completed`, `partial` or `failed`.',
      }),
      error: Text('File that failed, with the reason.'),
      total: Type.Integer({ description: 'Number of files.' }),
      skipped: Type.Integer({ description: 'Number of files that an earlier import had already imported.' }),
      ingests: Type.Array(
        Type.Object(
          {
            mcap_ingest_id: Type.String({ description: 'Id of the ingest (`/api/mcap/{ingest_id}`).' }),
            filename: Type.String({ description: 'Name of the recording.' }),
            key: Type.String({ description: 'Key of the object in the bucket.' }),
            status: IngestStatusField,
            skipped: Nullable(
              Type.Literal('already imported', {
                description: '`already imported` if this is the ingest of an earlier import of the object. Else null.',
              }),
            ),
            error: Text('Reason why the file failed.'),
            video_ids: Type.Array(Type.String(), { description: 'Ids of its completed videos.' }),
          },
          { additionalProperties: true },
        ),
        { description: 'Files of the import.' },
      ),
      video_ids: Type.Array(Type.String(), { description: 'Ids of all completed videos.' }),
      created_at: Timestamp({ description: 'Time of the request, ISO 8601, UTC.' }),
    },
    {
      additionalProperties: true,
      description: 'An import of recordings.',
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
  ),
);
