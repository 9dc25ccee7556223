import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { CliSession } from '../../session.ts';
import type { Run } from '../../types.ts';

type Message = {
  id?: string | number;
  method?: string;
  params?: { name?: string; uri?: string; requestId?: string | number; _meta?: Record<string, unknown> };
  result?: { protocolVersion?: string };
};

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

export function mcpCommand(program: Command, run: Run): void {
  program
    .command('mcp')
    .description('serve the tools of the service to a language model, over stdin and stdout (MCP)')
    .option('--allow-review', 'also tools that set verdicts')
    .action(run(relay));
}

/** Passes each message from stdin to `/mcp` of the service, and its responses to stdout. Ends with stdin. */
async function relay({ login }: CliSession, { allowReview = false }: { allowReview?: boolean }): Promise<void> {
  const { url, key } = await login();
  const endpoint = `${url.replace(/\/+$/, '')}/mcp${allowReview ? '?write=true' : ''}`;
  const running = new Map<string | number, AbortController>();
  /** Version that the client and the service agreed on in `initialize`. */
  let agreed: string | undefined;

  function headersOf({ method, params }: Message): Record<string, string> {
    const claimed = params?._meta?.[VERSION_KEY];
    const named = params?.name ?? params?.uri;
    return {
      'x-api-key': key,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(typeof claimed === 'string'
        ? { 'mcp-protocol-version': claimed, 'mcp-method': method ?? '', ...(named ? { 'mcp-name': named } : {}) }
        : agreed && method !== 'initialize'
          ? { 'mcp-protocol-version': agreed }
          : {}),
    };
  }
  const write = (message: Message) => {
    agreed = message.result?.protocolVersion ?? agreed;
    process.stdout.write(`${JSON.stringify(message)}\n`);
  };

  async function pass(line: string): Promise<void> {
    const message = JSON.parse(line) as Message;
    // The service has no sessions: a canceled request is one whose connection ends.
    if (message.method === 'notifications/cancelled') return running.get(message.params?.requestId ?? '')?.abort();
    const canceled = new AbortController();
    if (message.id !== undefined) running.set(message.id, canceled);
    try {
      const { signal } = canceled;
      const response = await fetch(endpoint, { method: 'POST', headers: headersOf(message), body: line, signal });
      if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
        const events = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
        for await (const { data } of events) if (data) write(JSON.parse(data));
        return;
      }
      const text = await response.text();
      if (text && message.id !== undefined) write(toResponse(message.id, response.status, JSON.parse(text)));
    } catch (error) {
      if (canceled.signal.aborted || message.id === undefined) return;
      write(toFailure(message.id, `The service cannot be reached: ${(error as Error).message}`));
    } finally {
      if (message.id !== undefined) running.delete(message.id);
    }
  }

  const passing = new Set<Promise<void>>();
  for await (const line of createInterface({ input: process.stdin })) {
    if (!line.trim()) continue;
    const passed = pass(line).finally(() => passing.delete(passed));
    passing.add(passed);
  }
  await Promise.all(passing);
}

/** An error of the service, such as a revoked key, as a response to the client. */
const toResponse = (id: string | number, status: number, answer: Message & { message?: string }): Message =>
  status >= 400 && !('jsonrpc' in answer) ? toFailure(id, answer.message ?? `status ${status}`) : answer;

const toFailure = (id: string | number, message: string) =>
  ({ jsonrpc: '2.0', id, error: { code: -32_603, message } }) as Message;
