import { defineProblems } from '#platform/problem';

export const VIEW_PROBLEMS = {
  views_not_found: { status: 404, sentence: 'This video is not a view of a set: stitch it with others first.' },
  views_invalid: {
    status: 400,
    sentence: 'A set of views is a primary video and at least one other, each video once.',
  },
  view_role_invalid: {
    status: 400,
    sentence: 'A role is 1 to 64 lower-case letters, digits and underscores, such as `rear` or `front_left`.',
  },
} as const;

export const problems = defineProblems(VIEW_PROBLEMS);
