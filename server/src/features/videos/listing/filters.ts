import { type Domain, parseDateTime } from '#platform/http/index';
import { toCalendarFilter } from '../clock/index.ts';
import { STATE_BY_STATUS } from '../states.ts';
import type { VideoFacetsQuery } from './schema.ts';

/** The filters of a request. Throws `time_zone_invalid` (400). */
export const toVideoFilters = ({
  name,
  status,
  createdAfter,
  createdBefore,
  ...filters
}: Domain<typeof VideoFacetsQuery>) => ({
  ...filters,
  ...toCalendarFilter(filters),
  status: status && STATE_BY_STATUS[status],
  nameContains: name,
  createdAfter: createdAfter ? parseDateTime(createdAfter) : null,
  createdBefore: createdBefore ? parseDateTime(createdBefore) : null,
});
