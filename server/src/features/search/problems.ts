import { defineProblems, type ProblemTable } from '#platform/problem';

export const SEARCH_PROBLEMS = {
  search_empty: { status: 400, sentence: 'The field `query` must have 1 to 1,000 characters.' },
  search_no_samples: {
    status: 404,
    sentence: 'There are no sample videos yet: list the videos of the scope `sample` first.',
  },
  frame_query_invalid: {
    status: 400,
    sentence: 'Send exactly one of `text`, `picture` and `frame`; a text has at least one word.',
  },
  picture_unreadable: {
    status: 400,
    sentence: 'The image cannot be read; send a JPEG, PNG, WebP or AVIF in Base64.',
  },
  frame_not_ready: { status: 409, sentence: 'The video of the frame is not uploaded yet, or its upload has failed.' },
  search_not_found: { status: 404, sentence: 'There is no search session with this id, or it is older than 30 days.' },
  search_forbidden: { status: 403, sentence: 'This search session belongs to someone else.' },
} as const satisfies ProblemTable;

export const problems = defineProblems(SEARCH_PROBLEMS);
