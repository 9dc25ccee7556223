import { Problem } from '#platform/problem';
import { problems } from './problems.ts';
import type { Bucket } from './providers/index.ts';

export type Tried = { ok: boolean; message: string; problem: Problem | null };

const VERIFY_MS = 20_000;
/** Empty objects stand for folders, before what lies in them. */
const LOOKED_AT = 100;

/** What a trial comes to, as a value. */
export async function outcomeOf(trying: () => Promise<string>): Promise<Tried> {
  try {
    return { ok: true, message: await trying(), problem: null };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ok: false, message: error.message, problem: error };
  }
}

/** The same, for who waits for it. */
export const verified = (bucket: Bucket, prefix: string | null) =>
  tried(bucket, prefix, AbortSignal.timeout(VERIFY_MS));

/** Lists some objects and reads one byte of one. Throws what the provider says; closes the bucket. */
export async function tried(bucket: Bucket, prefix: string | null, signal: AbortSignal): Promise<string> {
  try {
    const { objects } = await bucket.list({ prefix: prefix ?? '', cursor: null, limit: LOOKED_AT }, signal);
    const object = objects.find(({ size }) => size > 0);
    if (!object) {
      if (objects.length > 0) return 'The bucket can be listed; the objects that it lists first are empty.';
      return prefix
        ? `The bucket can be listed; nothing in it begins with "${prefix}" yet.`
        : 'The bucket can be listed; it is empty.';
    }
    const { body } = await bucket.open(object.key, { version: null, at: 0 }, signal);
    body.on('error', () => {});
    for await (const _ of body) break;
    return `The bucket can be listed and "${object.key}" can be read.`;
  } catch (error) {
    if (!signal.aborted) throw error;
    throw problems.bucket_unavailable('The provider did not answer in time.');
  } finally {
    bucket.close();
  }
}
