import type { Coverage, LiveCoverage } from '#engine/index';
import { formatTimecode } from '#features/analyses/index';
import type { LiveEvent } from '../types.ts';
import type { SkippedRange } from './skipped-ranges.ts';

type Status = Coverage['status'];
/** Coverage of one part of a query in an interval; times are seconds from the first frame of the stream. */
type CoveredInterval = { fromS: number; untilS: number } & Pick<Coverage, 'status' | 'by' | 'reason'>;
/** Coverage of one part of a query over the whole session, in order of time. */
export type LiveCoverageRow = { search: string; text: string; intervals: CoveredInterval[] };

/** Intervals with a smaller gap are merged, in seconds. */
const TOUCHING_S = 0.1;
/**
 * Maximum number of intervals per row, and of rows. Beyond them the oldest intervals are merged and the oldest rows
 * dropped.
 */
const MAX_INTERVALS = 500;
const MAX_ROWS = 500;
/** Maximum number of intervals that a reason lists. */
const MAX_TIMES = 5;

/** Adds the coverage `found` of the range `fromS` to `untilS` to the coverage of a session. */
export function addCoverage(
  rows: readonly LiveCoverageRow[],
  found: readonly LiveCoverage[],
  fromS: number,
  untilS: number,
): LiveCoverageRow[] {
  const added = new Map(rows.map((row) => [keyOf(row), row]));
  for (const { search, text, status, by, reason } of found) {
    const key = keyOf({ search, text });
    const before = added.get(key)?.intervals ?? [];
    added.set(key, { search, text, intervals: insert(before, { fromS, untilS, status, by, reason }) });
  }
  return [...added.values()].slice(-MAX_ROWS);
}

const keyOf = ({ search, text }: { search: string; text: string }) => JSON.stringify([search, text]);

function insert(intervals: readonly CoveredInterval[], next: CoveredInterval): CoveredInterval[] {
  const sorted = [...intervals, next].sort((a, b) => a.fromS - b.fromS);
  const merged: CoveredInterval[] = [];
  for (const interval of sorted) {
    const last = merged.at(-1);
    if (last && isAlike(last, interval) && interval.fromS - last.untilS < TOUCHING_S) {
      merged[merged.length - 1] = { ...last, untilS: Math.max(last.untilS, interval.untilS) };
    } else merged.push(interval);
  }
  if (merged.length <= MAX_INTERVALS) return merged;
  const [first, second, ...rest] = merged as [CoveredInterval, CoveredInterval, ...CoveredInterval[]];
  return [{ ...first, untilS: second.untilS, status: together([first.status, second.status]) }, ...rest];
}

const isAlike = (a: CoveredInterval, b: CoveredInterval) =>
  a.status === b.status && a.reason === b.reason && a.by.join() === b.by.join();

const together = (statuses: readonly Status[]): Status =>
  statuses.every((status) => status === statuses[0]) ? (statuses[0] ?? 'not_looked_for') : 'partly';

/** Coverage of the whole session for the API, with the number of events of each part and with skipped ranges. */
export function toCoverage(
  rows: readonly LiveCoverageRow[],
  skipped: readonly SkippedRange[],
  events: readonly LiveEvent[],
) {
  return rows.map(({ search, text, intervals }) => {
    const [fromS, untilS] = [intervals[0]!.fromS, intervals.at(-1)!.untilS];
    const missing = skipped
      .filter((range) => range.untilS > fromS)
      .map((range): CoveredInterval => ({ ...range, status: 'not_looked_for', by: [] }));
    const all = [...intervals, ...missing].sort((a, b) => a.fromS - b.fromS);
    const status = together(all.map((interval) => interval.status));
    const analyzed = intervals.filter((interval) => interval.status !== 'not_looked_for');
    const found = status === 'not_looked_for' ? [] : events.filter(({ data }) => data.query === search);
    return {
      text,
      status,
      by: [...new Set(intervals.flatMap(({ by }) => by))],
      reason: reasonOf(all),
      findings: found.length,
      fromS,
      untilS: Math.max(untilS, missing.at(-1)?.untilS ?? 0),
      analysedS: round(analyzed.reduce((sum, interval) => sum + interval.untilS - interval.fromS, 0)),
      intervals: all,
    };
  });
}

/** Joins the reasons of all intervals, each with its times if it does not apply to all of them. */
function reasonOf(intervals: readonly CoveredInterval[]): string | null {
  const reasons = [...new Set(intervals.flatMap(({ reason }) => reason ?? []))].map((reason) => {
    const of = intervals.filter((interval) => interval.reason === reason);
    if (of.length === intervals.length) return reason;
    const times = of
      .slice(0, MAX_TIMES)
      .map(({ fromS, untilS }) => `${formatTimecode(fromS)} to ${formatTimecode(untilS)}`);
    const more = of.length > MAX_TIMES ? ` and ${of.length - MAX_TIMES} more` : '';
    return `${reason} (${times.join(', ')}${more})`;
  });
  return reasons.length > 0 ? reasons.join('; ') : null;
}

const round = (seconds: number) => Math.round(seconds * 1000) / 1000;
