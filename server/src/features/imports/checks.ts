import type { Bucket, ObjectFacts } from '#features/integrations/index';
import { Problem } from '#platform/problem';

const CHECKED_AT_ONCE = 16;
/** What is not checked by then is checked when it is brought. */
const CHECKS_MS = 20_000;

/** What is known of a named object: its facts, why it cannot be read, or nothing yet. */
export type Checked = { key: string; facts: ObjectFacts | null; problem: Problem | null };

/** Asks for each named object at once; the outcomes in the order of the keys. */
export async function checkObjects(bucket: Bucket, keys: readonly string[], gone: AbortSignal): Promise<Checked[]> {
  const late = AbortSignal.timeout(CHECKS_MS);
  const signal = AbortSignal.any([gone, late]);
  const outcomes: Checked[] = keys.map((key) => ({ key, facts: null, problem: null }));
  const waiting = outcomes.values();
  const checker = async () => {
    for (const outcome of waiting) {
      if (late.aborted) return;
      try {
        outcome.facts = await bucket.stat(outcome.key, signal);
      } catch (error) {
        gone.throwIfAborted();
        if (late.aborted) return;
        if (!(error instanceof Problem)) throw error;
        outcome.problem = error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(CHECKED_AT_ONCE, keys.length) }, checker));
  return outcomes;
}
