import { defineProblems } from '#platform/problem';

export const SYSTEM_PROBLEMS = {
  not_ready: { status: 503, sentence: 'The service cannot handle requests now.' },
} as const;

export const problems = defineProblems(SYSTEM_PROBLEMS);
