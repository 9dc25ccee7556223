/** A segment of a playlist: media time in the element, and the times that the playlist states for it. */
export type MappedSegment = {
  /** Start in the element, and its duration, in seconds. */
  start: number;
  duration: number;
  /** Seconds from the first frame of the session, gaps included; null if the playlist does not state it yet. */
  streamS: number | null;
  /** Capture time in milliseconds since 1970; null if unknown. */
  capturedMs: number | null;
};

/** The segment of a media time: the last one that states its times and starts before it. */
export function segmentAt(segments: readonly MappedSegment[], mediaTime: number): MappedSegment | null {
  const known = segments.filter(({ streamS }) => streamS !== null);
  // Frames before the first segment are of a decoding lead.
  return known.findLast(({ start }) => start <= mediaTime + 1e-3) ?? known[0] ?? null;
}

/** Time of the stream at a media time. Parts of a segment that is not complete continue the one before it. */
export function toStreamTime(segments: readonly MappedSegment[], mediaTime: number): number | null {
  const segment = segmentAt(segments, mediaTime);
  return segment && segment.streamS! + mediaTime - segment.start;
}

/** Capture time at a media time, in milliseconds since 1970. */
export function toCaptureTime(segments: readonly MappedSegment[], mediaTime: number): number | null {
  const segment = segmentAt(segments, mediaTime);
  return segment?.capturedMs == null ? null : segment.capturedMs + (mediaTime - segment.start) * 1_000;
}

/** Media time of a time of the stream, in a gap that of the next segment; null outside the playlist. */
export function toMediaTime(segments: readonly MappedSegment[], streamS: number): number | null {
  const known = segments.filter((segment) => segment.streamS !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last || streamS < first.streamS! - 1e-3) return null;
  // The last segment may be continued by parts.
  const segment = known.findLast((each) => each.streamS! <= streamS + 1e-3)!;
  const intoS = streamS - segment.streamS!;
  if (segment === last) return segment.start + intoS;
  const next = known[known.indexOf(segment) + 1]!;
  return intoS < segment.duration ? segment.start + Math.max(0, intoS) : next.start;
}
