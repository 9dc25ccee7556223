import { defineProblems, type ProblemTable } from '#platform/problem';

export const BATCH_PROBLEMS = {
  query_empty: { status: 400, sentence: 'The field `query` must say what to look for.' },
  query_too_long: { status: 400, sentence: 'The field `query` is too long.' },
  videos_ambiguous: { status: 400, sentence: 'Send either `video_id` or `video_ids`, not both.' },
  videos_missing: { status: 400, sentence: 'Send `video_id`, or `video_ids` with at least one id.' },
  too_many_videos: { status: 400, sentence: 'The field `video_ids` has too many ids for one query.' },
  batch_not_found: { status: 404, sentence: 'There is no batch with this id.' },
  batch_forbidden: { status: 403, sentence: 'This batch belongs to someone else.' },
  stream_not_found: { status: 404, sentence: 'There is no stream with this id.' },
  stream_forbidden: { status: 403, sentence: 'This stream belongs to someone else.' },
  metadata_invalid: {
    status: 400,
    sentence: 'The field `metadata` must be a flat JSON object: names, each with a text or a whole number.',
  },
  metadata_too_large: {
    status: 400,
    sentence: 'A batch keeps at most 100 notes, with names of at most 200 and texts of at most 5,000 characters.',
  },
} as const satisfies ProblemTable;

export const problems = defineProblems(BATCH_PROBLEMS);
