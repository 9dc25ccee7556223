import { createHash } from 'node:crypto';
import { problems } from '../problems.ts';
import { toAddressSubject } from './rate-limits.ts';
import type { RateLimitStore } from './store.ts';

export type AttemptLimitDeps = { store: RateLimitStore; perMinute: number; perDay: number };

/**
 * Limits password guessing: attempts are counted per address and per account, over all nodes, before any check, and
 * whether or not the account exists.
 */
export function createAttemptLimit({ store, perMinute, perDay }: AttemptLimitDeps) {
  return {
    /**
     * Counts an attempt from `ip`, and on `account` if given. One of a `device` that is known for the account counts
     * for the device alone, so that the guesses of others do not lock it out. Throws `rate_limited` (429).
     */
    async admit(ip: string, account?: string, device?: string | null): Promise<void> {
      // Only a digest is stored: people type passwords into the wrong field.
      const ofAccount = account === undefined ? [] : [`attempts on ${digestOf(account)}`];
      const subjects = device
        ? [`attempts of ${digestOf(device)}`]
        : [`attempts from ${toAddressSubject(ip)}`, ...ofAccount];
      for (const used of await store.count(subjects, perMinute)) {
        if (used.dayCount > perDay) refuse(perDay, 'day', used.dayLeftS);
        if (used.minuteCount > perMinute) refuse(perMinute, 'minute', used.minuteLeftS);
      }
    },
  };
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url');

export type AttemptLimit = ReturnType<typeof createAttemptLimit>;

function refuse(quota: number, span: string, leftS: number): never {
  throw problems.rate_limited(
    `More than ${quota} attempts in a ${span} from one address or on one account: try again in ${leftS} seconds.`,
    { headers: { 'retry-after': String(leftS) } },
  );
}
