import { defineProblems, type ProblemTable } from '#platform/problem';

export const ANALYSIS_PROBLEMS = {
  analysis_not_found: { status: 404, sentence: 'There is no analysis with this id for this video.' },
  analysis_forbidden: { status: 403, sentence: 'This analysis belongs to someone else.' },
  analysis_gone: { status: 404, sentence: 'The video was deleted, and its analysis document with it.' },
  analysis_unfinished: { status: 409, sentence: 'The analysis still runs; ask again once it is completed.' },
  analysis_failed: {
    status: 500,
    sentence: 'The analysis could not be completed because of a fault on our side; ask again to retry it.',
  },
  analysis_timeout: {
    status: 500,
    sentence: 'The analysis took longer than it may; ask about a shorter part of the video.',
  },
  video_deleted: { status: 404, sentence: 'The video was deleted.' },
  video_unusable: { status: 400, sentence: 'The video could not be stored, so there is nothing to analyse.' },
  video_never_arrived: {
    status: 400,
    sentence: 'The video did not arrive within 24 hours, so it was not analysed; upload it again.',
  },
  evidence_token_invalid: {
    status: 403,
    sentence: 'The link is not valid; take a new one from the analysis document.',
  },
  evidence_token_expired: { status: 403, sentence: 'The link has expired; take a new one from the analysis document.' },
  evidence_not_found: {
    status: 404,
    sentence: 'There is no such picture: its analysis or its video was deleted, or the analysis never had it.',
  },
  evidence_undrawable: { status: 404, sentence: 'This picture cannot be drawn: the video is damaged there.' },
} as const satisfies ProblemTable;

export const problems = defineProblems(ANALYSIS_PROBLEMS);
