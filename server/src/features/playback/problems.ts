import { defineProblems } from '#platform/problem';

export const PLAYBACK_PROBLEMS = {
  video_not_ready: { status: 409, sentence: 'The video is not ready: it is still arriving, or its upload failed.' },
  playback_url_expired: { status: 403, sentence: 'This URL has expired: ask for a new one.' },
  playback_url_invalid: { status: 403, sentence: 'This URL is not one that was given out here, or it was altered.' },
  playback_gone: { status: 404, sentence: 'The video behind this URL was deleted.' },
  playback_busy: {
    status: 503,
    sentence: 'Too many pictures, clips and segments are being made at the moment: try again in a few seconds.',
  },
  playback_unmakeable: { status: 404, sentence: 'This cannot be made from the video: it is damaged there.' },
  time_outside: { status: 400, sentence: 'The time lies outside of the video.' },
  segment_unknown: { status: 404, sentence: 'The playlist of this video has no such segment.' },
  clip_invalid: { status: 400, sentence: 'A clip needs a start and an end after it, both inside the video.' },
  request_repeated: { status: 400, sentence: 'Two of the requests have the same `request_id`.' },
} as const;

export const problems = defineProblems(PLAYBACK_PROBLEMS);
