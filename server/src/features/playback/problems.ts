import { defineProblems } from '#platform/problem';

export const PLAYBACK_PROBLEMS = {
  video_not_ready: { status: 409, sentence: 'The video is not ready: it is still arriving, or its upload failed.' },
  playback_url_expired: { status: 403, sentence: 'This URL has expired: ask for a new one.' },
  playback_url_invalid: { status: 403, sentence: 'This URL is not one that was given out here, or it was altered.' },
  playback_gone: { status: 404, sentence: 'The video behind this URL was deleted.' },
} as const;

export const problems = defineProblems(PLAYBACK_PROBLEMS);
