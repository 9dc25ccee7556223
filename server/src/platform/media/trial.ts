import type { PictureRequest } from './decoder.ts';

/** Frames that the check at upload decodes and converts. */
export const TRIAL_FRAMES = 2;

/** Longest side in pixels of the still that the check at upload draws. */
export const TRIAL_SIDE = 64;

/**
 * Pictures that the check at upload converts the first frames to, through the functions that analysis uses: what cannot be analysed is
 * refused while its owner is still there. One of each format; sizes do not matter to what can be converted.
 */
export const TRIAL_PICTURES: readonly PictureRequest[] = [
  { width: 64, height: 36, format: 'gray', onFrame: () => {} },
  { width: 64, height: 64, format: 'rgb', letterbox: 114, onFrame: () => {} },
];
