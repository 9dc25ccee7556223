import { isTimeZone } from '#platform/local-time';
import type { Calendar, Plan, PlanClock, PlannedSearch, PlanWindow } from '../plan/index.ts';
import { instantsOf, joinRanges } from './instants.ts';
import { calendarText, coveredText } from './text.ts';

/** When a video was recorded, as far as it is known. */
export type FootageClock = {
  /** Instant of the first frame; null if nothing says it. */
  recordedAt: Date | null;
  /** IANA name or offset; null if it is unknown. */
  timeZone: string | null;
  /** Source of the time, as `clock.source` of the video. */
  source: string | null;
  /** From `atS` on, frames are `seconds` later: a livestream that was connected again. */
  jumps: readonly { atS: number; seconds: number }[];
  /** Seconds of the calendar in a second of the video: of a time lapse, or of a clock that drifts. */
  rate: number;
  durationS: number | null;
};

/** When a question is requested; the zone of the person, or null: that of each video, or else UTC. */
export type Requested = { at: Date; timeZone: string | null };

/** True if a plan names days or times of day. */
export const namesTimes = (plan: Plan): boolean => windowsOf(plan).some(({ calendar, daily }) => calendar ?? daily);

/** Returns why no part of a video is what a plan asks for, or null if a part is. */
export function missedBy({ window, searches }: Plan): NonNullable<PlanWindow['missed']> | null {
  if (window?.missed) return window.missed;
  const all = searches.map((search) => search.window?.missed);
  return all.every((missed) => missed !== undefined) ? all[0]! : null;
}

/**
 * Finds the times of the calendar that a plan names in a video, by its recording clock. "8:15" is in the ninth minute
 * of a video that is as long, or else at that time of day. Pure: the same video, moment and zone give the same plan.
 */
export function placePlan(plan: Plan, video: FootageClock, requested: Requested): Plan {
  if (!namesTimes(plan)) return plan;
  const timeZone = zoneOf(requested, video);
  const span = spanOf(video);
  const clock: PlanClock = {
    requested_at: requested.at.toISOString(),
    time_zone: timeZone,
    source: span && video.source,
    recorded_from: span && new Date(span.from).toISOString(),
    recorded_until: span && new Date(span.to).toISOString(),
  };
  const context = { video, span, clock, at: requested.at, timeZone };
  const placed = {
    ...plan,
    window: plan.window && placeWindow(plan.window, context),
    searches: plan.searches.map(
      (search): PlannedSearch => (search.window ? { ...search, window: placeWindow(search.window, context) } : search),
    ),
  };
  // Times that are those of the video need no clock.
  return windowsOf(placed).some(({ calendar, remark }) => calendar ?? remark) ? { ...placed, clock } : placed;
}

/** A plan with the moment and the zone of its times, before a video is known. */
export function datePlan(plan: Plan, requested: Requested): Plan {
  if (!windowsOf(plan).some(({ calendar }) => calendar)) return plan;
  const clock: PlanClock = {
    requested_at: requested.at.toISOString(),
    time_zone: requested.timeZone,
    source: null,
    recorded_from: null,
    recorded_until: null,
  };
  return { ...plan, clock };
}

/** A zone that this process does not know would be an error. */
const zoneOf = (requested: Requested, video: FootageClock): string =>
  [requested.timeZone, video.timeZone].find((zone) => zone !== null && isTimeZone(zone)) ?? 'UTC';

const windowsOf = ({ window, searches }: Pick<Plan, 'window' | 'searches'>): PlanWindow[] =>
  [window, ...searches.map((search) => search.window)].filter((each) => each != null);

type Span = { from: number; to: number };
type Context = { video: FootageClock; span: Span | null; clock: PlanClock; at: Date; timeZone: string };

/** Length of a video that states none, in seconds. */
const ANY_LENGTH_S = 86_400;
const lengthOf = ({ durationS }: FootageClock) => durationS ?? ANY_LENGTH_S;

function spanOf(video: FootageClock): Span | null {
  if (!video.recordedAt) return null;
  const from = video.recordedAt.getTime();
  const laterS = video.jumps.reduce((sum, { seconds }) => sum + seconds, 0);
  return { from, to: from + (lengthOf(video) * video.rate + laterS) * 1_000 };
}

function placeWindow(window: PlanWindow, context: Context): PlanWindow {
  const { parts: _parts, remark: _remark, missed: _missed, ...own } = window;
  if (own.calendar) return byCalendar(own, own.calendar, context);
  return own.daily ? byEither(own, context) : own;
}

/** Where a part of the calendar is in a video. */
function byCalendar(window: PlanWindow, calendar: Calendar, context: Context): PlanWindow {
  const { span, clock } = context;
  const { daily: _, ...own } = window;
  const unplaced = { ...own, unit: 'clock' as const, calendar, from: 0, to: null };
  const words = calendarText(calendar, clock);
  if (!span) return { ...unplaced, missed: 'no_clock', remark: `${words}: ${NO_CLOCK}` };
  const parts = partsOf(calendar, context);
  const covered = coveredText(clock);
  if (parts.length === 0)
    return { ...unplaced, missed: 'outside', remark: `${words}: recorded at another time, since ${covered}` };
  const [from, to] = [parts[0]!.from, parts.at(-1)!.to];
  return { ...unplaced, from, to: to >= lengthOf(context.video) ? null : to, ...(parts.length > 1 ? { parts } : {}) };
}

const NO_CLOCK =
  'it is not known when the video was recorded: set the time of its first frame in its details, or that of all videos of its folder';

/**
 * Places times that may be of the video or of the day: those that the video has. Where it has both, those of the video,
 * with a remark on the others.
 */
function byEither(window: PlanWindow, context: Context): PlanWindow {
  const { video, span, clock } = context;
  const calendar: Calendar = { from: null, to: null, times: window.daily!, weekdays: [] };
  const isInVideo = window.from < lengthOf(video);
  const parts = span ? partsOf(calendar, context) : [];
  const [first] = parts;
  if (isInVideo) {
    if (!first || isAll(parts, video)) return window;
    const other = calendarText(calendar, clock);
    return {
      ...window,
      remark: `${other} by the recording clock is ${partText(first)} in the video; to ask for that, name the day or write "am" or "pm"`,
    };
  }
  if (first) return byCalendar(window, calendar, context);
  const words = calendarText(calendar, clock);
  const why = span
    ? `${words}: not in the video, which is ${Math.round(lengthOf(video) * 10) / 10} s long, and by its recording clock ${coveredText(clock)}`
    : `${words}: not in the video, which is ${Math.round(lengthOf(video) * 10) / 10} s long, and it is not known when it was recorded`;
  return { ...window, missed: 'outside', remark: why };
}

/** "From 0:05": all of the day after five minutes past midnight, too, which nobody means. */
const isAll = (parts: readonly Span[], video: FootageClock) =>
  parts.length === 1 && parts[0]!.from <= 0 && parts[0]!.to >= lengthOf(video);

const partText = ({ from, to }: Span) => `${timeText(from)} to ${timeText(to)}`;
const timeText = (seconds: number) => {
  const whole = Math.floor(seconds);
  const [h, m, s] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60].map(String) as [
    string,
    string,
    string,
  ];
  return h === '0' ? `${m}:${s.padStart(2, '0')}` : `${h}:${m.padStart(2, '0')}:${s.padStart(2, '0')}`;
};

/** The seconds of a video in a part of the calendar. */
function partsOf(calendar: Calendar, { video, span, at, timeZone }: Context): Span[] {
  const ranges = instantsOf(calendar, span!, { at, timeZone });
  const start = span!.from;
  let laterS = 0;
  let fromS = 0;
  const found: Span[] = [];
  for (const { atS, seconds } of [...video.jumps, { atS: lengthOf(video), seconds: 0 }]) {
    for (const range of ranges) {
      const from = Math.max(fromS, ((range.from - start) / 1_000 - laterS) / video.rate);
      const to = Math.min(atS, ((range.to - start) / 1_000 - laterS) / video.rate);
      if (from < to || (from === to && lengthOf(video) === 0)) found.push({ from, to });
    }
    fromS = atS;
    laterS += seconds;
  }
  return joinRanges(found);
}
