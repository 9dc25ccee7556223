/** Size of the frames that claims, verification and edges rest on: the longest side in pixels. */
export const FRAME_SIDE = 768;

/** Side of the patches of common models, in pixels. Newer ones use 32, so that estimates are on the high side. */
const PATCH = 28;

/** Estimated tokens of an image of this size. */
export const imageTokens = ({ width, height }: { width: number; height: number }) =>
  Math.ceil(width / PATCH) * Math.ceil(height / PATCH);

/** Size of a video's frame after scaling its longest side down to `maxSide`. */
export function scaledSize({ width, height }: { width: number; height: number }, maxSide: number) {
  const scale = Math.min(1, maxSide / Math.max(1, width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
