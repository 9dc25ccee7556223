import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod/v4';
import type { Api } from '../api.ts';
import { toolArguments } from './arguments.ts';
import { EVENT_FIELDS } from './events.ts';
import { pick, toResult } from './result.ts';

/** The tool that sets verdicts in the name of the user. */
export function addReviewTools(server: McpServer, api: Api): void {
  server.registerTool(
    'review_events',
    {
      title: 'Review events',
      description:
        'Sets the verdict of the user on events, or corrects their label or severity. Can be undone in the console.',
      inputSchema: toolArguments({
        event_ids: z.array(z.string().max(100)).min(1).max(100),
        approval: z.enum(['approved', 'rejected', 'unsure']).optional(),
        reason: z.string().max(1_000).optional().describe('Why an event is rejected.'),
        label: z.string().max(1_000).optional(),
        severity: z.enum(['low', 'medium', 'high']).optional(),
        note: z.string().max(4_000).optional(),
      }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    async (body) => {
      const path = '/api/events/review';
      const { events } = await api.json<{ events: Record<string, unknown>[] }>({ method: 'POST', path, body });
      return toResult({ events: events.map((event) => pick(event, EVENT_FIELDS)) });
    },
  );
}
