import { defineProblems } from '#platform/problem';

export const problems = {
  vision_profile_unknown: { status: 400, sentence: 'There is no vision profile of this name.' },
} as const;

export const { vision_profile_unknown: visionProfileUnknown } = defineProblems(problems);
