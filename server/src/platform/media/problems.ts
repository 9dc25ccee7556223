import { defineProblems } from '../problem.ts';

/** Problems with a video or with reading it. These messages are defaults; most callers pass a more specific one. */
export const MEDIA_PROBLEMS = {
  media_empty: { status: 400, sentence: 'The file is empty. Check that it was copied or recorded completely.' },
  media_unreadable: { status: 400, sentence: 'The file is not a video in a format that can be read.' },
  media_playlist: {
    status: 400,
    sentence: 'The file is a playlist or script that points to other files; send the video itself.',
  },
  media_no_video: { status: 400, sentence: 'The file has no video track.' },
  media_still_image: { status: 400, sentence: 'The file is a still picture; send a video.' },
  media_dimensions: { status: 400, sentence: "The picture's width or height is outside of what can be analyzed." },
  media_too_long: { status: 400, sentence: 'The video is longer than this server accepts.' },
  media_damaged: { status: 400, sentence: 'The file is damaged: none of its frames could be decoded.' },
  media_unsupported: {
    status: 400,
    sentence: 'The frames of this video cannot be converted here; re-encode it, for instance to H.264.',
  },
  media_source_failed: { status: 400, sentence: 'The source could not be opened.' },
  media_source_denied: { status: 400, sentence: 'The source did not accept the user name and the password.' },
  media_source_broken: { status: 400, sentence: 'The source broke off.' },
  media_crashed: {
    status: 400,
    sentence: 'Reading this file crashed the media process twice; the file is probably damaged.',
  },
  media_killed: {
    status: 503,
    sentence:
      'The system ended the media process, most likely because memory ran out. The file need not be damaged; try again later.',
  },
  media_timeout: { status: 503, sentence: 'Reading the video took longer than allowed; try again later.' },
  media_engine_unavailable: {
    status: 500,
    sentence: 'The media engine could not be started: node-av does not load on this machine.',
  },
} as const;

export const mediaProblem = defineProblems(MEDIA_PROBLEMS);

/** `reason`: why node-av did not load, in its words. */
export const engineUnavailable = (reason: string) =>
  mediaProblem.media_engine_unavailable(
    `The media engine could not be started: ${reason.trim()} docs/ffmpeg.md lists the supported systems.`,
  );
