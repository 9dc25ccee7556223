/** What is accepted, whatever a file's header claims. */
export const LIMITS = {
  /** Longest and shortest side of a coded picture in pixels. */
  longestSide: 16_384,
  shortestSide: 16,
  /** 8192 × 8192: a larger picture needs more memory than a media process has. */
  pixels: 67_108_864,
  /** Video packets to try before saying that nothing can be decoded. */
  packetsToFirstFrame: 3_000,
} as const;
