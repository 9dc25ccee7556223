import type { FrameRequest } from './decoder.ts';

/** Number of frames that the check at upload decodes and converts. */
export const UPLOAD_CHECK_FRAMES = 2;

/** Longest side in pixels of the still frame in the check at upload. */
export const UPLOAD_CHECK_SIDE = 64;

/**
 * Frame requests of the check at upload. It uses the code paths of analysis, so that unsupported videos are rejected
 * while the user is still uploading. One request per format; the size does not affect convertibility.
 */
export const UPLOAD_CHECK_REQUESTS: readonly FrameRequest[] = [
  { width: 64, height: 36, format: 'gray', onFrame: () => {} },
  { width: 64, height: 64, format: 'rgb', letterbox: 114, onFrame: () => {} },
];
