import { type App, failures } from '#platform/http/index';
import { Deleted, ListQuery, VideoId, VideoList, VideoStatus } from './schema.ts';
import { reasonOf, statusOf, WORDS } from './status.ts';
import type { Video, Videos } from './types.ts';

const DEFAULT_LIMIT = 1_000;

export function videosRoutes(app: App, videos: Videos): void {
  app.get(
    '/api/video/:video_id/status',
    {
      config: { scope: 'read' },
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
      config: { scope: 'read' },
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
      const page = await videos.list(caller, { ...query, limit: query.limit ?? DEFAULT_LIMIT });
      return { videos: page.videos.map(item), has_more: page.nextCursor !== null, next_cursor: page.nextCursor };
    },
  );

  app.delete(
    '/api/video/:video_id',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'deleteVideo',
        tags: ['Videos'],
        summary: 'Delete a video',
        description:
          'Deletes a video with its file and everything that was found in it. It is gone for everyone at once; analyses of it that run end as failed.',
        params: VideoId,
        response: { 200: Deleted, ...failures(404) },
      },
    },
    async ({ caller, params }) => {
      await videos.remove(caller, params.video_id);
      return { status: 'deleted' as const, video_id: params.video_id };
    },
  );
}

function item(video: Video) {
  return {
    video_id: video.id,
    status: WORDS[video.status],
    video_name: video.name,
    filename: video.name,
    duration_s: video.durationS,
    folder_id: video.folderId,
    folder_name: video.folderName,
    org_id: video.orgId,
    scope: video.scope,
    created_at: video.createdAt.toISOString(),
    size_bytes: video.sizeBytes,
    ...reasonOf(video),
  };
}
