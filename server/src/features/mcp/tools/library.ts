import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod/v4';
import type { Api } from '../api.ts';
import { toolArguments } from './arguments.ts';
import { pick, toResult } from './result.ts';

type Video = {
  video_id: string;
  video_name: string;
  status: string;
  folder_id: string | null;
  duration_s: number | null;
  created_at: string;
};
const VIDEO_FIELDS = [
  'video_id',
  'video_name',
  'status',
  'folder_id',
  'folder_name',
  'duration_s',
  'created_at',
  'tags',
];
const READS = { readOnlyHint: true, openWorldHint: false };

/** Tools that find videos, and a link of a clip. */
export function addLibraryTools(server: McpServer, api: Api): void {
  server.registerTool(
    'list_videos',
    {
      title: 'List videos',
      description:
        'Lists videos that can be asked about, newest first, with their ids, names and durations in seconds.',
      inputSchema: toolArguments({
        name: z.string().max(200).optional().describe('Only videos whose name contains this text.'),
        folder_id: z.string().max(64).optional().describe('Only videos of this folder.'),
        limit: z.int().min(1).max(100).default(20).describe('Maximum number of videos.'),
        cursor: z.string().max(500).optional().describe('The next_cursor of the previous page.'),
      }),
      annotations: READS,
    },
    async (query) => {
      const page = await api.json<{ videos: Video[]; next_cursor: string | null }>({
        method: 'GET',
        path: '/api/videos',
        query,
      });
      const videos = page.videos.map((video) => pick(video, VIDEO_FIELDS as (keyof Video)[]));
      return toResult({ videos, next_cursor: page.next_cursor });
    },
  );

  server.registerTool(
    'list_folders',
    {
      title: 'List folders',
      description: 'Lists folders of videos with their ids and names.',
      inputSchema: toolArguments({}),
      annotations: READS,
    },
    async () => {
      const path = '/api/folders';
      const { folders } = await api.json<{ folders: { id: string; name: string; video_count: number }[] }>({
        method: 'GET',
        path,
        query: { limit: 500 },
      });
      return toResult({ folders: folders.map((folder) => pick(folder, ['id', 'name', 'video_count'])) });
    },
  );

  server.registerTool(
    'get_clip_link',
    {
      title: 'Link of a clip',
      description:
        'Returns a URL that plays a part of a video without a key for an hour. Times are seconds from the first frame.',
      inputSchema: toolArguments({
        video_id: z.string().max(64),
        start_s: z.number().min(0),
        end_s: z.number().min(0),
      }),
      annotations: READS,
    },
    async ({ video_id, start_s, end_s }) => {
      const body = { kind: 'clip', start: start_s, end: end_s, expires_in: 3_600 };
      const path = `/api/video/${encodeURIComponent(video_id)}/signed-url`;
      return toResult(await api.json({ method: 'POST', path, body }));
    },
  );
}
