/** Limits on input, whatever a file's header claims. */
export const LIMITS = {
  /** Longest and shortest side of a coded frame in pixels. */
  longestSide: 16_384,
  shortestSide: 16,
  /** 8192 × 8192. Larger frames need more memory than a media process has. */
  pixels: 67_108_864,
  /** Video packets to decode without getting a frame, before giving up. */
  packetsToFirstFrame: 3_000,
} as const;
