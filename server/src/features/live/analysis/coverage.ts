import type { Coverage, LiveCoverage } from '#engine/index';
import { clock } from '#features/analyses/index';
import type { LiveEvent } from '../types.ts';
import type { SkippedRange } from './ranges.ts';

type Status = Coverage['status'];
/** How one part of a query was looked for in a range of the stream; times are seconds from its first frame. */
type CoveredInterval = { fromS: number; untilS: number } & Pick<Coverage, 'status' | 'by' | 'reason'>;
/** One part of a query over the whole session: where it was analysed, in order of time. */
export type CoverageRow = { search: string; text: string; intervals: CoveredInterval[] };

/** Intervals closer than this are one. In seconds. */
const TOUCHING_S = 0.1;
/** Intervals of a row that are kept apart, and rows that are kept: then the oldest are merged, or dropped. */
const MOST_INTERVALS = 500;
const MOST_ROWS = 500;
/** Times that a reason lists. */
const MOST_TIMES = 5;

/** The coverage of a session after `found` was analysed from `fromS` to `untilS`. */
export function addCoverage(
  rows: readonly CoverageRow[],
  found: readonly LiveCoverage[],
  fromS: number,
  untilS: number,
): CoverageRow[] {
  const added = new Map(rows.map((row) => [keyOf(row), row]));
  for (const { search, text, status, by, reason } of found) {
    const key = keyOf({ search, text });
    const before = added.get(key)?.intervals ?? [];
    added.set(key, { search, text, intervals: insert(before, { fromS, untilS, status, by, reason }) });
  }
  return [...added.values()].slice(-MOST_ROWS);
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
  if (merged.length <= MOST_INTERVALS) return merged;
  const [first, second, ...rest] = merged as [CoveredInterval, CoveredInterval, ...CoveredInterval[]];
  return [{ ...first, untilS: second.untilS, status: together([first.status, second.status]) }, ...rest];
}

const isAlike = (a: CoveredInterval, b: CoveredInterval) =>
  a.status === b.status && a.reason === b.reason && a.by.join() === b.by.join();

const together = (statuses: readonly Status[]): Status =>
  statuses.every((status) => status === statuses[0]) ? (statuses[0] ?? 'not_looked_for') : 'partly';

/** Coverage as the API has it: of the whole session, with the events of each part, and with what was skipped. */
export function coverageAnswer(
  rows: readonly CoverageRow[],
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
    const looked = intervals.filter((interval) => interval.status !== 'not_looked_for');
    const found = status === 'not_looked_for' ? [] : events.filter(({ data }) => data.query === search);
    return {
      text,
      status,
      by: [...new Set(intervals.flatMap(({ by }) => by))],
      reason: reasonOf(all),
      findings: found.length,
      from_s: fromS,
      until_s: Math.max(untilS, missing.at(-1)?.untilS ?? 0),
      analysed_s: round(looked.reduce((sum, interval) => sum + interval.untilS - interval.fromS, 0)),
      intervals: all.map((interval) => ({
        ...{ from_s: interval.fromS, until_s: interval.untilS },
        ...{ status: interval.status, by: interval.by, reason: interval.reason },
      })),
    };
  });
}

/** The reasons of all intervals, each with its times where it does not hold for all of them. */
function reasonOf(intervals: readonly CoveredInterval[]): string | null {
  const reasons = [...new Set(intervals.flatMap(({ reason }) => reason ?? []))].map((reason) => {
    const of = intervals.filter((interval) => interval.reason === reason);
    if (of.length === intervals.length) return reason;
    const times = of.slice(0, MOST_TIMES).map(({ fromS, untilS }) => `${clock(fromS)} to ${clock(untilS)}`);
    const more = of.length > MOST_TIMES ? ` and ${of.length - MOST_TIMES} more` : '';
    return `${reason} (${times.join(', ')}${more})`;
  });
  return reasons.length > 0 ? reasons.join('; ') : null;
}

const round = (seconds: number) => Math.round(seconds * 1000) / 1000;
