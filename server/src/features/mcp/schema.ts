import { Type } from 'typebox';
import { Maybe, resource } from '#platform/http/index';

export const McpQuery = Type.Object({
  write: Maybe(
    Type.Boolean({
      description: 'True: also tools that set verdicts, if the key has the scope `write`. Default: false.',
    }),
  ),
});

export const McpMessage = resource(
  'McpMessage',
  Type.Object(
    {
      jsonrpc: Type.Literal('2.0', { description: 'Version of JSON-RPC.' }),
      id: Type.Optional(
        Type.Union([Type.String({ maxLength: 255 }), Type.Integer()], {
          description: 'Identifier of the request; absent in notifications.',
        }),
      ),
      method: Type.String({ maxLength: 255, description: 'Method, such as `tools/list`.' }),
      params: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { description: 'Parameters of the method, with `_meta`.' }),
      ),
    },
    {
      description: 'A JSON-RPC message of the Model Context Protocol.',
      examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }],
    },
  ),
);

export const McpResponse = resource(
  'McpResponse',
  Type.Object(
    {
      jsonrpc: Type.Literal('2.0', { description: 'Version of JSON-RPC.' }),
      id: Type.Union([Type.String(), Type.Integer()], { description: 'Identifier of the request.' }),
      result: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Result of the method.' })),
      error: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { description: 'Code and message of a failure of the protocol.' }),
      ),
    },
    {
      description: 'The JSON-RPC response to a message.',
      examples: [{ jsonrpc: '2.0', id: 1, result: { tools: [] } }],
    },
  ),
);

export const McpStream = Type.String({
  description: 'The same as a server-sent event, after notifications of progress.',
  examples: ['event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}\n\n'],
});
