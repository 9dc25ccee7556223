import { type App, lastEventId, routes, sendEvents } from '#platform/http/index';
import { ActivityQuery, ActivityStream } from './schema.ts';
import type { Activity } from './service.ts';

export function activityRoutes(app: App, activity: Activity): void {
  const route = routes(app, { tag: 'Activity', scope: 'read', folderKeys: true });

  route.get(
    '/api/activity',
    {
      id: 'followActivity',
      stream: true,
      summary: 'Follow changes',
      description:
        'Streams what changes among the videos, uploads, analyses, batches, imports, recordings and live sessions that you may read, until you disconnect. Resumes after the id of any event of the last two days, on any node, without gaps or duplicates.',
      query: ActivityQuery,
      responses: { 200: { content: { 'text/event-stream': { schema: ActivityStream } } } },
    },
    (request, reply) => {
      const lastId = lastEventId(request, request.query.lastId);
      // The caller of an open stream is authenticated again and again; its role may change.
      const reader = { caller: () => request.caller, lastId, signal: request.disconnected };
      return sendEvents(request, reply, activity.follow(reader));
    },
  );
}
