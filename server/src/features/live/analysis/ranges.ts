import type { Told } from '#engine/index';
import type { Segment } from '../types.ts';

/** Recorded segments that were skipped to keep up, and are analysed when there is time; consecutive, by their sequences. */
export type PendingRange = {
  /** The next segment to catch up on, and the first one after the range. */
  from: number;
  until: number;
  /** The same in seconds of the stream. */
  fromS: number;
  untilS: number;
  /** How much of it is recorded, in seconds. */
  seconds: number;
  /** Events that were reported before it and may go on in it, as `tell` left them. */
  told: Told[];
  /** The first segment before it whose observations are kept, as the context of what follows. */
  contextFrom: number;
  /** Events that were reported at the start of what follows it: they may have begun in it. */
  after: { id: string; search: string; category: string }[];
};

/** A range that no analysis covers, in seconds of the stream. */
export type SkippedRange = { fromS: number; untilS: number; reason: string };

/** Ranges that keep the context of what came before them; of older ones it is dropped. */
const MOST_WITH_CONTEXT = 12;
/** Ranges that are caught up on at all; the oldest ones beyond that are skipped for good. */
const MOST_PENDING = 300;
const MOST_SKIPPED = 300;
/** An event this close to the edge of a range may continue beyond it. In seconds. */
export const EDGE_S = 0.5;

const BEHIND = 'skipped to keep up with the stream; it is analysed when there is time';
const NEVER = 'skipped to keep up with the stream';
export const UNREADABLE = 'the recording could not be decoded';

export function rangeOf(
  segments: readonly Segment[],
  next: Segment,
  { told, contextFrom }: Pick<PendingRange, 'told' | 'contextFrom'>,
): PendingRange {
  const [first, last] = [segments[0]!, segments.at(-1)!];
  // What the source did not send after it is not part of it.
  const untilS = last.epoch === next.epoch ? next.streamS : last.streamS + last.durationS;
  const seconds = segments.reduce((sum, { durationS }) => sum + durationS, 0);
  const at = { from: first.sequence, until: next.sequence, fromS: first.streamS, untilS };
  return { ...at, seconds, told, contextFrom, after: [] };
}

type Limited = { pending: PendingRange[]; skipped: SkippedRange[]; givenUp: Told[] };

/** Drops what there is no room for: the context of older ranges, then the oldest ranges. `givenUp` are events whose end nobody will look for. */
export function limitRanges(pending: readonly PendingRange[], skipped: readonly SkippedRange[]): Limited {
  const dropped = pending.slice(0, Math.max(0, pending.length - MOST_PENDING));
  const left = pending.slice(dropped.length);
  const bare = left.slice(0, Math.max(0, left.length - MOST_WITH_CONTEXT));
  return {
    pending: [...bare.map((range) => ({ ...range, told: [], contextFrom: range.from })), ...left.slice(bare.length)],
    skipped: addSkipped(skipped, ...dropped.map(({ fromS, untilS }) => ({ fromS, untilS, reason: NEVER }))),
    givenUp: [...dropped, ...bare].flatMap(({ told }) => told.filter(({ going }) => going)),
  };
}

/** Adds ranges in order of time; of too many, the oldest are merged. */
export function addSkipped(skipped: readonly SkippedRange[], ...more: SkippedRange[]): SkippedRange[] {
  const all = [...skipped, ...more].sort((a, b) => a.fromS - b.fromS);
  const surplus = all.length - MOST_SKIPPED;
  if (surplus <= 0) return all;
  return [{ ...all[0]!, untilS: all[surplus]!.untilS }, ...all.slice(surplus + 1)];
}

/** All that was skipped so far, with why. */
export const skippedRanges = (pending: readonly PendingRange[], skipped: readonly SkippedRange[], ended: boolean) =>
  addSkipped(skipped, ...pending.map(({ fromS, untilS }) => ({ fromS, untilS, reason: ended ? NEVER : BEHIND })));
