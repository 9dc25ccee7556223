import { setTimeout as sleep } from 'node:timers/promises';
import type { Allowance, UsageLedger } from '../../chat/index.ts';

/**
 * Tokens of a call: those that are `expected`, and the most that are `possible` by what is known of the endpoint. They
 * differ until the endpoint has counted images of this size.
 */
export type CallTokens = { expected: number; possible: number };

/** Tokens of an analysis: reserved before a call is sent, settled after it by what the endpoint counted. */
export interface TokenBudget {
  /**
   * Reserves the tokens of a call. Waits while calls on their way may take them. Returns the limit that forbids it in
   * words, or null.
   */
  reserve(tokens: CallTokens, signal: AbortSignal): Promise<string | null>;
  settle(reserved: CallTokens, spent: number): void;
}

/** Time after which a limit that analyses share is compared again with what is reserved. */
const POLL_MS = 200;

/**
 * `perQuestion` limits one analysis; the ledger has the limits that analyses share. `price` is the higher one of a
 * million tokens, so that no limit is exceeded. Tokens reserved for calls on their way and tokens spent never exceed a
 * limit together, except for a single call that takes more than expected.
 */
export function createTokenBudget(
  perQuestion: Allowance,
  ledger: Pick<UsageLedger, 'allowance' | 'hold'>,
  price: number,
): TokenBudget {
  let reserved = 0;
  let spent = 0;
  /** Calls are admitted in their order, so that small ones do not keep a large one waiting. */
  let queue: Promise<unknown> = Promise.resolve();
  let settled = Promise.withResolvers<void>();

  async function admit({ expected, possible }: CallTokens, signal: AbortSignal): Promise<string | null> {
    for (;;) {
      signal.throwIfAborted();
      const own = { ...perQuestion, tokens: perQuestion.tokens - spent, held: reserved };
      const allowance = await ledger.allowance(price);
      const shared = allowance && { ...allowance, held: allowance.held ?? reserved };
      const limits = [own, ...(shared ? [shared] : [])];
      const forbidding = limits.find(({ tokens }) => expected > tokens);
      if (forbidding) return forbidding.limit;
      const isRoom = limits.every(({ tokens, held }) => held === 0 || held + possible <= tokens);
      if (isRoom) {
        reserved += possible;
        ledger.hold?.(possible);
        return null;
      }
      await Promise.race([settled.promise, sleep(POLL_MS, undefined, { signal })]);
    }
  }

  return {
    reserve(tokens, signal) {
      const admitted = queue.then(() => admit(tokens, signal));
      queue = admitted.catch(() => {});
      return admitted;
    },
    settle({ possible }, actual) {
      reserved -= possible;
      spent += actual;
      ledger.hold?.(-possible);
      settled.resolve();
      settled = Promise.withResolvers<void>();
    },
  };
}
