import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import type { Api } from './api.ts';
import { addAskTools } from './tools/ask.ts';
import { addEventTools } from './tools/events.ts';
import { addLibraryTools } from './tools/library.ts';
import { addReviewTools } from './tools/review.ts';

const INSTRUCTIONS =
  'Sightline analyzes videos. Find videos with list_videos, ask about them with ask, and read earlier results with search_events. ' +
  'Each event has times in seconds from the first frame, and evidence images: look at them with get_event before you rely on an event.';

export type McpOptions = {
  version: string;
  /** True if the key of the caller has the scope `write`. */
  canWrite: boolean;
  /** True if the client asked for tools that change what people decided. */
  withReview: boolean;
};

/** A server with the tools that a caller may use. It holds no state and serves one request. */
export function createMcpServer(api: Api, { version, canWrite, withReview }: McpOptions): McpServer {
  const server = new McpServer(
    { name: 'sightline', title: 'Sightline', version },
    { instructions: INSTRUCTIONS, capabilities: { tools: {}, resources: {} } },
  );
  addLibraryTools(server, api);
  addEventTools(server, api);
  addAskTools(server, api, { canAsk: canWrite });
  if (canWrite && withReview) addReviewTools(server, api);
  server.registerResource(
    'analysis',
    new ResourceTemplate('sightline://videos/{video_id}/analyses/{analysis_id}', { list: undefined }),
    {
      title: 'Analysis document',
      description: 'The whole result of a prompt on a video: interpretation, events with evidence, coverage, answer.',
      mimeType: 'application/json',
    },
    async (uri, { video_id, analysis_id }) => {
      const document = await api.json<object>({
        method: 'GET',
        path: `/api/videos/${video_id}/analyses/${analysis_id}`,
      });
      return { contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(document) }] };
    },
  );
  return server;
}
