import type { Command } from 'commander';

/** Flags for when something was recorded. */
export type RecordedFlags = Partial<
  Record<'recordedAfter' | 'recordedBefore' | 'timeOfDay' | 'weekday' | 'timeZone', string>
>;

/** Adds the flags to a command that lists `what`. */
export const withRecordedFlags = (command: Command, what: string, zoneOf = 'of these'): Command =>
  command
    .option('--recorded-after <time>', `only ${what} recorded at this time or later, ISO 8601`)
    .option('--recorded-before <time>', `only ${what} recorded before this time, ISO 8601`)
    .option(
      '--time-of-day <from-to>',
      `only ${what} recorded in this daily interval of local time, such as 22:00-06:00`,
    )
    .option('--weekday <days>', `only ${what} recorded on these days of the week, such as sat,sun`)
    .option('--time-zone <zone>', `time zone ${zoneOf} (default: that of each video, or UTC)`);

/** Query parameters of the flags. */
export const toRecordedFilter = ({ recordedAfter, recordedBefore, timeOfDay, weekday, timeZone }: RecordedFlags) => ({
  recorded_after: recordedAfter,
  recorded_before: recordedBefore,
  time_of_day: timeOfDay,
  weekday,
  time_zone: timeZone,
});
