import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod/v4';
import type { Api } from '../api.ts';
import { recordedFilter, toolArguments } from './arguments.ts';
import { EVENT_FIELDS } from './events.ts';
import { pick, toResult } from './result.ts';
import { settled } from './settled.ts';

type Batch = {
  status: string;
  answer: string | null;
  answer_event_id: string | null;
  selection?: Record<string, unknown>;
  videos?: {
    video_id: string;
    analysis_id: string;
    status: string;
    progress?: number;
    message?: string | null;
    missed?: string | null;
  }[];
};
type Events = { events: Record<string, unknown>[]; next_cursor: string | null };

/** Events in the result of `ask`; the others are read with `search_events`. */
const MAX_EVENTS = 100;
const QUESTION = {
  query: z
    .string()
    .min(1)
    .max(2_000)
    .describe('What to look for, in plain words, such as "a person crosses the street".'),
  video_ids: z.array(z.string().max(64)).min(1).max(100).optional().describe('Videos to search.'),
  library: z
    .strictObject({
      folder_id: z.string().max(255).optional().describe('Only videos of this folder.'),
      name: z.string().max(255).optional().describe('Only videos whose name contains this text.'),
      tag: z.string().max(255).optional().describe('Only videos with this tag.'),
      ...recordedFilter('videos'),
    })
    .optional()
    .describe(
      'Instead of `video_ids`: search the videos of a folder, or with {} of the whole library, that were recorded when the prompt says; at most 1,000. `selection` counts the others.',
    ),
  min_confidence: z.number().min(0).max(1).optional().describe('Least confidence of an event; default 0.5.'),
  time_zone: z
    .string()
    .max(64)
    .optional()
    .describe(
      'Time zone of days and times of day in the prompt ("yesterday after 10 pm"), such as Europe/Berlin; default: that of each video.',
    ),
};

/** Answers of videos in the result of `ask`. */
const MAX_ANSWERS = 100;

/** Those of many videos whose answers are returned. */
function withEventsFirst<Video extends { video_id: string }>(
  videos: readonly Video[],
  events: readonly Record<string, unknown>[],
): Video[] {
  if (videos.length <= MAX_ANSWERS) return [...videos];
  const found = new Set(events.map(({ video_id }) => video_id));
  const { with: first = [], without = [] } = Object.groupBy(videos, ({ video_id }) =>
    found.has(video_id) ? 'with' : 'without',
  );
  return [...first, ...without].slice(0, MAX_ANSWERS);
}

/** Tools that understand a prompt, and answer it. */
export function addAskTools(server: McpServer, api: Api, { canAsk }: { canAsk: boolean }): void {
  server.registerTool(
    'preview_question',
    {
      title: 'Preview a question',
      description: 'Shows how a prompt would be understood, what cannot be searched for, and its cost. Stores nothing.',
      inputSchema: toolArguments(QUESTION),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async (body) => {
      const { plan: _, ...preview } = await api.json<{ plan: unknown }>({
        method: 'POST',
        path: '/api/router/v2/query/plan',
        body,
      });
      return toResult(preview);
    },
  );
  if (!canAsk) return;

  server.registerTool(
    'ask',
    {
      title: 'Ask about videos',
      description:
        'Searches videos, or those of a library of the time in the prompt, for what it describes, reports progress, and returns the events that were found, with the answer of each video. This takes from seconds to minutes.',
      inputSchema: toolArguments({
        ...QUESTION,
        fast: z.boolean().default(true).describe('False observes every frame, which is slower and finds more.'),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    async ({ fast, ...body }, { mcpReq }) => {
      const path = fast ? '/api/router/query' : '/api/router/v2/query/start';
      const { batch_id } = await api.json<{ batch_id: string }>({ method: 'POST', path, body });
      const token = mcpReq._meta?.progressToken;
      let reported = -1;
      const report = async ({ videos = [] }: Batch) => {
        const ended = videos.filter(({ status }) => status !== 'processing').length;
        const running = videos.reduce(
          (sum, { status, progress = 0 }) => sum + (status === 'processing' ? progress / 100 : 0),
          0,
        );
        const progress = ended + running;
        if (token === undefined || progress <= reported) return;
        reported = progress;
        const message = `${ended} of ${videos.length} videos`;
        const params = { progressToken: token, progress, total: videos.length, message };
        await mcpReq.notify({ method: 'notifications/progress', params });
      };
      const read = () =>
        api.json<Batch>({ method: 'GET', path: `/api/batch/${batch_id}/status`, query: { include_videos: true } });
      const {
        status,
        videos = [],
        answer,
        answer_event_id,
        selection,
      } = await settled(read, (batch) => batch.status !== 'processing', mcpReq.signal, report);
      const found = await api.json<Events>({
        method: 'GET',
        path: '/api/events',
        query: { batch_id, limit: MAX_EVENTS },
      });
      const answers = await Promise.all(
        withEventsFirst(videos, found.events).map(async ({ video_id, analysis_id, missed }) => {
          const document = await api.json<{ analysis: Record<string, unknown> }>({
            method: 'GET',
            path: `/api/videos/${video_id}/analyses/${analysis_id}`,
          });
          const fields = ['status', 'answer', 'interpretation', 'coverage', 'error', 'message'];
          const own = pick(document.analysis, fields);
          // `missed`: it was recorded at another time than the prompt names, or has no clock.
          return missed ? { video_id, analysis_id, missed, ...own } : { video_id, analysis_id, ...own };
        }),
      );
      const events = found.events.map((event) => pick(event, EVENT_FIELDS));
      const ofAll = answer === null ? {} : { answer, answer_event_id };
      const chosen = selection ? { selection, has_more_answers: answers.length < videos.length } : {};
      const has_more_events = found.next_cursor !== null;
      return toResult({ batch_id, status, ...ofAll, ...chosen, answers, events, has_more_events });
    },
  );
}
