import { type App, routes } from '#platform/http/index';
import { PassageListQuery, PassagePage } from './schema.ts';
import type { Passages } from './types.ts';

export function passageRoutes(app: App, passages: Passages): void {
  const route = routes(app, { tag: 'Search', scope: 'read', folderKeys: true });

  route.get(
    '/api/passages',
    {
      id: 'listPassages',
      summary: 'Search what is spoken and read in videos',
      description:
        'Lists sentences that are spoken in the videos that you may read, and texts in their frames, page by page: also where no event was found. Speech and text are known of videos that were queried for them, or observed with `speech`, `subtitles` or `text`.',
      query: PassageListQuery,
      response: PassagePage,
      errors: [404],
    },
    ({ caller, query }) => passages.list(caller, query),
  );
}
