/** Sides of the detector's input are multiples of this, in pixels. */
export const CELL = 32;
/** Longest side of the image in which lines are detected, and of the one in which they are read, in pixels. */
const DETECT_SIDE = 960;
/** Videos with a longer side than this are read at twice the size in which lines are detected. */
const LARGE_SIDE = 1200;
/** Small videos are enlarged, at most by this factor. */
const MAX_ENLARGEMENT = 2;
/** Height of text in pixels, in the image in which it is read, from which on it is read reliably. */
const MIN_HEIGHT = 20;

/**
 * Size at which the frames of a video are read. Lines are detected on an image that is smaller by `scale`. `minHeight`:
 * height of text, in pixels of the video, from which on it is read reliably.
 */
export function frameSizeOf(video: { width: number; height: number }) {
  const longest = Math.max(video.width, video.height);
  const scale = longest > LARGE_SIDE ? 2 : 1;
  const factor = Math.min(MAX_ENLARGEMENT, (DETECT_SIDE * scale) / longest);
  const sideOf = (length: number) => Math.max(1, Math.round((length * factor) / (CELL * scale))) * CELL * scale;
  return {
    width: sideOf(video.width),
    height: sideOf(video.height),
    scale,
    minHeight: Math.max(MIN_HEIGHT, Math.ceil(MIN_HEIGHT / factor)),
  };
}
