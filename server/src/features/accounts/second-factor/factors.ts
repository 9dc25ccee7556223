import type { Database, Transaction } from '#platform/db/index';
import { httpProblems, type RateLimitStore } from '#platform/http/index';
import type { EncryptedSecret, Rotation, Sealer } from '#platform/secrets/index';
import { problems } from '../problems.ts';
import { recoveryDigest, stepOf } from './codes.ts';
import * as store from './store.ts';

/**
 * Codes that may be tried in a day, by user and browser. Of a million codes, three are accepted at a time: who knows
 * the password guesses one with a probability of 2 % in a year.
 */
const CODES_PER_DAY = 20;

/** A second factor that was checked; `none` for a user without one. */
export type FactorProof = 'none' | 'totp' | 'recovery_code';

/** The second factor of users who sign in with a password: codes of an authenticator app, or recovery codes. */
export interface Factors {
  /**
   * Counts an attempt to use a code, in a browser that is known for the user (or by another such name), else for the
   * user. Call it once the password is known to be right, so that nobody else can use up the attempts of the user.
   * Throws `rate_limited` (429).
   */
  admit(userId: string, browser: string | null): Promise<void>;
  /**
   * Requires a code if the user has a second factor, and uses it up. Throws `second_factor_needed` (401) without a
   * code, and `second_factor_wrong` (403).
   */
  prove(trx: Transaction, userId: string, code: string | null): Promise<FactorProof>;
  /** The key as it is stored for the user. */
  encrypt(userId: string, key: string): EncryptedSecret;
  /** Checks a code of the app with a key that is not confirmed. Throws `second_factor_wrong` (403). */
  requireStep(row: store.SecondFactorRow, code: string): number;
}

export type FactorsDeps = {
  sealer: Pick<Sealer, 'seal' | 'open'>;
  limits: RateLimitStore;
  now: () => number;
};

/** Context that the encrypted key of a user is bound to. */
const toContext = (userId: string) => `second-factor ${userId}`;

export function createFactors({ sealer, limits, now }: FactorsDeps): Factors {
  const keyOf = ({ userId, encryptedKey }: store.SecondFactorRow) =>
    (sealer.open(toContext(userId), encryptedKey) as { key: string }).key;

  return {
    async admit(userId, browser) {
      const subject = browser === null ? `codes of ${userId}` : `codes of ${userId} in ${browser}`;
      const [used] = await limits.count([subject], CODES_PER_DAY);
      if (Math.max(used!.minuteCount, used!.dayCount) <= CODES_PER_DAY) return;
      // Uses over the limit of the minute do not count for the day.
      const leftS = used!.dayCount > CODES_PER_DAY ? used!.dayLeftS : used!.minuteLeftS;
      throw httpProblems.rate_limited(
        `More than ${CODES_PER_DAY} codes in a day: try again in ${leftS} seconds, or in a browser in which you have signed in before.`,
        { headers: { 'retry-after': String(leftS) } },
      );
    },
    async prove(trx, userId, code) {
      const factor = await store.lockFactor(trx, userId);
      if (!factor?.confirmedAt) return 'none';
      if (code === null) throw problems.second_factor_needed();
      if (await store.useRecoveryCode(trx, userId, recoveryDigest(code))) return 'recovery_code';
      const step = stepOf(keyOf(factor), code, now());
      // A code is accepted once: somebody may have seen it being entered.
      if (step === null || (factor.lastStep !== null && step <= factor.lastStep)) throw problems.second_factor_wrong();
      await store.updateFactor(trx, userId, { lastStep: step });
      return 'totp';
    },
    encrypt: (userId, key) => sealer.seal(toContext(userId), { key }),
    requireStep(row, code) {
      const step = stepOf(keyOf(row), code, now());
      if (step === null) throw problems.second_factor_wrong();
      return step;
    },
  };
}

/** Re-encrypts the keys of all users with the current root secret. */
export async function rotateFactorKeys({
  database,
  sealer,
}: {
  database: Database;
  sealer: Sealer;
}): Promise<Rotation> {
  const outcome = { rotated: 0, lost: 0 };
  for (const { userId, key } of await store.listKeys(database.db)) {
    const fresh = sealer.rewrap(toContext(userId), key);
    if (fresh === 'lost') outcome.lost++;
    else if (fresh && (await store.replaceKey(database.db, { userId, key }, fresh))) outcome.rotated++;
  }
  return outcome;
}
