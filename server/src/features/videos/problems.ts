import { defineProblems } from '#platform/problem';

export const VIDEO_PROBLEMS = {
  video_not_found: { status: 404, sentence: 'There is no video with this id.' },
  video_forbidden: { status: 403, sentence: 'This video belongs to someone else.' },
  cursor_invalid: { status: 400, sentence: 'The query parameter `cursor` is not one that a page of this list gave.' },
  upload_interrupted: {
    status: 400,
    sentence: 'The upload stopped before the whole file had arrived, so nothing of it was kept; upload it again.',
  },
} as const;

export const problems = defineProblems(VIDEO_PROBLEMS);
