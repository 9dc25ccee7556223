import { offsetMs, toLocalTime } from '#platform/local-time';
import type { Calendar } from '../plan/index.ts';
import { type DayNumber, dayOf, limitsOf, weekdayName } from './days.ts';

/** Milliseconds since 1970, without the last one. */
export type InstantRange = { from: number; to: number };

const DAY_S = 86_400;
const MINUTE_MS = 60_000;
/** No zone is further from UTC. */
export const FURTHEST_MS = 15 * 3_600_000;
/** Most days of a video that are looked at. */
const MOST_DAYS = 1_000;

/** The moment of asking, and the zone of days and times of day. */
export type RequestedIn = { at: Date; timeZone: string };

/** The local date of an instant. */
export const localDayOf = (instant: number, timeZone: string): DayNumber =>
  dayOf(toLocalTime(new Date(instant), timeZone).day);

/**
 * The parts of a span of time that are in a part of the calendar, in order. An interval that crosses midnight is of the
 * day on which it starts. When clocks are set back, a time of day is there twice; when they are set forward, times that
 * are skipped are not there.
 */
export function instantsOf(calendar: Calendar, span: InstantRange, { at, timeZone }: RequestedIn): InstantRange[] {
  const localDay = (instant: number) => localDayOf(instant, timeZone);
  const { from, to } = limitsOf(calendar, localDay(at.getTime()));
  const first = Math.max(localDay(span.from) - 1, from?.day ?? Number.NEGATIVE_INFINITY);
  const last = Math.min(localDay(span.to), to?.day ?? Number.POSITIVE_INFINITY, first + MOST_DAYS);
  const { times, weekdays } = calendar;
  const found: InstantRange[] = [];
  for (let day = first; day <= last; day++) {
    if (weekdays.length > 0 && !weekdays.includes(weekdayName(day))) continue;
    const startS = times?.from ?? 0;
    const endS = times ? (times.to > times.from ? times.to : times.to + DAY_S) : DAY_S;
    const local = {
      from: Math.max(
        day * DAY_S + startS,
        from?.timeS == null ? Number.NEGATIVE_INFINITY : from.day * DAY_S + from.timeS,
      ),
      to: Math.min(day * DAY_S + endS, to?.timeS == null ? Number.POSITIVE_INFINITY : to.day * DAY_S + to.timeS),
    };
    if (local.from < local.to)
      found.push(...instantsOfLocal({ from: local.from * 1_000, to: local.to * 1_000 }, timeZone));
  }
  return joinRanges(found).flatMap((range) => {
    const part = { from: Math.max(range.from, span.from), to: Math.min(range.to, span.to) };
    // A video of one frame has no length.
    return part.from < part.to || (part.from === part.to && span.from === span.to && part.from < range.to)
      ? [part]
      : [];
  });
}

/** The instants at which the clocks of a zone show an interval of local time, in milliseconds as if it were UTC. */
function instantsOfLocal({ from, to }: InstantRange, timeZone: string): InstantRange[] {
  const pieces = piecesOf({ from: from - FURTHEST_MS, to: to + FURTHEST_MS }, timeZone);
  return pieces.flatMap((piece) => {
    const part = { from: Math.max(piece.from, from - piece.offset), to: Math.min(piece.to, to - piece.offset) };
    return part.from < part.to ? [part] : [];
  });
}

/** A span divided where the clocks of a zone change, each part with its offset from UTC. */
function piecesOf({ from, to }: InstantRange, timeZone: string): (InstantRange & { offset: number })[] {
  const [first, last] = [offsetMs(from, timeZone), offsetMs(to, timeZone)];
  if (first === last) return [{ from, to, offset: first }];
  let [before, after] = [from, to];
  while (after - before > MINUTE_MS) {
    const middle = Math.floor((before + after) / 2 / MINUTE_MS) * MINUTE_MS;
    if (middle <= before) break;
    if (offsetMs(middle, timeZone) === first) before = middle;
    else after = middle;
  }
  // Clocks change at whole minutes.
  const change = Math.floor(after / MINUTE_MS) * MINUTE_MS;
  return [{ from, to: change, offset: first }, ...piecesOf({ from: change, to }, timeZone)];
}

/** Ranges in order, joined where they touch. */
export function joinRanges<Range extends { from: number; to: number }>(ranges: readonly Range[]): InstantRange[] {
  const joined: InstantRange[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}
