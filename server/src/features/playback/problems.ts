import { defineProblems } from '#platform/problem';

export const PLAYBACK_PROBLEMS = {
  video_not_ready: {
    status: 409,
    sentence: 'The video is not ready: it is still being uploaded or processed, or its upload failed.',
  },
  playback_url_expired: { status: 403, sentence: 'This URL has expired. Request a new one.' },
  playback_url_invalid: { status: 403, sentence: 'The signature of this URL is not valid. Request a new URL.' },
  playback_gone: { status: 404, sentence: 'The video behind this URL was deleted.' },
  playback_busy: {
    status: 503,
    sentence: 'Too many images, clips and segments are being generated. Try again in a few seconds.',
  },
  playback_unmakeable: {
    status: 404,
    sentence: 'This cannot be generated because the video is damaged at this position.',
  },
  time_outside: { status: 400, sentence: 'The time is outside the video.' },
  segment_unknown: { status: 404, sentence: 'The playlist of this video does not contain this segment.' },
  clip_invalid: { status: 400, sentence: 'A clip needs a `start` and a later `end`, both within the video.' },
  chunk_file_only: {
    status: 400,
    sentence: 'A chunk has only its file (`kind` is `film`). Request other kinds, and clips, of its video.',
  },
  request_repeated: { status: 400, sentence: 'Two requests have the same `request_id`. Give each request its own.' },
} as const;

export const problems = defineProblems(PLAYBACK_PROBLEMS);
