import { defineProblems, type ProblemTable } from '#platform/problem';

export const BATCH_PROBLEMS = {
  query_empty: { status: 400, sentence: 'The prompt is empty. Write what to look for.' },
  query_too_long: { status: 400, sentence: 'The field `query` is too long.' },
  videos_ambiguous: { status: 400, sentence: 'Send one of `video_id`, `video_ids` and `library`.' },
  videos_missing: { status: 400, sentence: 'Send `video_id`, `video_ids` with at least one id, or `library`.' },
  too_many_videos: { status: 400, sentence: 'The field `video_ids` has too many ids for one query.' },
  batch_not_found: { status: 404, sentence: 'There is no batch with this id.' },
  batch_forbidden: { status: 403, sentence: 'This batch belongs to someone else.' },
  nothing_to_retry: {
    status: 409,
    sentence: 'No analysis of this batch has failed on a video that still exists, so there is nothing to retry.',
  },
  stream_not_found: { status: 404, sentence: 'There is no stream with this id.' },
  stream_forbidden: { status: 403, sentence: 'This stream belongs to someone else.' },
  metadata_invalid: {
    status: 400,
    sentence: 'The field `metadata` must be a flat JSON object whose values are strings or integers.',
  },
  metadata_too_large: {
    status: 400,
    sentence:
      'The `metadata` of a batch can have at most 100 names of at most 200 characters, with values of at most 5,000 characters.',
  },
} as const satisfies ProblemTable;

export const problems = defineProblems(BATCH_PROBLEMS);
