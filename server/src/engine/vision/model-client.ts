import { createHash } from 'node:crypto';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateText } from 'ai';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** An OpenAI-compatible endpoint with a vision-language model. */
export type VisionEndpoint = { url: string; model: string; apiKey: string | null };

/** The answer of a model, or the reason why there is none: an expected outcome, not an error. */
export type ModelResult<T> = { value: T } | { failure: string };

export type LabeledImage = { label: string; jpeg: Buffer };

/** Asks the model one question about images and checks the shape of its answer. */
export type QueryModel = <T extends TSchema>(
  question: string,
  images: readonly LabeledImage[],
  schema: T,
  signal: AbortSignal,
) => Promise<ModelResult<Static<T>>>;

const TIMEOUT_MS = 60_000;
const MAX_TOKENS = 1500;

export function createModelClient(vision: VisionEndpoint, timeoutMs = TIMEOUT_MS): QueryModel {
  const provider = createOpenAICompatible({
    name: 'vision',
    baseURL: vision.url.replace(/\/+$/, ''),
    ...(vision.apiKey === null ? {} : { apiKey: vision.apiKey }),
  });
  const model = provider.chatModel(vision.model);
  return async (question, images, schema, signal) => {
    signal.throwIfAborted();
    // Some servers cache by the text alone and would answer about the images of another video: the text identifies
    // the images.
    const digest = createHash('sha256');
    for (const { jpeg } of images) digest.update(jpeg);
    const marker = `Pictures ${digest.digest('hex').slice(0, 16)}.`;
    try {
      const { text, finishReason } = await generateText({
        model,
        maxOutputTokens: MAX_TOKENS,
        temperature: 0,
        maxRetries: 1,
        abortSignal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: marker },
              ...images.flatMap(({ label, jpeg }) => [
                { type: 'text' as const, text: label },
                { type: 'file' as const, mediaType: 'image/jpeg', data: jpeg },
              ]),
              { type: 'text', text: question },
            ],
          },
        ],
      });
      if (finishReason === 'length') return { failure: 'its answer was cut off' };
      return parseAnswer(text, schema);
    } catch (error) {
      signal.throwIfAborted();
      return { failure: reasonOf(error, timeoutMs) };
    }
  };
}

/** Parses the JSON object in a text that may have prose or a code fence around it. */
function parseAnswer<T extends TSchema>(text: string, schema: T): ModelResult<Static<T>> {
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (from < 0 || to < from) return { failure: 'its answer contained no JSON' };
  let value: unknown;
  try {
    value = JSON.parse(text.slice(from, to + 1));
  } catch {
    return { failure: 'its answer was not valid JSON' };
  }
  if (Value.Check(schema, value)) return { value };
  const [error] = Value.Errors(schema, value);
  return {
    failure: `its answer had another shape than requested: ${error?.instancePath ?? ''} ${error?.message ?? ''}`.trim(),
  };
}

/** Reason of a failed call, without the words of the endpoint: they may contain secrets or be megabytes long. */
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
