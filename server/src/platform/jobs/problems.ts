import { defineProblems, type ProblemTable } from '../problem.ts';

export const JOBS_PROBLEMS = {
  queue_full: {
    status: 429,
    sentence:
      'Too many jobs of your organization wait already: try again after the seconds that `Retry-After` says, or cancel some.',
  },
} as const satisfies ProblemTable;

export const problems = defineProblems(JOBS_PROBLEMS);
