import { defineProblems, type ProblemTable } from '../problem.ts';

export const THREAD_PROBLEMS = {
  file_too_complex: {
    status: 400,
    sentence: 'Reading this file takes too much time or memory. Split it, or send a smaller one.',
  },
} as const satisfies ProblemTable;

export const problems = defineProblems(THREAD_PROBLEMS);
