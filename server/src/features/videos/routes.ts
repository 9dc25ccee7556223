import { type App, type Caller, type Domain, parseDateTime, routes } from '#platform/http/index';
import { getWithChunk } from './access.ts';
import {
  ChangedClocks,
  ChangeVideoBody,
  DeletedVideo,
  DeleteVideoQuery,
  DeleteVideosBody,
  FolderClockParams,
  HoldVideosBody,
  MoveVideosBody,
  ReleaseVideosBody,
  RestoreVideosBody,
  SetClocksBody,
  SetFolderClockBody,
  VideoResults,
} from './change-schema.ts';
import {
  type EventCount,
  LibraryPage,
  LibraryVideo,
  ListVideosQuery,
  MAX_EVENTS,
  SearchVideosQuery,
  toVideoFilters,
  Usage,
  VideoFacets,
  VideoFacetsQuery,
  VideoList,
} from './listing/index.ts';
import { toChunkStatus, toLibraryVideo, toVideoResults, toVideoStatus, toVideoSummary } from './resources.ts';
import { StatusParams, VideoParams, VideoStatus } from './schema.ts';
import type { Videos } from './types.ts';

const MY_VIDEOS_LIMIT = 1_000;
const SEARCH_LIMIT = 100;

/** Fields of list rows that rooms above this one know. */
export type RowExtras = {
  posterUrl(videoId: string): string;
  /** Counts at most `MAX_EVENTS` events of each video; videos without events are left out. */
  countEvents(caller: Caller, videoIds: readonly string[], most: number): Promise<Map<string, EventCount>>;
  /** Use of models by an organization in the current month. */
  visionUsage(orgId: string): Promise<Domain<typeof Usage>['vision']>;
};

export function videosRoutes(app: App, videos: Videos, extras: RowExtras): void {
  const route = routes(app, { tag: 'Videos', scope: 'read' });

  route.get(
    '/api/video/:video_id/status',
    {
      id: 'getVideoStatus',
      folderKeys: true,
      summary: 'Get the status of a video',
      description: 'Returns the upload status and the properties of a video, and the reason if its upload failed.',
      params: StatusParams,
      response: VideoStatus,
      errors: [404],
    },
    async ({ caller, params: { videoId } }) => {
      const { video, chunk } = await getWithChunk(videos, caller, videoId);
      return chunk ? toChunkStatus(video, chunk) : toVideoStatus(video);
    },
  );

  route.get(
    '/api/my-videos',
    {
      id: 'listVideos',
      folderKeys: true,
      summary: 'List videos',
      description:
        'Lists the videos that you can see, newest first: your own and those of the organization; with an admin key, all of the organization.',
      query: ListVideosQuery,
      response: VideoList,
      errors: [404],
    },
    async ({ caller, query }) => {
      const page = await videos.list(caller, { ...query, limit: query.limit ?? MY_VIDEOS_LIMIT });
      return {
        videos: page.videos.map(toVideoSummary),
        hasMore: page.nextCursor !== null,
        nextCursor: page.nextCursor,
      };
    },
  );

  route.get(
    '/api/videos',
    {
      id: 'searchVideos',
      folderKeys: true,
      summary: 'Search the library',
      description:
        'Lists the videos that you can see and that match all filters, page by page. The cost of a page does not grow with the library, unless few videos match.',
      query: SearchVideosQuery,
      response: LibraryPage,
      errors: [404],
    },
    async ({ caller, query }) => {
      const { limit, cursor, sort, include, ...filters } = query;
      const page = await videos.list(caller, {
        ...toVideoFilters(filters),
        sort,
        cursor,
        limit: limit ?? SEARCH_LIMIT,
      });
      const included = include?.split(',') ?? [];
      const ids = page.videos.map(({ id }) => id);
      const counts = included.includes('events') ? await extras.countEvents(caller, ids, MAX_EVENTS) : null;
      return {
        videos: page.videos.map((video) => ({
          ...toLibraryVideo(video),
          ...(included.includes('poster')
            ? { posterUrl: video.status === 'UPLOADED' && !video.eraseAfter ? extras.posterUrl(video.id) : null }
            : {}),
          ...(counts
            ? {
                events: counts.get(video.id) ?? { count: 0, incidents: 0, pendingIncidents: 0, pending: 0, labels: [] },
              }
            : {}),
        })),
        hasMore: page.nextCursor !== null,
        nextCursor: page.nextCursor,
      };
    },
  );

  route.get(
    '/api/videos/facets',
    {
      id: 'countVideos',
      folderKeys: true,
      summary: 'Count the videos of the library',
      description:
        'Counts the videos that you can see and that match all filters, by status, source, scope, tag, duration, time and whether they were queried. In a large library only the newest are counted, so that the cost does not grow with it.',
      query: VideoFacetsQuery,
      response: VideoFacets,
      errors: [404],
    },
    ({ caller, query }) => videos.facets(caller, toVideoFilters(query)),
  );

  route.get(
    '/api/usage',
    {
      id: 'getUsage',
      summary: 'Get the usage of your organization',
      description:
        'Returns the number of videos and of stored or reserved bytes, the use of vision-language and language models in the current month, and their limits. Equal files count once; deleted videos count until they are erased.',
      response: Usage,
    },
    async ({ caller }) => ({
      ...(await videos.getQuota(caller.orgId)),
      vision: await extras.visionUsage(caller.orgId),
    }),
  );

  route.patch(
    '/api/video/:video_id',
    {
      id: 'changeVideo',
      folderKeys: true,
      summary: 'Rename, move, tag or describe a video, or set its clock',
      description:
        'Changes the given fields. A video that is moved into a folder of the organization becomes visible to all its members, and cannot be moved back into a personal folder. Its events have the times of a new clock at once.',
      params: VideoParams,
      body: ChangeVideoBody,
      response: LibraryVideo,
      errors: [404, 409],
    },
    async ({ caller, params, body: { recordedAt, referencePoints: points, ...body } }) => {
      const set =
        recordedAt === undefined ? {} : { recordedAt: recordedAt === null ? null : parseDateTime(recordedAt) };
      return toLibraryVideo(await videos.update(caller, params.videoId, { ...body, ...set, points }));
    },
  );

  route.delete(
    '/api/video/:video_id',
    {
      id: 'deleteVideo',
      folderKeys: true,
      summary: 'Delete a video',
      description:
        'Deletes a video with its file and its analyses. It disappears at once for everyone; running analyses of it fail. Until `restorable_until` it can be restored with its analyses; then everything is erased. A video on legal hold cannot be deleted.',
      params: VideoParams,
      query: DeleteVideoQuery,
      response: DeletedVideo,
      errors: [404, 409],
    },
    async ({ caller, params, query }) => {
      const { restorableUntil } = await videos.remove(caller, params.videoId, query);
      return { status: 'deleted' as const, videoId: params.videoId, restorableUntil };
    },
  );

  route.post(
    '/api/video/:video_id/restore',
    {
      id: 'restoreVideo',
      folderKeys: true,
      summary: 'Restore a deleted video',
      description:
        'Restores a deleted video with its analyses, into its folder if that still exists and its `retention_days` are not over. Analyses that were running at the deletion have failed: query again.',
      params: VideoParams,
      response: LibraryVideo,
      errors: [404],
    },
    async ({ caller, params }) => toLibraryVideo(await videos.restore(caller, params.videoId)),
  );

  route.post(
    '/api/videos/delete',
    {
      id: 'deleteVideos',
      folderKeys: true,
      deletes: true,
      summary: 'Delete many videos',
      description: 'Deletes each video as deleting it alone would, and returns a result for each.',
      body: DeleteVideosBody,
      response: VideoResults,
    },
    async ({ caller, body }) => toVideoResults(await videos.removeMany(caller, body.videoIds, body)),
  );

  route.post(
    '/api/videos/restore',
    {
      id: 'restoreVideos',
      folderKeys: true,
      summary: 'Restore many deleted videos',
      description: 'Restores each video as restoring it alone would, and returns a result for each.',
      body: RestoreVideosBody,
      response: VideoResults,
    },
    async ({ caller, body }) => toVideoResults(await videos.restoreMany(caller, body.videoIds)),
  );

  route.post(
    '/api/videos/hold',
    {
      id: 'holdVideos',
      scope: 'admin',
      summary: 'Put videos on legal hold',
      description:
        'Puts each video on legal hold, with a reason, and returns a result for each. Until an administrator releases it, nothing deletes or erases it: no user, no API key, no retention, and not the end of its restore period if it was deleted before. A second hold replaces the reason.',
      body: HoldVideosBody,
      response: VideoResults,
    },
    async ({ caller, body }) => toVideoResults(await videos.holdMany(caller, body.videoIds, body.reason)),
  );

  route.post(
    '/api/videos/release',
    {
      id: 'releaseVideos',
      scope: 'admin',
      summary: 'Release videos from legal hold',
      description:
        'Releases each video from its legal hold, and returns a result for each. Retention applies to it again; a video that was deleted can be restored for the whole restore period from now on.',
      body: ReleaseVideosBody,
      response: VideoResults,
    },
    async ({ caller, body }) => toVideoResults(await videos.releaseMany(caller, body.videoIds)),
  );

  route.post(
    '/api/videos/move',
    {
      id: 'moveVideos',
      folderKeys: true,
      summary: 'Move many videos',
      description: 'Moves each video into a folder, or out of its own, and returns a result for each.',
      body: MoveVideosBody,
      response: VideoResults,
      errors: [404],
    },
    async ({ caller, body }) => toVideoResults(await videos.moveMany(caller, body.videoIds, body.folderId)),
  );

  route.post(
    '/api/videos/clock',
    {
      id: 'setVideoClocks',
      folderKeys: true,
      summary: 'Set the clocks of many videos',
      description:
        'Sets the time zone of each video, or shifts its time of recording, and returns a result for each. Events, exports and filters use the new time at once.',
      body: SetClocksBody,
      response: VideoResults,
    },
    async ({ caller, body: { videoIds, referencePoints: comparisons, ...changes } }) =>
      toVideoResults(await videos.setClocks(caller, videoIds, { ...changes, comparisons })),
  );

  route.post(
    '/api/folders/:folder_id/clock',
    {
      id: 'setFolderClock',
      tag: 'Folders',
      folderKeys: true,
      summary: 'Set the clocks of the videos of a folder',
      description:
        'Sets the time zone of all videos that the folder has now, or shifts or corrects their times of recording, as for the videos of one camera; with `new_videos` also of those to come. `path_pattern` reads dates and times in their paths.',
      params: FolderClockParams,
      body: SetFolderClockBody,
      response: ChangedClocks,
      errors: [404],
    },
    async ({ caller, params, body: { referencePoints: comparisons, ...changes } }) => ({
      changed: await videos.setClocksOfFolder(caller, params.folderId, { ...changes, comparisons }),
    }),
  );
}
