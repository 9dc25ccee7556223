import type { ChatUsage } from './client.ts';

/** Reply of a model to a call, as it is cached. */
export type StoredReply = ChatUsage & { text: string };

/**
 * Tokens that may still be spent, and the words of the limit that is next. `held`: those of them that calls on their
 * way have reserved, in all analyses of this process.
 */
export type Allowance = { tokens: number; limit: string; held?: number };

/** Account of tokens, with their limits. */
export interface UsageLedger {
  /** Null if no limit applies. Limits in money are converted at `price`, that of a million tokens. */
  allowance(price: number): Promise<Allowance | null>;
  /** Reserves tokens of the shared limits, or gives them back if they are negative. Absent: nothing else has calls. */
  hold?(tokens: number): void;
  /**
   * Counts the tokens and the cost of a call and caches its reply, at once. Without `key` it is only counted: it was
   * useless, or is cached elsewhere.
   */
  record(key: string | null, reply: StoredReply, cost: number): Promise<void>;
}
