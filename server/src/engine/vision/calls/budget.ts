import type { Allowance, UsageLedger } from '../../chat/index.ts';

/** Tokens of an analysis: reserved before a call by estimate, settled after it by what the endpoint counted. */
export interface TokenBudget {
  /** Reserves tokens. Returns the limit that forbids it in words, or null. */
  reserve(tokens: number): Promise<string | null>;
  settle(reserved: number, spent: number): void;
}

/**
 * `perQuestion` limits one analysis; the ledger has the limits that analyses share. `price` is the higher one of a
 * million tokens, so that no limit is exceeded.
 */
export function createTokenBudget(
  perQuestion: Allowance,
  ledger: Pick<UsageLedger, 'allowance'>,
  price: number,
): TokenBudget {
  let reserved = 0;
  let spent = 0;
  return {
    async reserve(tokens) {
      // At once, so that parallel calls do not take the same tokens.
      reserved += tokens;
      if (spent + reserved > perQuestion.tokens) {
        reserved -= tokens;
        return perQuestion.limit;
      }
      const allowance = await ledger.allowance(price);
      if (allowance === null || reserved <= allowance.tokens) return null;
      reserved -= tokens;
      return allowance.limit;
    },
    settle(estimate, actual) {
      reserved -= estimate;
      spent += actual;
    },
  };
}
