import { type AuditActor, recordAction } from '#features/audit/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import type { Passwords } from '../passwords.ts';
import { problems } from '../problems.ts';
import type { Sessions, StartedSession } from '../sessions/service.ts';
import * as users from '../store.ts';
import { keyUri, newKey, newRecoveryCodes, recoveryDigest } from './codes.ts';
import type { Factors } from './factors.ts';
import * as store from './store.ts';

/** A user's password, and a code of the authenticator app or a recovery code. */
export type PasswordAndCode = { password: string; code: string };

type SessionActor = NonNullable<AuditActor>;

/** Users set up and turn off their second factor. */
export interface Enrollment {
  /**
   * Stores a new key for an authenticator app, which has no effect before `confirm`. Throws `password_wrong` (403),
   * `password_not_set` or `second_factor_set` (409).
   */
  begin(caller: Caller, password: string): Promise<{ key: string; uri: string }>;
  /**
   * Requires the second factor from now on, if the code proves that the app has the key. Ends all sessions and starts a
   * new one for the caller. The recovery codes are shown once. Throws `second_factor_wrong` (403) or
   * `second_factor_not_begun` (409).
   */
  confirm(
    caller: Caller,
    code: string,
    by: SessionActor,
  ): Promise<{ started: StartedSession; recoveryCodes: string[] }>;
  /** Replaces the recovery codes. Throws `password_wrong`, `second_factor_wrong` (403) or `second_factor_off` (409). */
  replaceRecoveryCodes(caller: Caller, proof: PasswordAndCode, by: SessionActor): Promise<string[]>;
  /** Turns the second factor off. Throws as `replaceRecoveryCodes` does. */
  turnOff(caller: Caller, proof: PasswordAndCode, by: SessionActor): Promise<void>;
}

export type EnrollmentDeps = {
  database: Database;
  passwords: Passwords;
  sessions: Sessions;
  factors: Factors;
  publicUrl: string;
  now: () => number;
};

export function createEnrollment(deps: EnrollmentDeps): Enrollment {
  const { database, passwords, sessions, factors, publicUrl, now } = deps;

  /** The user, once the password is known to be theirs. */
  async function requirePassword(caller: Caller, password: string): Promise<users.UserRow> {
    const user = await users.userById(database.db, caller.userId);
    if (!user?.passwordHash) throw problems.password_not_set();
    if (!(await passwords.verify(password, user.passwordHash))) throw problems.password_wrong();
    return user;
  }

  /** Runs `work` if the password and the code are right. */
  async function change<T>(
    caller: Caller,
    { password, code }: PasswordAndCode,
    work: (trx: Transaction, user: users.UserRow) => Promise<T>,
  ): Promise<T> {
    const user = await requirePassword(caller, password);
    await factors.admit(user.id, caller.sessionId!);
    return database.transaction(async (trx) => {
      if ((await factors.prove(trx, user.id, code)) === 'none') throw problems.second_factor_off();
      return work(trx, user);
    });
  }

  async function giveRecoveryCodes(trx: Transaction, userId: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    await store.replaceRecoveryCodes(trx, userId, codes.map(recoveryDigest));
    return codes;
  }

  return {
    async begin(caller, password) {
      const { id, email } = await requirePassword(caller, password);
      const key = newKey();
      const stored = await database.transaction((trx) => store.putKey(trx, id, factors.encrypt(id, key)));
      if (!stored) throw problems.second_factor_set();
      return { key, uri: keyUri(key, { account: email, host: new URL(publicUrl).hostname }) };
    },
    async confirm(caller, code, by) {
      await factors.admit(caller.userId, caller.sessionId!);
      return database.transaction(async (trx) => {
        const user = await users.lockUser(trx, caller.userId);
        const factor = user && (await store.lockFactor(trx, user.id));
        if (!factor || factor.confirmedAt) throw problems.second_factor_not_begun();
        const lastStep = factors.requireStep(factor, code);
        await store.updateFactor(trx, user.id, { lastStep, confirmedAt: new Date(now()) });
        const recoveryCodes = await giveRecoveryCodes(trx, user.id);
        await recordAction(trx, by, { orgId: user.orgId, action: 'second_factor.set', subjectId: user.id });
        // The others were started without it.
        await sessions.endAllOf(trx, { userId: user.id, orgId: user.orgId }, by);
        return { started: await sessions.start(trx, user, 'password', by, 'totp'), recoveryCodes };
      });
    },
    replaceRecoveryCodes: (caller, proof, by) =>
      change(caller, proof, async (trx, { id, orgId }) => {
        const codes = await giveRecoveryCodes(trx, id);
        await recordAction(trx, by, { orgId, action: 'recovery_codes.replaced', subjectId: id });
        return codes;
      }),
    turnOff: (caller, proof, by) =>
      change(caller, proof, async (trx, { id, orgId }) => {
        await store.deleteFactor(trx, id);
        await recordAction(trx, by, { orgId, action: 'second_factor.turned_off', subjectId: id });
      }),
  };
}
