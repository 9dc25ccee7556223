import { Problem } from '#platform/problem';
import { problems } from './problems.ts';
import type { Bucket } from './providers/index.ts';

/** `error`: the error code of a failure. */
export type ConnectionTest = { ok: boolean; message: string; error: string | null };

const VERIFY_TIMEOUT_MS = 20_000;
/** Empty objects are often folder markers: read a page of objects to find one with contents. */
const LISTED_OBJECTS = 100;

/** Runs a test and returns a failure as a value. */
export async function toTestResult(test: () => Promise<string>): Promise<ConnectionTest> {
  try {
    return { ok: true, message: await test(), error: null };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { ok: false, message: error.message, error: error.code };
  }
}

/** Tests a bucket within the time that a request waits. Throws the provider's error; closes the bucket. */
export const verifyBucket = (bucket: Bucket, prefix: string | null) =>
  testBucket(bucket, prefix, AbortSignal.timeout(VERIFY_TIMEOUT_MS));

/** Lists objects and reads one byte of one. Throws the provider's error; closes the bucket. */
export async function testBucket(bucket: Bucket, prefix: string | null, signal: AbortSignal): Promise<string> {
  try {
    const { objects } = await bucket.list({ prefix: prefix ?? '', cursor: null, limit: LISTED_OBJECTS }, signal);
    const object = objects.find(({ size }) => size > 0);
    if (!object) {
      if (objects.length > 0) return 'The bucket can be listed; its first objects are empty, so none was read.';
      return prefix
        ? `The bucket can be listed; it has no objects with the prefix "${prefix}" yet.`
        : 'The bucket can be listed; it is empty.';
    }
    const { body } = await bucket.open(object.key, { version: null, offset: 0 }, signal);
    body.on('error', () => {});
    for await (const _ of body) break;
    return `The bucket can be listed and "${object.key}" can be read.`;
  } catch (error) {
    if (!signal.aborted) throw error;
    throw problems.bucket_unavailable('The provider did not respond in time. Try again later.');
  } finally {
    bucket.close();
  }
}
