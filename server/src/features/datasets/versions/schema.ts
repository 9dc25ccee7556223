import { Type } from 'typebox';
import { Maybe, Name, Nullable, resource, signature, Timestamp } from '#platform/http/index';
import { DatasetFile, DatasetSplits, DownloadedSplits, FILE_EXAMPLE } from '../schema.ts';

const ID = '019a0b1c2d3e7f008000000000000051';

const datasetId = Type.String({ description: 'Identifier of the dataset.' });
const number = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'Number of the version.' });
export const VersionsParams = Type.Object({ dataset_id: datasetId });
export const VersionParams = Type.Object({ dataset_id: datasetId, version: number });
export const VersionFileQuery = Type.Object(signature);

const Texts = (what: string) =>
  Maybe(
    Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), { minItems: 1, maxItems: 1_000, description: what }),
  );

const filter = {
  approval: Maybe(
    Type.Union(
      (['pending', 'approved', 'rejected', 'unsure'] as const).map((each) => Type.Literal(each)),
      { description: 'Only events with this review state.' },
    ),
  ),
  labels: Texts('Only events with one of these labels.'),
  types: Texts('Only events of one of these kinds, such as `object`.'),
  min_confidence: Maybe(
    Type.Number({ minimum: 0, maximum: 1, description: 'Only events of at least this confidence.' }),
  ),
};

export const VersionFilterResource = Type.Object(
  {
    approval: Nullable(Type.String({ description: 'Review state of its events; null: all.' })),
    labels: Nullable(Type.Array(Type.String(), { description: 'Labels of its events; null: all.' })),
    types: Nullable(Type.Array(Type.String(), { description: 'Kinds of its events; null: all.' })),
    min_confidence: Nullable(Type.Number({ description: 'Least confidence of its events; null: any.' })),
  },
  { description: 'Which events of the dataset the version has. Analyses without such events are in it, too.' },
);

export const DatasetVersionRequest = resource(
  'DatasetVersionRequest',
  Type.Object(
    {
      name: Maybe(Name({ maxLength: 255, description: 'Name of the version; default: `Version` and its number.' })),
      ...filter,
      ...DownloadedSplits,
    },
    {
      description:
        'What to freeze of a dataset. Without filters: all events with their verdicts. All filters must match.',
      examples: [{ name: 'Training, November', approval: 'approved', val_share: 0.1, test_share: 0.1 }],
    },
  ),
);

const Count = (description: string) => Type.Integer({ minimum: 0, description });

const EXAMPLE = {
  dataset_id: ID,
  number: 1,
  name: 'Training, November',
  status: 'ready',
  created_by: '019a0b1c2d3e7f008000000000000001',
  filter: { approval: 'approved', labels: null, types: null, min_confidence: null },
  splits: { val_share: 0.1, test_share: 0.1, seed: '' },
  video_count: 40,
  event_count: 90,
  clip_count: 0,
  missing_videos: 0,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  size_bytes: 81_920,
  created_at: '2026-11-21T09:30:00.000Z',
  frozen_at: '2026-11-21T09:30:01.000Z',
};

export const DatasetVersionResource = resource(
  'DatasetVersion',
  Type.Object(
    {
      dataset_id: datasetId,
      number: Type.Integer({
        minimum: 1,
        description: 'Number of the version in its dataset; it is never used twice.',
      }),
      name: Type.String({ description: 'Name of the version.' }),
      status: Type.String({ description: '`processing`, `ready` or `failed`.' }),
      created_by: Type.String({ description: 'The user who froze it.' }),
      filter: VersionFilterResource,
      splits: Nullable(DatasetSplits),
      video_count: Count('Videos that were frozen.'),
      event_count: Count('Events that were frozen.'),
      clip_count: Count('Clips that were frozen.'),
      missing_videos: Count(
        'Videos that are deleted now. The file lacks their rows, and has another checksum, until they are restored.',
      ),
      sha256: Nullable(
        Type.String({ description: 'SHA-256 of the file as it was frozen, in hex; null until it is ready.' }),
      ),
      size_bytes: Nullable(Type.Integer({ minimum: 0, description: 'Size of that file in bytes.' })),
      created_at: Timestamp({ description: 'Time of the request, ISO 8601, UTC.' }),
      frozen_at: Nullable(Timestamp({ description: 'Time at which it was ready, ISO 8601, UTC.' })),
    },
    { description: 'A frozen version of a dataset.', examples: [EXAMPLE] },
  ),
);

export const DatasetVersionList = resource(
  'DatasetVersionList',
  Type.Object(
    { versions: Type.Array(DatasetVersionResource, { description: 'Versions of the dataset, newest first.' }) },
    { description: 'Versions of a dataset.', examples: [{ versions: [EXAMPLE] }] },
  ),
);

export const DeletedDatasetVersion = resource(
  'DeletedDatasetVersion',
  Type.Object(
    { status: Type.Literal('deleted'), dataset_id: datasetId, number: Type.Integer({ description: 'Its number.' }) },
    { description: 'A deleted version.', examples: [{ status: 'deleted', dataset_id: ID, number: 1 }] },
  ),
);

export const DatasetVersionDownload = resource(
  'DatasetVersionDownload',
  Type.Object(
    {
      download_url: Nullable(
        Type.String({ description: 'Signed URL, valid for a day without a key; null until the version is ready.' }),
      ),
    },
    {
      description: 'Where to download a version.',
      examples: [{ download_url: `http://localhost:8099/api/datasets/${ID}/versions/1/file?token=t1x2y3.signature` }],
    },
  ),
);

const VERSION = {
  number: 1,
  name: EXAMPLE.name,
  filter: EXAMPLE.filter,
  created_at: EXAMPLE.created_at,
  missing_videos: 0,
};

/** The file, as it is streamed. */
export const DatasetVersionFile = resource(
  'DatasetVersionFile',
  Type.Object(
    {
      version: Type.Object(
        {
          number: Type.Integer({ description: 'Number of the version.' }),
          name: Type.String({ description: 'Name of the version.' }),
          filter: VersionFilterResource,
          created_at: Timestamp({ description: 'Time of the request, ISO 8601, UTC.' }),
          missing_videos: Count('Videos that were frozen and are deleted now.'),
        },
        { description: 'The version.' },
      ),
      ...DatasetFile.properties,
      // Versions from before datasets had clips have none.
      clips: Type.Optional(DatasetFile.properties.clips),
    },
    {
      description: 'A version of a dataset with its results as they were.',
      examples: [{ version: VERSION, ...FILE_EXAMPLE }],
    },
  ),
);
