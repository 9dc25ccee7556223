import { toCalendarFilter } from '#features/videos/index';
import { type App, parseDateTime, routes } from '#platform/http/index';
import { EventListQuery, EventPage } from './schema.ts';
import type { EventIndex } from './service.ts';

export function eventIndexRoutes(app: App, events: EventIndex): void {
  const route = routes(app, { tag: 'Search', scope: 'read', folderKeys: true });

  route.get(
    '/api/events',
    {
      id: 'listEvents',
      summary: 'Search the events of all analyses',
      description:
        'Lists the events of completed analyses that you may read and that match all filters, page by page. Candidates below the confidence of their analysis are not included. The cost of a page does not grow with the number of events.',
      query: EventListQuery,
      response: EventPage,
      errors: [404],
    },
    ({ caller, query: { createdAfter, createdBefore, ...query } }) =>
      events.list(caller, {
        ...query,
        ...toCalendarFilter(query),
        createdAfter: createdAfter ? parseDateTime(createdAfter) : null,
        createdBefore: createdBefore ? parseDateTime(createdBefore) : null,
      }),
  );
}
