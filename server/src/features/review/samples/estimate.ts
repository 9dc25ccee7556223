import { type Estimate, wilson } from '../scores/intervals.ts';

/** Counts of a prompt, engine and folder: of reviewed samples, and of all of its analyses. */
export type SampledCounts = {
  query: string;
  engineVersion: string;
  folderId: string | null;
  folderName: string | null;
  /** Reviewed samples without those of which reviewers were unsure; in `missed` of them an event starts. */
  ranges: number;
  missed: number;
  /** Missed events that start in those ranges, at least one in each. */
  events: number;
  sampledS: number;
  /** Time without events of the engine in all analyses. */
  unmatchedS: number;
  /** Events of the engine in all analyses, and those that people added. */
  approved: number;
  rejected: number;
  pending: number;
  added: number;
};

export type SampledRecall = Pick<SampledCounts, 'ranges' | 'missed' | 'events' | 'sampledS' | 'unmatchedS'> & {
  /** Events that the engine missed in all analyses. */
  missedEvents: Estimate;
  /** Share of the right events that the engine found. */
  recall: Estimate | null;
};

/**
 * Estimates recall from samples: the share of samples with a missed event, with its Wilson interval, is that of all
 * time without events, and each of them has as many missed events as those that were seen. At least the missed events
 * that people added are missed. Undecided events are right in the
 * share in which decided ones are. The interval of recall joins the unfavorable ends of both. Null without a sample.
 */
export function estimateRecall(counts: SampledCounts): SampledRecall | null {
  const { ranges, missed, events, sampledS, unmatchedS, approved, rejected, pending, added } = counts;
  const share = wilson(missed, ranges);
  if (!share || sampledS <= 0) return null;
  const perRange = missed === 0 ? 1 : events / missed;
  const population = perRange * ranges * Math.max(1, unmatchedS / sampledS);
  const toEvents = (of: number) => Math.max(added, of * population);
  const missedEvents = { value: toEvents(share.value), low: toEvents(share.low), high: toEvents(share.high) };
  const precision = wilson(approved, approved + rejected);
  const toRight = (of: number | undefined) => approved + pending * (of ?? 0);
  const toRecall = (right: number, lost: number) => (right + lost === 0 ? 0 : right / (right + lost));
  const known = approved + pending > 0 && (pending === 0 || precision !== null);
  const recall = known && {
    value: toRecall(toRight(precision?.value), missedEvents.value),
    low: toRecall(toRight(precision?.low), missedEvents.high),
    high: toRecall(toRight(precision?.high), missedEvents.low),
  };
  return { ranges, missed, events, sampledS, unmatchedS, missedEvents, recall: recall || null };
}
