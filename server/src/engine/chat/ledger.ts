import type { ChatUsage } from './client.ts';

/** Reply of a model to a call, as it is cached. */
export type StoredReply = ChatUsage & { text: string };

/** Tokens that may still be spent, and the words of the limit that is next. */
export type Allowance = { tokens: number; limit: string };

/** Account of tokens, with their limits. */
export interface UsageLedger {
  /** Null if no limit applies. Limits in money are converted at `price`, that of a million tokens. */
  allowance(price: number): Promise<Allowance | null>;
  /**
   * Counts the tokens and the cost of a call and caches its reply, at once. Without `key` it is only counted: it was
   * useless, or is cached elsewhere.
   */
  record(key: string | null, reply: StoredReply, cost: number): Promise<void>;
}
