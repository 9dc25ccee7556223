/**
 * MCP: tools for language models over streamable HTTP. Each tool calls the public API with the credentials of its
 * request, so that scopes, folders and limits are those of the API.
 */
export { mcpRoutes } from './routes.ts';
