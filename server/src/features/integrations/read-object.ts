import { setTimeout as sleep } from 'node:timers/promises';
import { createRateWatch } from '#platform/net/index';
import { Problem } from '#platform/problem';
import { type ChecksumHasher, createHasher } from './checksum.ts';
import { problems } from './problems.ts';
import { isTransientBucketError, retryAfterMs } from './providers/errors.ts';
import type { Bucket, Checksum, ObjectInfo, OpenObject } from './providers/index.ts';

/** Number of consecutive interruptions without a byte in between after which a transfer fails. */
const MAX_INTERRUPTIONS = 4;
const FIRST_DELAY_MS = 200;
/** If the provider requests a longer delay, a later attempt of the caller retries. */
const MAX_DELAY_MS = 10_000;

type ReadOptions = {
  /** Size in the bucket's listing, if known. */
  listedSize?: number | null;
  /** Called once, when the object was first opened. */
  onOpen?: (info: ObjectInfo) => void;
};

/**
 * Streams an object. An interrupted transfer resumes at the same byte of the same version. Throws `object_replaced`,
 * `object_damaged` (wrong size or checksum), or the provider's error.
 */
export async function* readObject(
  bucket: Bucket,
  key: string,
  signal: AbortSignal,
  { listedSize = null, onOpen }: ReadOptions = {},
): AsyncGenerator<Buffer> {
  let version: string | null = null;
  let expected: { size: number; checksum: Checksum | null } | null = null;
  let hasher: ChecksumHasher | null = null;
  let offset = 0;
  const rate = createRateWatch(bucket.minimumRate, 'The bucket');
  for (let interruptions = 0; ; ) {
    try {
      const object = await bucket.open(key, { version, offset }, signal);
      if (!expected) {
        if (!object.checksum && object.size !== (listedSize ?? object.size)) await confirmSize(bucket, object, signal);
        expected = object;
        onOpen?.(object);
        version = object.version || null;
        hasher = object.checksum && (await createHasher(object.checksum.algorithm));
      }
      for await (const chunk of rate.read(object.body)) {
        offset += chunk.length;
        if (offset > expected.size) throw problems.object_replaced();
        hasher?.update(chunk);
        interruptions = 0;
        yield chunk;
      }
      if (offset < expected.size) throw problems.object_interrupted();
      if (hasher && (await hasher.digest()) !== expected.checksum!.value) throw problems.object_damaged();
      return;
    } catch (error) {
      signal.throwIfAborted();
      const problem = toTransferProblem(error, offset === expected?.size);
      const delayMs = retryAfterMs(problem) ?? FIRST_DELAY_MS * 2 ** interruptions;
      if (++interruptions >= MAX_INTERRUPTIONS || delayMs > MAX_DELAY_MS || !isResumable(problem)) throw problem;
      await sleep(delayMs, undefined, { signal });
    }
  }
}

/** A truncated response may state its own length as the object's size: compares it with the object's metadata. */
async function confirmSize(bucket: Bucket, { key, size, body }: OpenObject, signal: AbortSignal): Promise<void> {
  const info = await bucket.stat(key, signal).catch(() => null);
  if (info?.size === size) return;
  body.destroy();
  throw problems.object_interrupted();
}

/** The client of a provider may reject a complete body because of its checksum; other errors are interruptions. */
function toTransferProblem(error: unknown, isComplete: boolean): unknown {
  if (error instanceof Problem) return error;
  return isComplete ? problems.object_damaged() : problems.object_interrupted();
}

/** A replaced or damaged object has to be read from its start. */
const isResumable = (error: unknown) =>
  isTransientBucketError(error) && !['object_replaced', 'object_damaged'].includes((error as Problem).code);
