import type { Calendar, Plan } from '../plan/index.ts';
import { dateOf, limitsOf } from './days.ts';
import { FURTHEST_MS, localDayOf } from './instants.ts';
import type { Requested } from './place.ts';
import { instantText } from './text.ts';

/** A span of time; null: without a limit on that side. */
type SearchedSpan = { from: Date | null; to: Date | null };

/** Statements of a plan about a library, before its videos are known. */
export type LibrarySearch = {
  /**
   * A span that contains all times at which a video that is searched was recorded, in any zone where none is requested.
   * Null: the plan also searches videos about which it is not known when they were recorded.
   */
  span: SearchedSpan | null;
  /** Which event of all videos is the answer; null: those of each video. */
  picks: 'first' | 'last' | null;
};

/** Finds which recordings of a library a plan is about. */
export function searchLibrary({ window, searches }: Plan, requested: Requested): LibrarySearch {
  const calendars = searches.map((search) => (search.window ?? window)?.calendar ?? null);
  const spans = calendars.map((calendar) => calendar && spanOf(calendar, requested));
  const [only, ...others] = searches;
  const pick = others.length === 0 && !only!.places && !only!.moments ? only!.pick : null;
  return {
    span: spans.some((span) => span === null)
      ? null
      : spans.reduce<SearchedSpan | null>((all, span) => (all && span ? joined(all, span) : span), null),
    picks: pick === 'first' || pick === 'last' ? pick : null,
  };
}

const joined = (one: SearchedSpan, other: SearchedSpan): SearchedSpan => ({
  from: one.from && other.from && (one.from < other.from ? one.from : other.from),
  to: one.to && other.to && (one.to > other.to ? one.to : other.to),
});

const DAY_MS = 86_400_000;

/** Whole days that contain a part of the calendar. Where no zone is requested, that of any video. */
function spanOf(calendar: Calendar, { at, timeZone }: Requested): SearchedSpan {
  // A zone of a video may have another date than UTC at the moment of asking.
  const aroundDays = timeZone === null ? 1 : 0;
  const limits = limitsOf(calendar, localDayOf(at.getTime(), timeZone ?? 'UTC'));
  const startOf = (day: number) => Date.parse(`${dateOf(day)}T00:00:00Z`);
  // Times of day that cross midnight are of the day before.
  return {
    from: limits.from && new Date(startOf(limits.from.day - aroundDays) - FURTHEST_MS),
    to: limits.to && new Date(startOf(limits.to.day + aroundDays + 1) + DAY_MS + FURTHEST_MS),
  };
}

/** The event of a library that was requested, and what was not searched for it. */
export type LibraryFindings = {
  picks: 'first' | 'last';
  found: { at: Date; timeZone: string | null; videoName: string; clock: string; label: string } | null;
  /** Names of videos with events that have no clock, so that their order is not known. */
  undated: readonly string[];
  /** Names of videos that were not searched because they have no clock, and how many there are. */
  noClock: { names: readonly string[]; count: number };
  searched: number;
  leftOut: number;
  failed: number;
};

/** States the event of a library that was requested, by calendar time. */
export function answerLibrary(findings: LibraryFindings): string {
  const { picks, found, undated, noClock, searched, leftOut, failed } = findings;
  const name = picks === 'first' ? 'First' : 'Last';
  const order = picks === 'first' ? 'earlier' : 'later';
  return [
    found
      ? `${name} at ${instantText(found.at, found.timeZone)}, in ${found.videoName} at ${found.clock}: ${found.label}.`
      : undated.length > 0
        ? `Not known: it is not known when the videos were recorded in which it was found (${named(undated, undated.length)}).`
        : `Not found in ${counted(searched, 'searched video')}.`,
    found && undated.length > 0
      ? `It was also found in ${counted(undated.length, 'video')} without a known time of recording, which may be ${order} (${named(undated, undated.length)}).`
      : '',
    noClock.count > 0
      ? `Not searched: ${counted(noClock.count, 'video')} without a known time of recording (${named(noClock.names, noClock.count)}).`
      : '',
    leftOut > 0 ? `${counted(leftOut, 'further video')} of that time ${leftOut === 1 ? 'was' : 'were'} left out.` : '',
    failed > 0 ? `${counted(failed, 'video')} could not be searched.` : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** States why no video of a library was searched. */
export function answerEmptyLibrary({
  considered,
  outside,
  noClock,
}: {
  considered: number;
  outside: number;
  noClock: LibraryFindings['noClock'];
}): string {
  if (considered === 0) return 'No video was searched: none matches the filters.';
  const reasons = [
    ...(outside > 0 ? [`${counted(outside, 'video')} ${outside === 1 ? 'was' : 'were'} recorded at another time`] : []),
    ...(noClock.count > 0
      ? [
          `of ${counted(noClock.count, 'video')} it is not known when ${noClock.count === 1 ? 'it was' : 'they were'} recorded (${named(noClock.names, noClock.count)})`,
        ]
      : []),
  ];
  return `No video was searched: ${reasons.join(', and ')}.`;
}

/** Names of videos that are listed. */
const MOST_NAMES = 5;
const named = (names: readonly string[], count: number) =>
  names.slice(0, MOST_NAMES).join(', ') + (count > Math.min(names.length, MOST_NAMES) ? ', …' : '');
const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
