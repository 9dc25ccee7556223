import { defineProblems } from '#platform/problem';

export const problems = {
  plan_invalid: { status: 400, sentence: 'The plan is not a valid plan.' },
} as const;

export const { plan_invalid: planInvalid } = defineProblems(problems);
