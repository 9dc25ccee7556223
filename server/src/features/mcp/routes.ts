import { Type } from 'typebox';
import { type App, hasScope, routes } from '#platform/http/index';
import { createApi } from './api.ts';
import { McpMessage, McpQuery, McpResponse, McpStream } from './schema.ts';

/** `version` is that of the service. */
export function mcpRoutes(app: App, { version }: { version: string }): void {
  const route = routes(app, { tag: 'MCP', scope: 'read', folderKeys: true });

  route.post(
    '/mcp',
    {
      id: 'callMcp',
      // Tools that change something call operations that need more, and are counted there.
      scope: 'read',
      idempotency: 'none',
      countedAs: 'read',
      summary: 'Use MCP tools',
      description:
        'A server of the Model Context Protocol over streamable HTTP, without sessions: each request is one JSON-RPC message. Its tools call this API with the key of the request.',
      query: McpQuery,
      body: McpMessage,
      responses: {
        200: { content: { 'application/json': { schema: McpResponse }, 'text/event-stream': { schema: McpStream } } },
        202: Type.Null({ description: 'The notification was accepted.' }),
      },
    },
    async (request, reply) => {
      const { caller, headers, ip, query, body } = request;
      const api = createApi(app, { headers, remoteAddress: ip });
      const options = { version, canWrite: hasScope(caller, 'write'), withReview: query.write ?? false };
      const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
        import('@modelcontextprotocol/server'),
        import('./server.ts'),
      ]);
      const handler = createMcpHandler(() => createMcpServer(api, options));
      const response = await handler.fetch(
        new Request(new URL(request.url, 'http://localhost'), {
          method: 'POST',
          headers: toHeaders(headers),
          signal: request.disconnected,
        }),
        { parsedBody: body },
      );
      return reply.send(response);
    },
  );
}

/** The headers of a message, for a client that accepts both forms of a response. */
function toHeaders(headers: Record<string, string | string[] | undefined>): Headers {
  const message = new Headers({ accept: 'application/json, text/event-stream', 'content-type': 'application/json' });
  for (const name of ['mcp-protocol-version', 'mcp-method', 'mcp-name']) {
    const value = headers[name];
    if (typeof value === 'string') message.set(name, value);
  }
  return message;
}
