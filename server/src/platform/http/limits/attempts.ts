import { createHash } from 'node:crypto';
import { problems } from '../problems.ts';
import { addressOf } from './index.ts';
import type { LimitStore } from './store.ts';

export type AttemptsDeps = { store: LimitStore; perMinute: number; perDay: number };

/**
 * Slows those who guess passwords: attempts are counted per address and per account, over all nodes together, before anything is looked at, and
 * whether the account exists or not.
 */
export function createAttempts({ store, perMinute, perDay }: AttemptsDeps) {
  return {
    /** Counts one attempt from `ip`, and on `account` where there is one. Throws `rate_limited` (429). */
    async admit(ip: string, account?: string): Promise<void> {
      const subjects = [`attempts from ${addressOf(ip)}`];
      // What was typed is not kept: people type passwords into the wrong field.
      if (account !== undefined)
        subjects.push(`attempts on ${createHash('sha256').update(account).digest('base64url')}`);
      for (const used of await store.count(subjects, perMinute)) {
        if (used.dayCount > perDay) refuse(perDay, 'day', used.dayLeftS);
        if (used.minuteCount > perMinute) refuse(perMinute, 'minute', used.minuteLeftS);
      }
    },
  };
}

export type Attempts = ReturnType<typeof createAttempts>;

function refuse(quota: number, span: string, leftS: number): never {
  throw problems.rate_limited(
    `More than ${quota} attempts in a ${span} from one address or on one account: try again in ${leftS} seconds.`,
    { headers: { 'retry-after': String(leftS) } },
  );
}
