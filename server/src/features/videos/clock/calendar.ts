import { Type } from 'typebox';
import { Maybe, PatternString, parseDateTime } from '#platform/http/index';
import { isTimeZone } from '#platform/local-time';
import { problems } from '../problems.ts';

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const DAY = `(${WEEKDAYS.join('|')})`;
const TIME = '([01]\\d|2[0-3]):[0-5]\\d';

/** Conditions on when something was recorded; null or absent: any. What has no known time meets none. */
export type CalendarFilter = {
  /** At least partly from this instant on, and before the other. */
  recordedAfter?: Date | null;
  recordedBefore?: Date | null;
  /** Local times of a daily interval, which may cross midnight: `22:00-06:00`. */
  timeOfDay?: string | null;
  /** Local days of the week, separated by commas: `mon,tue`. */
  weekday?: string | null;
  /** Time zone of these; null: that of each video, or else UTC. */
  timeZone?: string | null;
};

/** Query parameters of `CalendarFilter`. `what`: videos or events. */
export const calendarFields = (what: string) => ({
  recorded_after: Maybe(
    Type.String({
      format: 'date-time',
      description: `Only ${what} of which a part was recorded at this time or later, ISO 8601. Those without a known time of recording match none of these filters.`,
    }),
  ),
  recorded_before: Maybe(
    Type.String({
      format: 'date-time',
      description: `Only ${what} whose recording started before this time, ISO 8601.`,
    }),
  ),
  time_of_day: Maybe(
    PatternString(`^${TIME}-${TIME}$`, 'two local times such as 22:00-06:00', {
      description: `Only ${what} of which a part was recorded in this daily interval of local time, which may cross midnight: \`22:00-06:00\`.`,
    }),
  ),
  weekday: Maybe(
    PatternString(`^${DAY}(,${DAY}){0,6}$`, 'days such as mon,tue, separated by commas', {
      description: `Only ${what} of which a part was recorded on these days of the week: \`sat,sun\`.`,
    }),
  ),
  time_zone: Maybe(
    Type.String({
      maxLength: 64,
      description:
        'Time zone of `time_of_day` and `weekday`: an IANA name, or an offset such as `+01:00`. Default: that of each video, or UTC if it is unknown.',
    }),
  ),
});

/** A zone of a request. Throws `time_zone_invalid` (400). */
export function checkTimeZone(timeZone: string | null | undefined): string | null {
  if (timeZone != null && !isTimeZone(timeZone)) throw problems.time_zone_invalid();
  return timeZone ?? null;
}

type CalendarQuery = {
  [Name in keyof CalendarFilter]?: string | null | undefined;
};

/** The filter of query parameters. Throws `time_zone_invalid` (400). */
export function toCalendarFilter({
  recordedAfter,
  recordedBefore,
  timeOfDay,
  weekday,
  timeZone,
}: CalendarQuery): Required<CalendarFilter> {
  return {
    recordedAfter: recordedAfter ? parseDateTime(recordedAfter) : null,
    recordedBefore: recordedBefore ? parseDateTime(recordedBefore) : null,
    timeOfDay: timeOfDay ?? null,
    weekday: weekday ?? null,
    timeZone: checkTimeZone(timeZone),
  };
}
