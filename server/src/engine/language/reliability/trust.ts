import { randomUUID } from 'node:crypto';
import type { ModelAccount } from '../../chat/index.ts';
import type { Plan } from '../../plan/index.ts';
import type { FailedRewriting, RewritingResult } from '../client.ts';
import type { WordKinds } from '../function-words.ts';
import { judgeControl, type Misreading, planControls } from './controls.ts';

export type TrustOptions = {
  /** Decides which control prompts are chosen; by default others in each process. */
  seed?: string;
  now?: () => number;
};

/** Decides by control prompts, whose readings are known, if a model is believed. */
export interface Trust {
  /** Null until it was checked. `doubt`: the reason not to believe it. */
  verdict(): TrustVerdict | null;
  /**
   * Checks the model if it was never checked; if the last check is old, it checks it again without being waited for.
   * Returns why it could not be checked, or null. The calls are charged to the account.
   */
  ensure(account: ModelAccount | null): Promise<FailedRewriting | null>;
}

export type TrustVerdict = { doubt: string | null };

type Ask = (prompt: string, signal: AbortSignal, account: ModelAccount | null) => Promise<RewritingResult>;

/** Share of the sentences that a model may read wrongly and still be believed. */
const MOST_WRONG = 0.25;
/** A believed model is checked again after so many rewritings, or after so long. */
const RECHECK_AFTER = 200;
const RECHECK_MS = 6 * 3600 * 1000;
/** A model that is not believed is checked again after so long: its server may have been replaced. */
const RETRY_MS = 15 * 60_000;

/** `onDoubt` is called when a model that was believed is not believed any more. */
export function createTrust(
  ask: Ask,
  planner: WordKinds & { planEnglish(text: string): Plan },
  onDoubt: () => void,
  { seed = randomUUID(), now = Date.now }: TrustOptions = {},
): Trust {
  let verdict: TrustVerdict | null = null;
  let checks = 0;
  let checkedAt = 0;
  let rewritings = 0;
  let running: Promise<FailedRewriting | null> | null = null;

  async function check(account: ModelAccount | null): Promise<FailedRewriting | null> {
    const controls = planControls(`${seed} ${checks++}`);
    const [first, ...others] = controls;
    // The first one finds out how the endpoint returns JSON.
    const results = [await ask(first!.prompt, NEVER, account)];
    if (!isInconclusive(results[0]!))
      results.push(...(await Promise.all(others.map(({ prompt }) => ask(prompt, NEVER, account)))));
    const failed = results.find(isInconclusive);
    if (failed !== undefined) return failed;
    const wrong = controls.flatMap((control, i) => {
      const result = results[i]!;
      return judgeControl(control, 'rewritings' in result ? result.rewritings : null, planner);
    });
    const all = controls.reduce((sum, { sentences }) => sum + sentences.length, 0);
    const doubt = wrong.length > MOST_WRONG * all ? reasonOf(wrong, all) : null;
    if (doubt !== null && verdict?.doubt === null) onDoubt();
    verdict = { doubt };
    checkedAt = now();
    rewritings = 0;
    return null;
  }

  function start(account: ModelAccount | null): Promise<FailedRewriting | null> {
    running ??= check(account).finally(() => {
      running = null;
    });
    return running;
  }

  return {
    verdict: () => verdict,
    async ensure(account) {
      if (verdict === null) {
        const isOwn = running === null;
        const failed = await start(account);
        // The limit of another account.
        return failed?.isLimit && !isOwn && verdict === null ? start(account) : failed;
      }
      const isDue =
        verdict.doubt === null
          ? ++rewritings > RECHECK_AFTER || now() - checkedAt > RECHECK_MS
          : now() - checkedAt > RETRY_MS;
      // A database that does not count the tokens fails the next check as well.
      if (isDue) void start(account).catch(() => {});
      return null;
    },
  };
}

/** The check outlives the caller that started it: others wait for it. */
const NEVER = new AbortController().signal;

/** An endpoint that does not answer says nothing about its model. */
const isInconclusive = (result: RewritingResult): result is FailedRewriting =>
  'failure' in result && result.isNonsense !== true;

/** "It read 7 of 12 control prompts wrongly, such as "a zeppelin lands" as "a person"". */
function reasonOf(wrong: readonly Misreading[], all: number): string {
  const example = wrong.find(({ to }) => to !== null);
  if (!example) return `it could not read ${wrong.length} of ${all} control prompts`;
  return `it read ${wrong.length} of ${all} control prompts wrongly, such as "${example.prompt}" as "${example.to}"`;
}
