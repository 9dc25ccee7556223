import { defineProblems, type ProblemTable } from '#platform/problem';

export const LABEL_PROBLEMS = {
  labels_video_not_found: {
    status: 404,
    sentence: 'The batch has no video with this id. Send the id of a video that the batch asked about.',
  },
} as const satisfies ProblemTable;

export const problems = defineProblems(LABEL_PROBLEMS);
