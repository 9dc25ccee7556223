import { defineProblems, type ProblemTable } from '#platform/problem';

export const CAPTION_PROBLEMS = {
  index_not_found: {
    status: 404,
    sentence: 'This video has no captions. Request them with `POST /api/videos/index`.',
  },
  index_mode_not_offered: {
    status: 501,
    sentence:
      'Captions for construction and robotics need a vision-language model, which this service does not have (SIGHTLINE_VISION_URL). Leave out `mode`: captions then state what observers measure.',
  },
} as const satisfies ProblemTable;

export const problems = defineProblems(CAPTION_PROBLEMS);
