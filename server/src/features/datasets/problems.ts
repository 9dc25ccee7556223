import { defineProblems, type ProblemTable } from '#platform/problem';

export const DATASET_PROBLEMS = {
  dataset_not_found: { status: 404, sentence: 'There is no dataset with this id.' },
  dataset_forbidden: { status: 403, sentence: 'This dataset belongs to someone else.' },
  dataset_empty: { status: 400, sentence: 'A dataset needs at least one batch, video or clip.' },
  dataset_too_large: {
    status: 400,
    sentence: 'A dataset has at most 200 batches, 10,000 videos without analyses and 10,000 clips.',
  },
  dataset_clip_invalid: {
    status: 400,
    sentence: 'A clip starts before it ends, within a video that is ready.',
  },
  dataset_contents_personal: {
    status: 400,
    sentence:
      'A dataset with the scope `org` has shared batches, videos and clips only. Use the scope `user`, or query videos of a shared folder.',
  },
  dataset_shares_invalid: { status: 400, sentence: '`val_share` and `test_share` must be less than 1 together.' },
  dataset_filter_invalid: { status: 400, sentence: 'The filter is invalid.' },
  dataset_field_exists: { status: 409, sentence: 'The dataset has a field of this name.' },
  taxonomy_not_found: { status: 404, sentence: 'There is no taxonomy with this id in the dataset.' },
  taxonomy_scope_invalid: {
    status: 400,
    sentence: 'A taxonomy has fields of events, with the types `enum`, `boolean` and `number`.',
  },
  dataset_processing: {
    status: 409,
    sentence: 'A batch of the dataset is still processed. Freeze it when the dataset is `ready`.',
  },
  dataset_versions_full: { status: 409, sentence: 'A dataset has at most 100 versions. Delete one first.' },
  dataset_version_not_found: { status: 404, sentence: 'The dataset has no version with this number.' },
  dataset_token_invalid: {
    status: 403,
    sentence: 'The URL is not valid or has expired. Get a new one from the dataset.',
  },
} as const satisfies ProblemTable;

export const problems = defineProblems(DATASET_PROBLEMS);
