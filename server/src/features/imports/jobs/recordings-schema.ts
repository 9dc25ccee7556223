import { Type } from 'typebox';
import { Maybe, Nullable, resource } from '#platform/http/index';
import { FolderId, Scope } from '../schema.ts';
import { JobId, MAX_KEY_LENGTH, Status, Uri } from './schema.ts';

const DirectoryToImport = Type.Object(
  {
    source_uri: Type.String({
      minLength: 1,
      maxLength: MAX_KEY_LENGTH,
      description:
        'Directory with the files of one recording or dataset: `gs://bucket/directory/` or `s3://bucket/directory/`.',
    }),
    name: Maybe(Type.String({ maxLength: 255, description: 'Name in the library. Default: that of the directory.' })),
    folder_id: Maybe(FolderId),
  },
  { description: 'A directory.' },
);

export const RecordingsToImport = resource(
  'RecordingsToImport',
  Type.Object(
    {
      source_format: Type.String({
        maxLength: 64,
        description:
          'Format of the recordings: `mcap`, or `lerobot` for datasets of LeRobot (versions 2.0 to 3.0), whose episodes become sets of views.',
      }),
      scope: Maybe(Scope),
      inputs: Type.Array(DirectoryToImport, {
        minItems: 1,
        maxItems: 1_000,
        description: 'The directories, all of one bucket.',
      }),
    },
    {
      description: 'Recordings to import by directory.',
      examples: [
        {
          source_format: 'mcap',
          scope: 'org',
          inputs: [{ source_uri: 'gs://fleet-recordings/drives/0042/', name: 'Morning drive', folder_id: null }],
        },
      ],
    },
  ),
);

export const StartedRecordings = resource(
  'StartedRecordings',
  Type.Object(
    {
      import_job_id: JobId,
      status: Status,
      total: Type.Integer({ minimum: 1, description: 'Number of recordings.' }),
      skipped: Type.Integer({ minimum: 0, description: 'Number of recordings that were already imported.' }),
      video_id: Nullable(
        Type.String({ description: 'Id of the only recording (`/api/mcap/{ingest_id}`); null if there are several.' }),
      ),
      videos: Type.Array(
        Type.Object(
          {
            video_id: Type.String({ description: 'Id of the recording (`/api/mcap/{ingest_id}`).' }),
            source_uri: Uri,
          },
          { description: 'A recording.' },
        ),
        { description: 'The recordings of all directories, in the order of the request.' },
      ),
    },
    {
      description: 'The started import.',
      examples: [
        {
          import_job_id: 'ij_0a1b2c3d4e5f',
          status: 'importing',
          total: 1,
          skipped: 0,
          video_id: '019a0b1c2d3e7f008000000000000031',
          videos: [
            {
              video_id: '019a0b1c2d3e7f008000000000000031',
              source_uri: 'gs://fleet-recordings/drives/0042/drive_0.mcap',
            },
          ],
        },
      ],
    },
  ),
);
