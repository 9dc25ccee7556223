import type { Bucket, ObjectInfo } from '#features/integrations/index';
import { Problem } from '#platform/problem';
import { problems } from '../problems.ts';

const CONCURRENCY = 16;
/** Objects that are not checked within this time are checked when they are transferred. */
const TIMEOUT_MS = 20_000;

/** Result of checking a named object; `info` and `problem` are null if there was no time to check it. */
export type ObjectCheck = { key: string; info: ObjectInfo | null; problem: Problem | null };

/** Checks whether named objects can be read. Returns the results in the order of the keys. */
export async function checkObjects(
  bucket: Bucket,
  keys: readonly string[],
  requestSignal: AbortSignal,
): Promise<ObjectCheck[]> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const signal = AbortSignal.any([requestSignal, timeout]);
  const checks: ObjectCheck[] = keys.map((key) => ({ key, info: null, problem: null }));
  const remaining = checks.values();
  const runChecks = async () => {
    for (const check of remaining) {
      if (timeout.aborted) return;
      try {
        check.info = await bucket.stat(check.key, signal);
      } catch (error) {
        requestSignal.throwIfAborted();
        if (timeout.aborted) return;
        if (!(error instanceof Problem)) throw error;
        check.problem = error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, keys.length) }, runChecks));
  return checks;
}

/** Problem of a request none of whose objects can be read. */
export function toRequestProblem(checks: readonly ObjectCheck[]): Problem {
  const { problem } = checks[0]!;
  return checks.length === 1
    ? problem!
    : problems.import_invalid(`None of the ${checks.length} objects can be read. First error: ${problem!.message}`);
}
