import { defineProblems } from '#platform/problem';

export const VIEW_PROBLEMS = {
  views_not_found: {
    status: 404,
    sentence: 'This video is not linked with other views. Link them with `POST /api/multi-view/stitch` first.',
  },
  views_invalid: {
    status: 400,
    sentence: 'A set of views needs a primary video and at least one other video, and no video twice.',
  },
  view_role_invalid: {
    status: 400,
    sentence: 'A role must have 1 to 64 lower-case letters, digits or underscores, such as `rear` or `front_left`.',
  },
} as const;

export const problems = defineProblems(VIEW_PROBLEMS);
