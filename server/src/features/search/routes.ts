import { type App, routes } from '#platform/http/index';
import {
  CompletedSearch,
  NewSearch,
  SearchParams,
  SearchSessionResponse,
  SearchToRun,
  StartedSearch,
} from './schema.ts';
import type { EventSearch } from './service.ts';

export function searchRoutes(app: App, search: EventSearch): void {
  const route = routes(app, { tag: 'Search', scope: 'read', folderKeys: true });

  route.post(
    '/api/search-sessions/start',
    {
      id: 'startSearch',
      summary: 'Create a search session',
      description: 'Creates a session for a search among the events of completed analyses of the videos of a folder.',
      body: NewSearch,
      response: StartedSearch,
      errors: [404],
    },
    async ({ caller, body }) => {
      const { id, ownerId } = await search.start(caller, body);
      const path = `search-sessions/${ownerId}/${id}`;
      return { sessionId: id, ownerUid: ownerId, sessionDocPath: path, reasoningTracePath: path };
    },
  );

  route.post(
    '/api/search',
    {
      id: 'runSearch',
      summary: 'Run a search',
      description: 'Runs the search of a session. After the response, the session contains the result.',
      consumes: ['application/x-www-form-urlencoded', 'application/json'],
      body: SearchToRun,
      response: CompletedSearch,
      errors: [404],
    },
    async ({ caller, body }) => {
      await search.run(caller, body.sessionId);
      return { status: 'completed' };
    },
  );

  route.get(
    '/api/search-sessions/:owner_uid/:session_id',
    {
      id: 'getSearch',
      summary: 'Get a search and its result',
      description:
        'Returns the session with its matches in videos that you can still access. Sessions are deleted after 30 days.',
      params: SearchParams,
      response: SearchSessionResponse,
      errors: [404],
    },
    async ({ caller, params }) => ({ data: await search.get(caller, params.sessionId) }),
  );
}
