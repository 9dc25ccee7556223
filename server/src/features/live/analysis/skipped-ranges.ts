import type { ReportedEvent } from '#engine/index';
import type { RecordedSegment } from '../types.ts';

/** Consecutive recorded segments that were skipped to keep up and will be analyzed later. */
export type PendingRange = {
  /** Sequences of the next segment to analyze and of the first one after the range. */
  from: number;
  until: number;
  /** The same in seconds of the stream. */
  fromS: number;
  untilS: number;
  /** Recorded duration of the range in seconds. */
  seconds: number;
  /** Events that were reported before the range and may continue in it. */
  reportedEvents: ReportedEvent[];
  /** First segment before the range whose observations are retained as context. */
  contextFrom: number;
  /** Events that were reported at the start of the segment after the range and may have started in it. */
  eventsAfter: { id: string; search: string; category: string }[];
};

/** A range without analysis, in seconds of the stream. */
export type SkippedRange = { fromS: number; untilS: number; reason: string };

/** Number of pending ranges with context; the context of older ones is dropped. */
const MOST_WITH_CONTEXT = 12;
/** Maximum number of pending ranges; older ones are never analyzed. */
const MOST_PENDING = 300;
const MOST_SKIPPED = 300;
/** An event this close to the edge of a range may continue beyond it, in seconds. */
export const EDGE_S = 0.5;

const BEHIND = 'skipped to keep up with the stream; it is analyzed when there is time';
const NEVER = 'skipped to keep up with the stream';
export const UNREADABLE = 'the recording could not be decoded';

export function toPendingRange(
  segments: readonly RecordedSegment[],
  next: RecordedSegment,
  { reportedEvents, contextFrom }: Pick<PendingRange, 'reportedEvents' | 'contextFrom'>,
): PendingRange {
  const [first, last] = [segments[0]!, segments.at(-1)!];
  // A gap after the range is not part of it.
  const untilS = last.epoch === next.epoch ? next.streamS : last.streamS + last.durationS;
  const seconds = segments.reduce((sum, { durationS }) => sum + durationS, 0);
  const at = { from: first.sequence, until: next.sequence, fromS: first.streamS, untilS };
  return { ...at, seconds, reportedEvents, contextFrom, eventsAfter: [] };
}

type Limited = { pending: PendingRange[]; skipped: SkippedRange[]; givenUp: ReportedEvent[] };

/**
 * Enforces the limits: drops the context of older ranges, then the oldest ranges. `givenUp` are events whose end will
 * not be searched for.
 */
export function limitRanges(pending: readonly PendingRange[], skipped: readonly SkippedRange[]): Limited {
  const dropped = pending.slice(0, Math.max(0, pending.length - MOST_PENDING));
  const left = pending.slice(dropped.length);
  const bare = left.slice(0, Math.max(0, left.length - MOST_WITH_CONTEXT));
  return {
    pending: [
      ...bare.map((range) => ({ ...range, reportedEvents: [], contextFrom: range.from })),
      ...left.slice(bare.length),
    ],
    skipped: addSkippedRanges(skipped, ...dropped.map(({ fromS, untilS }) => ({ fromS, untilS, reason: NEVER }))),
    givenUp: [...dropped, ...bare].flatMap(({ reportedEvents }) => reportedEvents.filter(({ going }) => going)),
  };
}

/** Adds ranges in order of time and merges the oldest ones beyond the limit. */
export function addSkippedRanges(skipped: readonly SkippedRange[], ...more: SkippedRange[]): SkippedRange[] {
  const all = [...skipped, ...more].sort((a, b) => a.fromS - b.fromS);
  const surplus = all.length - MOST_SKIPPED;
  if (surplus <= 0) return all;
  return [{ ...all[0]!, untilS: all[surplus]!.untilS }, ...all.slice(surplus + 1)];
}

/** All ranges without analysis so far, with the reason. */
export const listSkippedRanges = (pending: readonly PendingRange[], skipped: readonly SkippedRange[], ended: boolean) =>
  addSkippedRanges(skipped, ...pending.map(({ fromS, untilS }) => ({ fromS, untilS, reason: ended ? NEVER : BEHIND })));
