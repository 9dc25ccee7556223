import { setTimeout as sleep } from 'node:timers/promises';
import { watchRate } from '#platform/net/index';
import { Problem } from '#platform/problem';
import { createHasher, type Hasher } from './hasher.ts';
import { problems } from './problems.ts';
import { isTransient, waitOf } from './providers/failure.ts';
import type { Bucket, Checksum, ObjectFacts } from './providers/index.ts';

/** Broken connections in a row, without a byte between them, after which a transfer gives up. */
const MAX_BREAKS = 4;
const FIRST_PAUSE_MS = 200;
/** Who asks for more is asked again by a later attempt. */
const LONGEST_PAUSE_MS = 10_000;

/**
 * The object's bytes, in order, `listed` of them as far as is known. A broken connection is taken up again where it broke, of the same version of the
 * object. Ends by throwing `object_replaced`, `object_damaged` (size or checksum are not those that the provider gives), or what the provider says.
 */
export async function* bytesOf(
  bucket: Bucket,
  key: string,
  signal: AbortSignal,
  { listed = null, onOpen }: { listed?: number | null; onOpen?: (facts: ObjectFacts) => void } = {},
): AsyncGenerator<Buffer> {
  let version: string | null = null;
  let expected: { size: number; checksum: Checksum | null } | null = null;
  let hash: Hasher | null = null;
  let at = 0;
  const watch = watchRate(bucket.minimumRate, 'The bucket');
  /** A body cut short may say that this is its size. */
  const confirm = async ({ size, body }: Awaited<ReturnType<Bucket['open']>>) => {
    const facts = await bucket.stat(key, signal).catch(() => null);
    if (facts?.size === size) return;
    body.destroy();
    throw problems.object_interrupted();
  };
  for (let breaks = 0; ; ) {
    try {
      const object = await bucket.open(key, { version, at }, signal);
      if (!expected) {
        if (!object.checksum && object.size !== (listed ?? object.size)) await confirm(object);
        expected = object;
        onOpen?.(object);
        version = object.version || null;
        hash = object.checksum && createHasher(object.checksum.algorithm);
      }
      for await (const chunk of watch.read(object.body)) {
        at += chunk.length;
        if (at > expected.size) throw problems.object_replaced();
        hash?.update(chunk);
        breaks = 0;
        yield chunk;
      }
      if (at < expected.size) throw problems.object_interrupted();
      if (hash && hash.digest() !== expected.checksum!.value) throw problems.object_damaged();
      return;
    } catch (error) {
      signal.throwIfAborted();
      const problem = broken(error, at === expected?.size);
      const pause = waitOf(problem) ?? FIRST_PAUSE_MS * 2 ** breaks;
      if (++breaks >= MAX_BREAKS || pause > LONGEST_PAUSE_MS || !canGoOn(problem)) throw problem;
      await sleep(pause, undefined, { signal });
    }
  }
}

/** A body that breaks says so in the words of its client; one that is whole then, that it has not the checksum it should have. */
function broken(error: unknown, whole: boolean): unknown {
  if (error instanceof Problem) return error;
  return whole ? problems.object_damaged() : problems.object_interrupted();
}

/** What is another object now, or came damaged, begins anew. */
const canGoOn = (error: unknown) =>
  isTransient(error) && !['object_replaced', 'object_damaged'].includes((error as Problem).code);
