import { Type } from 'typebox';
import { type App, failures } from '#platform/http/index';
import { NewSearch, RunSearch, SearchParams, SearchSession, SearchStarted } from './schema.ts';
import type { Search, Told } from './service.ts';

export function searchRoutes(app: App, search: Search): void {
  app.post(
    '/api/search-sessions/start',
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'startSearch',
        tags: ['Search'],
        summary: 'Start a search among events',
        description: 'Opens a session for a search among the events that analyses of a folder’s videos have told.',
        body: NewSearch,
        response: { 200: SearchStarted, ...failures(404) },
      },
    },
    async ({ caller, body }) => {
      const session = await search.start(caller, body);
      const path = `search-sessions/${session.ownerId}/${session.id}`;
      return {
        session_id: session.id,
        owner_uid: session.ownerId,
        session_doc_path: path,
        reasoning_trace_path: path,
      };
    },
  );

  app.post(
    '/api/search',
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'runSearch',
        tags: ['Search'],
        summary: 'Run a search',
        description: 'Runs the search of a session; when this answers, the session has the result.',
        consumes: ['application/x-www-form-urlencoded', 'application/json'],
        body: RunSearch,
        response: {
          200: Type.Object(
            { status: Type.String({ description: '`completed`.' }) },
            { additionalProperties: true, description: 'It was run.', examples: [{ status: 'completed' }] },
          ),
          ...failures(404),
        },
      },
    },
    async ({ caller, body }) => {
      await search.run(caller, body.session_id);
      return { status: 'completed' };
    },
  );

  app.get(
    '/api/search-sessions/:owner_uid/:session_id',
    {
      config: { scope: 'read', folderKeys: true },
      schema: {
        operationId: 'getSearch',
        tags: ['Search'],
        summary: 'Get a search and its result',
        description:
          'Returns the session, with the matches in videos that you still see. Sessions are kept for 30 days.',
        params: SearchParams,
        response: { 200: SearchSession, ...failures(404) },
      },
    },
    async ({ caller, params }) => ({ data: describe(await search.get(caller, params.session_id)) }),
  );
}

function describe({ result, summary, query, folderName, createdAt, completedAt }: Told) {
  return {
    status: result ? 'completed' : 'pending',
    query,
    folder_name: folderName,
    summary: summary ?? '',
    thoughts: result?.thoughts ?? [],
    matches: result?.matches ?? [],
    created_at: createdAt.toISOString(),
    completed_at: completedAt?.toISOString() ?? null,
  };
}
