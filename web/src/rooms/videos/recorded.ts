import type { VideoStatus } from '@sightline/sdk';
import type { RecordedSearch } from '#frame/search-params.ts';
import { startOfDay } from '#ui/format/dates.ts';

const browserZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Zone in which the time of a recording is shown: its own; UTC for a time that was read without a zone. */
export const zoneOf = ({ time_zone, clock }: Pick<VideoStatus, 'time_zone' | 'clock'>): string =>
  time_zone ?? (clock?.zone_known === false ? 'UTC' : browserZone());

/** Filters by when something was recorded, as the API has them; days are those of the browser's time zone. */
export const toRecordedFilter = ({ recorded_after, recorded_before, time_of_day, weekday }: RecordedSearch) => ({
  recorded_after: startOfDay(recorded_after),
  recorded_before: startOfDay(recorded_before, 1),
  time_of_day,
  weekday,
});
