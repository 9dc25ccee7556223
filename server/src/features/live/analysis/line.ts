import { type Chunk, createWindow, decodeChunk, type Lead, type Window } from '#engine/index';
import type { Segment } from '../types.ts';
import type { ObservedRow } from './store.ts';
import type { Place } from './told.ts';

/** One run of segments that are analysed one after the other: the stream as it comes, or a range that was skipped. */
export type Line = {
  window: Window;
  places: Place[];
  /** The last segment that was observed, for what follows on it. */
  last: { epoch: number; video: Chunk['video']; lead: Lead | null; durationS: number } | null;
};

export const newLine = (windowS: number): Line => ({ window: createWindow(windowS), places: [], last: null });

/** Adds an observed segment to the end of a line. */
export function join(line: Line, segment: Segment, chunk: Chunk, lead: Lead | null = null): void {
  const { sequence, streamS: startS, durationS, capturedAt, epoch } = segment;
  const fromS = line.window.add({ chunk, startS });
  line.places = [...line.places, { sequence, startS, durationS, capturedAt }];
  line.places = line.places.filter((place) => place.startS >= fromS);
  line.last = { epoch, video: chunk.video, lead, durationS };
}

/** The line that ends before the segment `next`, from stored observations. Those of another version of the engine, or of another epoch, are left out. */
export function restoreLine(
  windowS: number,
  next: number,
  rows: readonly ObservedRow[],
  segments: readonly Segment[],
): Line {
  let line = newLine(windowS);
  let expected = next - rows.length;
  const bySequence = new Map(segments.map((segment) => [segment.sequence, segment]));
  for (const { sequence, data } of rows) {
    const [segment, chunk] = [bySequence.get(sequence), decodeChunk(data)];
    const follows = line.last === null || (sequence === expected && segment?.epoch === line.last.epoch);
    if (!follows || !segment || !chunk) line = newLine(windowS);
    if (segment && chunk) join(line, segment, chunk);
    expected = sequence + 1;
  }
  return expected === next ? line : newLine(windowS);
}
