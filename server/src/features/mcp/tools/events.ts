import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod/v4';
import type { Api } from '../api.ts';
import { recordedFilter, toolArguments } from './arguments.ts';
import { pick, toResult } from './result.ts';
import { settled } from './settled.ts';

type Event = Record<string, unknown> & {
  analysis_id: string;
  video_id: string;
  annotated_thumbnail_url: string | null;
};

/** Fields of an event that a model reads. */
export const EVENT_FIELDS = [
  'event_id',
  'incident_id',
  'analysis_id',
  'video_id',
  'video_name',
  'folder_name',
  'query',
  'type',
  'label',
  'severity',
  'confidence',
  'start_s',
  'end_s',
  'start_at',
  'end_at',
  'time_zone',
  'approval',
  'implied',
  'incident',
  'review',
  'created_at',
];
const FILTER = {
  incident_id: z.string().max(64).optional().describe('Only events of this incident.'),
  q: z.string().max(1_000).optional().describe('Only events whose label, type or prompt contain all of these words.'),
  video_id: z.string().max(64).optional().describe('Only events of this video.'),
  folder_id: z.string().max(64).optional().describe('Only events of the videos of this folder.'),
  batch_id: z.string().max(64).optional().describe('Only events of this question.'),
  label: z.string().max(1_000).optional().describe('Only events with exactly this label.'),
  severity: z.enum(['low', 'medium', 'high']).optional(),
  approval: z
    .enum(['pending', 'approved', 'rejected', 'unsure'])
    .optional()
    .describe('Only events with this review state.'),
  min_confidence: z.number().min(0).max(1).optional(),
  ...recordedFilter('events'),
};
const READS = { readOnlyHint: true, openWorldHint: false };

/** Tools that read events of earlier prompts. */
export function addEventTools(server: McpServer, api: Api): void {
  server.registerTool(
    'search_events',
    {
      title: 'Search events',
      description:
        'Searches the events that earlier prompts found, in all videos. Times are seconds from the first frame.',
      inputSchema: toolArguments({
        ...FILTER,
        per: z
          .enum(['event', 'incident'])
          .optional()
          .describe('`incident`: one event for each incident, however many prompts found it. Default: every event.'),
        limit: z.int().min(1).max(100).default(20).describe('Maximum number of events.'),
        cursor: z.string().max(500).optional().describe('The next_cursor of the previous page.'),
      }),
      annotations: READS,
    },
    async (query) => {
      const page = await api.json<{ events: Event[]; total?: number; next_cursor: string | null }>({
        method: 'GET',
        path: '/api/events',
        query,
      });
      const events = page.events.map((event) => pick(event, EVENT_FIELDS));
      return toResult({ events, total: page.total, next_cursor: page.next_cursor });
    },
  );

  server.registerTool(
    'get_event',
    {
      title: 'Event with its evidence',
      description: 'Returns an event and its evidence image, with boxes around what was recognized.',
      inputSchema: toolArguments({ event_id: z.string().max(100) }),
      annotations: READS,
    },
    async ({ event_id }) => {
      const event = await api.json<Event>({ method: 'GET', path: `/api/events/${encodeURIComponent(event_id)}` });
      const { annotated_thumbnail_url: url } = event;
      const image = url ? await api.bytes(url) : null;
      const { content } = toResult(pick(event, EVENT_FIELDS));
      return {
        content: [
          ...content,
          ...(image ? [{ type: 'image' as const, mimeType: 'image/jpeg', data: image.toString('base64') }] : []),
        ],
      };
    },
  );

  server.registerTool(
    'export_events',
    {
      title: 'Export events',
      description:
        'Writes the events that match into a file for another tool. Returns a URL that works without a key for a day.',
      inputSchema: toolArguments({
        format: z
          .string()
          .max(32)
          .describe('csv, json, parquet, coco, vtt, srt, html, zip, recap or another one of the service.'),
        ...FILTER,
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async ({ video_id, ...body }, ctx) => {
      type Export = { export_id: string; status: string; message: string | null };
      const started = await api.json<Export>({
        method: 'POST',
        path: '/api/exports',
        body: { ...body, ...(video_id ? { video_ids: [video_id] } : {}) },
      });
      const state = () => api.json<Export>({ method: 'GET', path: `/api/exports/${started.export_id}` });
      const done = await settled(state, ({ status }) => status !== 'processing', ctx.mcpReq.signal);
      return toResult(done);
    },
  );
}
