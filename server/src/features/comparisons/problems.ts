import { defineProblems, type ProblemTable } from '#platform/problem';

export const COMPARISON_PROBLEMS = {
  comparison_nothing_reviewed: {
    status: 409,
    sentence:
      'No video that you may read has a reviewed answer to the earlier prompt. Review some of its events first, or import labels.',
  },
  comparison_without_baseline: {
    status: 400,
    sentence:
      'This batch was not started as a comparison. Send the prompt that it is compared with as `baseline_query`.',
  },
} as const satisfies ProblemTable;

export const problems = defineProblems(COMPARISON_PROBLEMS);
