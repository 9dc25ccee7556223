import { createHash } from 'node:crypto';
import type { Static, TSchema } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import { createChat, findJsonObjects, type ModelEndpoint } from '../chat/index.ts';

/** An OpenAI-compatible endpoint with a vision-language model. */
export type VisionEndpoint = ModelEndpoint;

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
  const chat = createChat('vision', vision, timeoutMs);
  return async (question, images, schema, signal) => {
    // Some servers cache by the text alone and would answer about the images of another video: the text identifies
    // the images.
    const digest = createHash('sha256');
    for (const { jpeg } of images) digest.update(jpeg);
    const content = [
      { type: 'text' as const, text: `Pictures ${digest.digest('hex').slice(0, 16)}.` },
      ...images.flatMap(({ label, jpeg }) => [
        { type: 'text' as const, text: label },
        { type: 'file' as const, mediaType: 'image/jpeg', data: jpeg },
      ]),
      { type: 'text' as const, text: question },
    ];
    const reply = await chat({ content, maxTokens: MAX_TOKENS }, signal);
    return 'failure' in reply ? { failure: reply.failure } : parseAnswer(reply.text, schema);
  };
}

/** The first JSON object of an answer that has the shape of the schema. */
function parseAnswer<T extends TSchema>(text: string, schema: T): ModelResult<Static<T>> {
  const objects = findJsonObjects(text);
  const value = objects.find((each) => Check(schema, each));
  if (value !== undefined) return { value: value as Static<T> };
  if (objects.length === 0)
    return { failure: text.includes('{') ? 'its answer was not valid JSON' : 'its answer contained no JSON' };
  const [, [error]] = Errors(schema, objects[0]);
  return {
    failure: `its answer had another shape than requested: ${error?.instancePath ?? ''} ${error?.message ?? ''}`.trim(),
  };
}
