import type { ChatRequest } from './client.ts';
import type { MeteredChat, ModelAccount } from './metered-chat.ts';

/**
 * Requests an answer as JSON of this schema, in the strictest way that the endpoint accepts. The text of the answer is
 * not validated. Rejects only if the signal is aborted.
 */
export async function askJson(
  chat: MeteredChat,
  { name, schema, ...message }: Omit<ChatRequest, 'responseFormat'> & { name: string; schema: object; content: string },
  signal: AbortSignal,
  account: ModelAccount | null,
): ReturnType<MeteredChat> {
  const formats = [
    { type: 'json_schema', json_schema: { name, strict: true, schema } },
    { type: 'json_object' },
    undefined,
  ];
  let reply: Awaited<ReturnType<MeteredChat>> = { failure: 'it was not asked', status: null };
  for (const responseFormat of formats) {
    reply = await chat({ retries: 0, ...message, ...(responseFormat ? { responseFormat } : {}) }, signal, account);
    // Only a refused request may be accepted in another format.
    if ('text' in reply || (reply.status !== 400 && reply.status !== 422)) break;
  }
  return reply;
}
