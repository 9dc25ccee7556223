/** A range in seconds of the stream. */
export type StreamRange = { fromS: number; untilS: number };

export type UndecidedSegment = { sequence: number; streamS: number; durationS: number; bytes: number };

export type SpanFacts = {
  /** Around events. */
  retained: readonly StreamRange[];
  /** In which events may still be found. */
  open: readonly StreamRange[];
  /** That were not analyzed. */
  unseen: readonly StreamRange[];
};

export type Decisions = {
  retained: number[];
  discarded: number[];
  /** Those of `discarded` that were not analyzed, because they exceeded the limit. */
  unanswered: number[];
};

/** Newest segments that stay whatever the limit is, as players at the live edge read them. */
const NEWEST = 15;

/**
 * Decides which segments are recorded: those that overlap a retained range. One in which an event may still be found,
 * or that was not analyzed, stays undecided; the oldest of these are discarded while they exceed `limitBytes`.
 */
export function decideSegments(
  segments: readonly UndecidedSegment[],
  { retained, open, unseen }: SpanFacts,
  limitBytes: number,
): Decisions {
  const decisions: Decisions = { retained: [], discarded: [], unanswered: [] };
  const undecided: UndecidedSegment[] = [];
  for (const segment of segments) {
    if (overlapsAny(segment, retained)) decisions.retained.push(segment.sequence);
    else if (overlapsAny(segment, open) || overlapsAny(segment, unseen)) undecided.push(segment);
    else decisions.discarded.push(segment.sequence);
  }
  const newest = (segments.at(-1)?.sequence ?? 0) - NEWEST;
  let bytes = undecided.reduce((sum, segment) => sum + segment.bytes, 0);
  for (const segment of undecided) {
    if (bytes <= limitBytes || segment.sequence > newest) break;
    bytes -= segment.bytes;
    decisions.discarded.push(segment.sequence);
    if (overlapsAny(segment, unseen)) decisions.unanswered.push(segment.sequence);
  }
  return decisions;
}

const overlapsAny = ({ streamS, durationS }: UndecidedSegment, spans: readonly StreamRange[]): boolean =>
  spans.some(({ fromS, untilS }) => streamS <= untilS && streamS + durationS > fromS);

export type EventSpan = {
  startS: number;
  /** Its end, or until when it is known to last. */
  endS: number;
  /** Times of its images. */
  framesS: readonly number[];
  /** True: nothing is to be seen between its start and its end. */
  isAbsence: boolean;
};

/** Ranges that are recorded of an event. Of an absence these are its start, its end, and when it was found. */
export function spansOf({ startS, endS, framesS, isAbsence }: EventSpan, preS: number, postS: number): StreamRange[] {
  const around = (fromS: number, untilS = fromS) => ({ fromS: fromS - preS, untilS: untilS + postS });
  if (isAbsence) return [startS, endS, ...framesS].map((timeS) => around(timeS));
  return [around(startS, endS), ...framesS.map((timeS) => ({ fromS: timeS, untilS: timeS }))];
}
