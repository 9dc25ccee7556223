import { defineProblems } from '#platform/problem';

export const problems = {
  observation_damaged: {
    status: 500,
    sentence:
      'The stored observations of this video cannot be read. Start the analysis again to observe the video again.',
  },
  detector_unknown: { status: 400, sentence: 'There is no detector of this name.' },
  observer_unavailable: { status: 503, sentence: 'The requested observation is not available on this server.' },
} as const;

export const observeProblem = defineProblems(problems);
