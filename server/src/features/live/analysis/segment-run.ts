import {
  createStreamWindow,
  decodeObservedSegment,
  type ObservedSegment,
  type SegmentTail,
  type StreamWindow,
} from '#engine/index';
import type { RecordedSegment } from '../types.ts';
import type { AnalyzedSegment } from './event-payload.ts';
import type { SegmentObservation } from './store.ts';

/** Consecutive segments that are analyzed together: those of the stream as it arrives, or those of a skipped range. */
export type SegmentRun = {
  window: StreamWindow;
  segments: AnalyzedSegment[];
  /** The last observed segment; observation of the next one continues from it. */
  last: { epoch: number; video: ObservedSegment['video']; tail: SegmentTail | null; durationS: number } | null;
};

export const createRun = (windowS: number): SegmentRun => ({
  window: createStreamWindow(windowS),
  segments: [],
  last: null,
});

/** Appends an observed segment, and drops segments that have left the window. */
export function appendSegment(
  run: SegmentRun,
  recorded: RecordedSegment,
  observed: ObservedSegment,
  tail: SegmentTail | null = null,
): void {
  const { sequence, streamS: startS, durationS, capturedAt, epoch } = recorded;
  const windowStartS = run.window.add({ segment: observed, startS });
  run.segments = [...run.segments, { sequence, startS, durationS, capturedAt }];
  run.segments = run.segments.filter((segment) => segment.startS >= windowStartS);
  run.last = { epoch, video: observed.video, tail, durationS };
}

/**
 * Restores the run that ends before segment `next` from stored observations. Observations of another engine version or
 * epoch are left out.
 */
export function restoreRun(
  windowS: number,
  next: number,
  observations: readonly SegmentObservation[],
  segments: readonly RecordedSegment[],
): SegmentRun {
  let run = createRun(windowS);
  let expected = next - observations.length;
  const bySequence = new Map(segments.map((segment) => [segment.sequence, segment]));
  for (const { sequence, data } of observations) {
    const [recorded, observed] = [bySequence.get(sequence), decodeObservedSegment(data)];
    const isContinuous = run.last === null || (sequence === expected && recorded?.epoch === run.last.epoch);
    if (!isContinuous || !recorded || !observed) run = createRun(windowS);
    if (recorded && observed) appendSegment(run, recorded, observed);
    expected = sequence + 1;
  }
  return expected === next ? run : createRun(windowS);
}
