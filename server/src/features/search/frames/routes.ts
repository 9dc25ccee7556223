import { type App, routes } from '#platform/http/index';
import { FrameMatches, FrameSearch, MAX_IMAGE_BYTES } from './schema.ts';
import type { FrameSearches } from './service.ts';

export function frameSearchRoutes(app: App, search: FrameSearches): void {
  const route = routes(app, { tag: 'Search', scope: 'read', folderKeys: true });

  route.post(
    '/api/search/frames',
    {
      id: 'searchFrames',
      scope: 'read',
      summary: 'Search the frames of videos',
      description:
        'Finds frames, and tracked objects in them, that resemble words, an image, a frame or a part of it, also objects and scenes that no detector knows. Only videos that were observed with the observers `embeddings` and `object_embeddings` are searched; `reason` states what was not. Matches are ordered by similarity: the best ones need not show what was searched for.',
      body: FrameSearch,
      bodyLimit: 2 * MAX_IMAGE_BYTES,
      response: FrameMatches,
      errors: [404, 409],
    },
    ({ caller, body, disconnected }) => search.search(caller, body, disconnected),
  );
}
