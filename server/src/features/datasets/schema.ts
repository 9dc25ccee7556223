import { Type } from 'typebox';
import { Maybe, Name, Nullable, resource, signature, Timestamp } from '#platform/http/index';
import { CLIP_EXAMPLE, Clips, ClipsOfEvents, DatasetClip, DownloadedClip } from './clips/index.ts';

const ID = '019a0b1c2d3e7f008000000000000051';
const BATCH_ID = '019a0b1c2d3e7f008000000000000010';
const VIDEO_ID = '019a0b1c2d3e7f008000000000000003';

export const DatasetParams = Type.Object({ dataset_id: Type.String({ description: 'Identifier of the dataset.' }) });

const Approval = (description: string) =>
  Maybe(
    Type.Union(
      (['pending', 'approved', 'rejected', 'unsure'] as const).map((each) => Type.Literal(each)),
      { description },
    ),
  );
const Share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const VAL_SHARE = 'Share of the videos in the split `val`, 0 to 1.';
const TEST_SHARE = 'Share of the videos in the split `test`, 0 to 1.';
const SEED = 'Another seed draws other splits.';
const Seed = Type.String({ maxLength: 255, description: SEED });
/** Splits that a download or a version requests. */
export const DownloadedSplits = {
  val_share: Maybe(
    Share(`${VAL_SHARE} With this or \`test_share\`, each video has a \`split\`; the rest is \`train\`.`),
  ),
  test_share: Maybe(Share(TEST_SHARE)),
  seed: Maybe(Seed),
};
const download = { approval: Approval('Only events with this review state.'), ...DownloadedSplits };
export const DatasetDownloadQuery = Type.Object(download);
export const DatasetFileQuery = Type.Object({
  ...signature,
  ...download,
});
export const DatasetSplits = Type.Object(
  { val_share: Share(VAL_SHARE), test_share: Share(TEST_SHARE), seed: Seed },
  { description: 'How the videos are split; only if it was requested.' },
);

const Ids = (maxItems: number, description: string) =>
  Maybe(Type.Array(Type.String({ maxLength: 255 }), { maxItems, description }));
const Scope = (description: string) => Maybe(Type.Union([Type.Literal('user'), Type.Literal('org')], { description }));
const DatasetName = Name({ maxLength: 255, description: 'Name of the dataset.' });
const SearchDescription = Maybe(
  Type.String({ maxLength: 10_000, description: 'What the dataset is for, in your own words.' }),
);

export const DatasetRequest = resource(
  'DatasetRequest',
  Type.Object(
    {
      name: DatasetName,
      batch_ids: Ids(200, 'Batches that you may read. The dataset has exactly the analyses of these batches.'),
      video_ids: Ids(10_000, 'Videos that are listed without analyses.'),
      clips: Clips('Ranges of videos; equal ones are added once.'),
      clips_of_events: ClipsOfEvents,
      analysis_type: Maybe(
        Type.Union([Type.Literal('ask'), Type.Literal('agent'), Type.Literal('unanalyzed')], {
          description: 'A label that existing clients send; it does not affect the content.',
        }),
      ),
      search_description: SearchDescription,
      scope: Scope(
        '`user` (default): your own; `org`: members of the organization may read it, and it has shared batches and videos only.',
      ),
    },
    {
      additionalProperties: true,
      description: 'A dataset to create.',
      examples: [{ name: 'Night crossings', batch_ids: [BATCH_ID], scope: 'user' }],
    },
  ),
);

export const DatasetChange = resource(
  'DatasetChange',
  Type.Object(
    {
      name: Maybe(DatasetName),
      search_description: SearchDescription,
      add_batch_ids: Ids(200, 'Batches to add.'),
      remove_batch_ids: Ids(200, 'Batches to remove; others are ignored.'),
      add_video_ids: Ids(10_000, 'Videos to add.'),
      remove_video_ids: Ids(10_000, 'Videos to remove; others are ignored.'),
      add_clips: Clips('Clips to add; those that it has already are ignored.'),
      add_clips_of_events: ClipsOfEvents,
      remove_clip_ids: Ids(10_000, 'Clips to remove; others are ignored.'),
    },
    {
      additionalProperties: true,
      description: 'Changes of a dataset; what is omitted stays as it is.',
      examples: [{ name: 'Night crossings, spring' }],
    },
  ),
);

export const DatasetListRequest = resource(
  'DatasetListRequest',
  Type.Object(
    {
      scope: Scope('`user` (default): datasets that you created; `org`: those that are shared in the organization.'),
      limit: Maybe(
        Type.Integer({ minimum: 1, maximum: 500, description: 'Maximum number of datasets; default: 100.' }),
      ),
      before: Maybe(
        Type.String({
          maxLength: 255,
          description: 'Id of the last dataset of the previous page; only older ones follow.',
        }),
      ),
    },
    { additionalProperties: true, description: 'Datasets to list.', examples: [{ scope: 'user' }] },
  ),
);

const Count = (description: string) => Type.Integer({ minimum: 0, description });

const EXAMPLE = {
  id: ID,
  name: 'Night crossings',
  search_description: '',
  status: 'ready',
  scope: 'user',
  analysis_type: 'ask',
  batch_ids: [BATCH_ID],
  video_ids: [],
  totals: {
    batch_count: 1,
    video_count: 40,
    clip_count: 0,
    event_counts: { total: 148, approved: 90, rejected: 12, unsure: 3, pending: 43 },
  },
  failed_batches: [],
  processing_progress: { completed: 1, total: 1 },
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
};

export const DatasetResource = resource(
  'Dataset',
  Type.Object(
    {
      id: Type.String({ description: 'Identifier of the dataset.' }),
      name: DatasetName,
      search_description: Type.String({ description: 'What the dataset is for.' }),
      status: Type.String({
        description:
          '`processing`: a batch has not ended; `ready`: it can be downloaded; `error`: a batch was deleted, and the rest can be downloaded.',
      }),
      scope: Type.String({ description: '`user`: personal; `org`: shared with the organization.' }),
      analysis_type: Type.String({ description: 'A label of existing clients: `ask`, `agent` or `unanalyzed`.' }),
      batch_ids: Type.Array(Type.String(), { description: 'Batches in the order in which they were added.' }),
      video_ids: Type.Array(Type.String(), { description: 'Videos without analyses.' }),
      clips: Type.Optional(
        Type.Array(DatasetClip, { description: 'Its clips, by video and start; not in lists and in downloads.' }),
      ),
      totals: Type.Object(
        {
          batch_count: Count('Number of batches that exist.'),
          video_count: Count('Number of videos; one in two batches counts twice, as in the download.'),
          clip_count: Count('Number of clips; their videos do not count.'),
          event_counts: Type.Object(
            {
              total: Count('Number of events.'),
              approved: Count('Events that reviewers approved.'),
              rejected: Count('Events that reviewers rejected.'),
              unsure: Count('Events of which reviewers were not sure.'),
              pending: Count('Events without a decision.'),
            },
            { description: 'Events by review state.' },
          ),
        },
        { description: 'What the dataset has now.' },
      ),
      failed_batches: Type.Array(
        Type.Object({
          batch_id: Type.String({ description: 'Identifier of the batch.' }),
          error: Type.String({ description: 'Reason in a sentence.' }),
        }),
        { description: 'Batches that cannot be read.' },
      ),
      processing_progress: Type.Object(
        { completed: Count('Batches that have ended.'), total: Count('All batches.') },
        { description: 'Progress of its batches.' },
      ),
      created_at: Timestamp({ description: 'Creation time, ISO 8601, UTC.' }),
      updated_at: Timestamp({ description: 'Time of the last change of the dataset itself, ISO 8601, UTC.' }),
    },
    { description: 'A curated dataset.', examples: [EXAMPLE] },
  ),
);

export const DatasetList = resource(
  'DatasetList',
  Type.Array(DatasetResource, { description: 'Datasets, newest first.', examples: [[EXAMPLE]] }),
);

export const DatasetDownload = resource(
  'DatasetDownload',
  Type.Object(
    {
      download_url: Nullable(
        Type.String({
          description: 'Signed URL, valid for a day without a key; null while a batch of the dataset is processed.',
        }),
      ),
    },
    {
      description: 'Where to download a dataset.',
      examples: [
        { download_url: `http://localhost:8099/api/data-curation/datasets/${ID}/file?token=t1x2y3.signature` },
      ],
    },
  ),
);

export const DeletedDataset = resource(
  'DeletedDataset',
  Type.Object(
    { status: Type.Literal('deleted'), id: Type.String({ description: 'Identifier of the dataset.' }) },
    { description: 'A deleted dataset.', examples: [{ status: 'deleted', id: ID }] },
  ),
);

const Free = (description: string) => Type.Object({}, { additionalProperties: true, description });

/** A dataset with one result and one video without analyses. */
export const FILE_EXAMPLE = {
  dataset_metadata: EXAMPLE,
  batches: [
    {
      batch_metadata: { batch_id: BATCH_ID, prompt: 'a person walks past a parked car' },
      results: [
        {
          video_id: VIDEO_ID,
          video_name: 'junction.mp4',
          analysis_id: '019a0b1c2d3e7f008000000000000011',
          status: 'completed',
          answer: 'A person walks past a parked car at 00:12.',
          events: [],
        },
      ],
    },
  ],
  unanalyzed_videos: [{ folder_name: 'Drives', videos: [{ video_id: VIDEO_ID, filename: 'junction.mp4' }] }],
  clips: [CLIP_EXAMPLE],
};

/** The file, as it is streamed. */
export const DatasetFile = resource(
  'DatasetFile',
  Type.Object(
    {
      dataset_metadata: DatasetResource,
      splits: Type.Optional(DatasetSplits),
      batches: Type.Array(
        Type.Object({
          batch_metadata: Free('The batch, with its `output_schema` if it has one.'),
          results: Type.Array(
            Free(
              'An analysis: `video_id`, `video_name`, `analysis_id`, `split` if it was requested, `status`, `answer` and its `events`, with verdicts and `structured_output`.',
            ),
            { description: 'One result per analysis; those of deleted videos are left out.' },
          ),
        }),
        { description: 'Batches that exist.' },
      ),
      unanalyzed_videos: Type.Array(
        Type.Object({
          folder_name: Nullable(Type.String({ description: 'Folder of the videos; null without one.' })),
          videos: Type.Array(
            Type.Object({
              video_id: Type.String({ description: 'Identifier of the video.' }),
              filename: Type.String({ description: 'Name of the video.' }),
              split: Type.Optional(
                Type.String({ description: '`train`, `val` or `test`; only if splits were requested.' }),
              ),
            }),
            { description: 'Videos of the folder.' },
          ),
        }),
        { description: 'Videos without analyses, by folder.' },
      ),
      clips: Type.Array(DownloadedClip, { description: 'Clips, by video, start and end.' }),
    },
    {
      description: 'A dataset with its results.',
      examples: [FILE_EXAMPLE],
    },
  ),
);
