import { defineProblems } from '#platform/problem';

export const problems = {
  observation_damaged: {
    status: 500,
    sentence: 'The stored observations of this video cannot be read; observe it again.',
  },
  observer_unavailable: { status: 503, sentence: 'This server cannot observe that now.' },
} as const;

export const observeProblem = defineProblems(problems);
