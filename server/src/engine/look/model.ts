import { createHash } from 'node:crypto';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateText } from 'ai';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** An OpenAI-compatible endpoint with a model that sees pictures. */
export type Vision = { url: string; model: string; apiKey: string | null };

/** A model's answer, or why there is none: an expected outcome, not an error. */
export type Reply<T> = { value: T } | { failure: string };

export type Picture = { label: string; jpeg: Buffer };

/** Asks the model one question about pictures and checks the shape of its answer. */
export type AskModel = <T extends TSchema>(
  question: string,
  pictures: readonly Picture[],
  schema: T,
  signal: AbortSignal,
) => Promise<Reply<Static<T>>>;

const TIMEOUT_MS = 60_000;
const MOST_TOKENS = 1500;

export function createAskModel(vision: Vision, timeoutMs = TIMEOUT_MS): AskModel {
  const provider = createOpenAICompatible({
    name: 'vision',
    baseURL: vision.url.replace(/\/+$/, ''),
    ...(vision.apiKey === null ? {} : { apiKey: vision.apiKey }),
  });
  const model = provider.chatModel(vision.model);
  return async (question, pictures, schema, signal) => {
    signal.throwIfAborted();
    // Some servers cache by the text alone and then answer about another video's pictures: the text names the pictures.
    const digest = createHash('sha256');
    for (const { jpeg } of pictures) digest.update(jpeg);
    const marker = `Pictures ${digest.digest('hex').slice(0, 16)}.`;
    try {
      const { text, finishReason } = await generateText({
        model,
        maxOutputTokens: MOST_TOKENS,
        temperature: 0,
        maxRetries: 1,
        abortSignal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: marker },
              ...pictures.flatMap(({ label, jpeg }) => [
                { type: 'text' as const, text: label },
                { type: 'file' as const, mediaType: 'image/jpeg', data: jpeg },
              ]),
              { type: 'text', text: question },
            ],
          },
        ],
      });
      if (finishReason === 'length') return { failure: 'its answer was cut off' };
      return read(text, schema);
    } catch (error) {
      signal.throwIfAborted();
      return { failure: reasonOf(error, timeoutMs) };
    }
  };
}

/** The JSON object in a text that may have words or a code fence around it. */
function read<T extends TSchema>(text: string, schema: T): Reply<Static<T>> {
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (from < 0 || to < from) return { failure: 'its answer held no JSON' };
  let value: unknown;
  try {
    value = JSON.parse(text.slice(from, to + 1));
  } catch {
    return { failure: 'its answer was not valid JSON' };
  }
  if (Value.Check(schema, value)) return { value };
  const [error] = Value.Errors(schema, value);
  return {
    failure: `its answer had another shape than asked: ${error?.instancePath ?? ''} ${error?.message ?? ''}`.trim(),
  };
}

/** Why a call failed, without what the endpoint said: that may hold secrets or megabytes. */
function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return `it did not answer within ${timeoutMs / 1000} s`;
  const cause = error instanceof Error && 'lastError' in error ? error.lastError : error;
  if (APICallError.isInstance(cause))
    return cause.statusCode === undefined
      ? 'its endpoint could not be reached'
      : `its endpoint answered with status ${cause.statusCode}`;
  return 'the call failed';
}
