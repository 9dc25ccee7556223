import { type App, failures } from '#platform/http/index';
import { Changes, Deleted, MoveOfMany, Outcomes, Removal, RemovalOfMany, RestorationOfMany } from './change-schema.ts';
import { LibraryPage, LibraryVideo, ListQuery, SearchQuery, Usage, VideoList } from './list-schema.ts';
import { VideoId, VideoStatus } from './schema.ts';
import { headOf, STATES, statusOf } from './status.ts';
import type { Outcome, Video, Videos } from './types.ts';

const MY_VIDEOS_LIMIT = 1_000;
const SEARCH_LIMIT = 100;

export function videosRoutes(app: App, videos: Videos): void {
  app.get(
    '/api/video/:video_id/status',
    {
      config: { scope: 'read', folderKeys: true },
      schema: {
        operationId: 'getVideoStatus',
        tags: ['Videos'],
        summary: 'Get the status of a video',
        description: 'Says whether a video has arrived, what it is, and, when it could not be stored, why.',
        params: VideoId,
        response: { 200: VideoStatus, ...failures(404) },
      },
    },
    async ({ caller, params }) => statusOf(await videos.get(caller, params.video_id)),
  );

  app.get(
    '/api/my-videos',
    {
      config: { scope: 'read', folderKeys: true },
      schema: {
        operationId: 'listVideos',
        tags: ['Videos'],
        summary: 'List videos',
        description:
          'Lists the videos that you see, newest first: your own and those of the organisation; with an admin key, all of the organisation.',
        querystring: ListQuery,
        response: { 200: VideoList, ...failures(404) },
      },
    },
    async ({ caller, query }) => {
      const page = await videos.list(caller, { ...query, limit: query.limit ?? MY_VIDEOS_LIMIT });
      return { videos: page.videos.map(item), has_more: page.nextCursor !== null, next_cursor: page.nextCursor };
    },
  );

  app.get(
    '/api/videos',
    {
      config: { scope: 'read', folderKeys: true },
      schema: {
        operationId: 'searchVideos',
        tags: ['Videos'],
        summary: 'Search the library',
        description:
          'Lists the videos that you see, filtered and sorted, page by page. All filters must hold. A page costs the same however many videos there are, unless few of them pass the filters.',
        querystring: SearchQuery,
        response: { 200: LibraryPage, ...failures(404) },
      },
    },
    async ({ caller, query }) => {
      const page = await videos.list(caller, {
        folder: query.folder,
        folderId: query.folder_id,
        scope: query.scope,
        status: query.status && STATES[query.status],
        nameContains: query.name,
        tag: query.tag,
        source: query.source,
        createdAfter: query.created_after ? timeOf(query.created_after) : null,
        createdBefore: query.created_before ? timeOf(query.created_before) : null,
        deleted: query.deleted,
        sort: query.sort,
        limit: query.limit ?? SEARCH_LIMIT,
        cursor: query.cursor,
      });
      return { videos: page.videos.map(libraryItem), has_more: page.nextCursor !== null, next_cursor: page.nextCursor };
    },
  );

  app.get(
    '/api/usage',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'getUsage',
        tags: ['Videos'],
        summary: 'What your organisation takes up',
        description:
          'Says how many videos there are and how many bytes are stored or held free for uploads under way, and how much there may be. The same bytes count once, however many videos have them; deleted videos count until they are erased.',
        response: { 200: Usage, ...failures() },
      },
    },
    async ({ caller }) => {
      const { videos: count, bytes, maxVideos, maxBytes } = await videos.quota(caller.orgId);
      return { videos: count, bytes, max_videos: maxVideos, max_bytes: maxBytes };
    },
  );

  app.patch(
    '/api/video/:video_id',
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'changeVideo',
        tags: ['Videos'],
        summary: 'Rename, move, tag or describe a video',
        description:
          'Changes what is named and leaves the rest. Moved into a folder of the organisation, a video is seen by everyone in it; back into a personal folder it cannot go.',
        params: VideoId,
        body: Changes,
        response: { 200: LibraryVideo, ...failures(404, 409) },
      },
    },
    async ({ caller, params, body }) =>
      libraryItem(await videos.change(caller, params.video_id, { ...body, folderId: body.folder_id })),
  );

  app.delete(
    '/api/video/:video_id',
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'deleteVideo',
        tags: ['Videos'],
        summary: 'Delete a video',
        description:
          'Deletes a video with its file and everything that was found in it. It is gone for everyone at once; analyses of it that run end as failed. Until `restorable_until` it can be restored with what was found in it; then all of it is erased.',
        params: VideoId,
        querystring: Removal,
        response: { 200: Deleted, ...failures(404) },
      },
    },
    async ({ caller, params, query }) => {
      const { restorableUntil } = await videos.remove(caller, params.video_id, query);
      return {
        status: 'deleted' as const,
        video_id: params.video_id,
        restorable_until: restorableUntil?.toISOString() ?? null,
      };
    },
  );

  app.post(
    '/api/video/:video_id/restore',
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'restoreVideo',
        tags: ['Videos'],
        summary: 'Restore a deleted video',
        description:
          'Brings a deleted video back with what was found in it, into its folder if that is there still and its `retention_days` are not over. Analyses that ran when it was deleted have failed: ask again.',
        params: VideoId,
        response: { 200: LibraryVideo, ...failures(404) },
      },
    },
    async ({ caller, params }) => libraryItem(await videos.restore(caller, params.video_id)),
  );

  app.post(
    '/api/videos/delete',
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'deleteVideos',
        tags: ['Videos'],
        summary: 'Delete many videos',
        description: 'Deletes each as deleting it alone would, and says what became of each.',
        body: RemovalOfMany,
        response: { 200: Outcomes, ...failures() },
      },
    },
    async ({ caller, body }) => results(await videos.removeMany(caller, body.video_ids, body)),
  );

  app.post(
    '/api/videos/restore',
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'restoreVideos',
        tags: ['Videos'],
        summary: 'Restore many deleted videos',
        description: 'Restores each as restoring it alone would, and says what became of each.',
        body: RestorationOfMany,
        response: { 200: Outcomes, ...failures() },
      },
    },
    async ({ caller, body }) => results(await videos.restoreMany(caller, body.video_ids)),
  );

  app.post(
    '/api/videos/move',
    {
      config: { scope: 'write', folderKeys: true },
      schema: {
        operationId: 'moveVideos',
        tags: ['Videos'],
        summary: 'Move many videos',
        description: 'Moves each into a folder, or out of the one it lies in, and says what became of each.',
        body: MoveOfMany,
        response: { 200: Outcomes, ...failures(404) },
      },
    },
    async ({ caller, body }) => results(await videos.moveMany(caller, body.video_ids, body.folder_id)),
  );
}

/** `Date` knows no leap second: it is the moment after it, as PostgreSQL has it. */
const timeOf = (text: string) => new Date(Date.parse(text.replace(':60', ':59')) + (text.includes(':60') ? 1000 : 0));

const item = (video: Video) => ({ ...headOf(video), size_bytes: video.sizeBytes });

function libraryItem(video: Video) {
  return {
    ...item(video),
    source: video.source,
    tags: video.tags,
    metadata: video.userMetadata,
    restorable_until: video.eraseAfter?.toISOString() ?? null,
  };
}

function results(outcomes: readonly Outcome[]) {
  return {
    results: outcomes.map(({ videoId, problem }) => ({
      video_id: videoId,
      ok: problem === null,
      ...(problem ? { status: problem.status, error: problem.code, message: problem.message } : {}),
    })),
  };
}
