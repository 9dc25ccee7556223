import { timingSafeEqual } from 'node:crypto';
import { type AuditActor, type ClientInfo, recordAction } from '#features/audit/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Log } from '#platform/log';
import { Problem } from '#platform/problem';
import { normalizeEmail } from '../email.ts';
import { requireLocale, requireName } from '../names.ts';
import type { Passwords } from '../passwords.ts';
import { problems } from '../problems.ts';
import { scopesForRole } from '../roles.ts';
import type { FactorProof, Factors } from '../second-factor/factors.ts';
import { countRecoveryCodes } from '../second-factor/store.ts';
import * as users from '../store.ts';
import { digestOf, newToken } from '../token.ts';
import type { Credentials, PasswordChange, ProfileChanges, SessionEntry, SignedInSession } from './schema.ts';
import * as store from './store.ts';

/** A new session. `token` is the value of the cookie and is not stored. */
export type StartedSession = { token: string; caller: Caller };

export interface Sessions {
  /**
   * Resolves the value of a cookie to its caller. Throws `session_ended` (401), and `second_factor_required` (403)
   * where the user must set up a second factor first, unless `forEnrollment`.
   */
  authenticate(token: string, forEnrollment?: boolean): Promise<Caller>;
  /**
   * Starts a session with address, password and, for users with a second factor, a code. `browser` is the id of one in
   * which the user has signed in before. Throws `credentials_wrong` (401), with the same message and timing whether the
   * address or the password is wrong, `second_factor_needed` (401), `second_factor_wrong` (403), `rate_limited` (429)
   * or `sign_in_busy` (503).
   */
  signIn(given: Credentials, place: ClientInfo, browser: string | null): Promise<StartedSession>;
  /**
   * Starts a session for a user who was authenticated otherwise, in the same transaction. `proof` is the second factor,
   * or where it was checked: by the provider of single sign-on.
   */
  start(
    trx: Transaction,
    user: users.UserRow,
    method: store.SignInMethod,
    place: ClientInfo,
    proof: FactorProof | 'provider',
  ): Promise<StartedSession>;
  /** The signed-in user of a session, with their organization. Throws `session_ended` (401). */
  describe(caller: Caller): Promise<SignedInSession>;
  /** Changes the name and the language of the caller. Throws `name_invalid` or `locale_invalid` (400). */
  changeProfile(caller: Caller, changes: ProfileChanges): Promise<SignedInSession>;
  list(caller: Caller): Promise<SessionEntry[]>;
  /** Ends one of the caller's own sessions. Throws `session_not_found` (404) or `session_forbidden` (403). */
  end(caller: Caller, sessionId: string, by: AuditActor): Promise<void>;
  /** Ends all sessions of the caller. Returns their number. */
  endAll(caller: Caller, by: AuditActor): Promise<number>;
  /** Ends all sessions of a user, in the transaction of the change that requires it. */
  endAllOf(trx: Transaction, user: { userId: string; orgId: string }, by: AuditActor): Promise<number>;
  /**
   * Changes the password, ends all sessions and starts a new one for the caller. Throws `password_wrong` (403),
   * `password_weak` (400) or `password_not_set` (409).
   */
  changePassword(caller: Caller, change: PasswordChange, by: NonNullable<AuditActor>): Promise<StartedSession>;
  /** Removes expired sessions. Returns their number. */
  purge(): Promise<number>;
  /** Waits for pending audit entries of rejected sign-ins. */
  close(): Promise<void>;
}

export type SessionsDeps = {
  database: Database;
  log: Log;
  passwords: Passwords;
  factors: Factors;
  /** Duration of a session in seconds. */
  sessionS: number;
  now: () => number;
};

export function createSessions({ database, log, passwords, factors, sessionS, now }: SessionsDeps): Sessions {
  const pendingEntries = new Set<Promise<void>>();

  /** Not awaited by the response: its timing must not reveal whether an address exists. */
  function recordRejection({ id: subjectId, orgId }: users.UserRow, place: ClientInfo, reason: string): void {
    const entry = { orgId, action: 'session.refused', subjectId, outcome: 'refused', detail: { reason } } as const;
    const pending = database
      .transaction((trx) => recordAction(trx, { userId: null, keyId: null, sessionId: null, ...place }, entry))
      .catch((err) => log.warn({ err }, 'could not record a rejected sign-in'))
      .finally(() => pendingEntries.delete(pending));
    pendingEntries.add(pending);
  }

  async function start(
    trx: Transaction,
    user: users.UserRow,
    method: store.SignInMethod,
    place: ClientInfo,
    proof: FactorProof | 'provider',
  ): Promise<StartedSession> {
    const { token, hash } = newToken();
    const id = newId();
    const expiresAt = new Date(now() + sessionS * 1000);
    const { address, userAgent, operation } = place;
    await store.insertSession(trx, { id, userId: user.id, hash, method, address, userAgent, expiresAt });
    const caller = callerOf({ ...user, userId: user.id, id, expiresAt });
    await recordAction(
      trx,
      { userId: user.id, keyId: null, sessionId: id, address, userAgent, operation },
      {
        orgId: user.orgId,
        action: 'session.created',
        subjectId: id,
        detail: { method, second_factor: proof, expires_at: expiresAt.toISOString() },
      },
    );
    return { token, caller };
  }

  async function describe(caller: Caller): Promise<SignedInSession> {
    const user = await users.userById(database.db, caller.userId);
    if (!user || !caller.sessionId) throw problems.session_ended();
    const { name: orgName } = await users.organization(database.db, user.orgId);
    const { sessionId, userId, orgId, expiresAt } = caller;
    const { email, name, role, locale } = user;
    return {
      sessionId,
      userId,
      email,
      name,
      role,
      locale,
      orgId,
      orgName,
      expiresAt,
      hasPassword: user.passwordHash !== null,
      hasSecondFactor: user.hasSecondFactor,
      needsSecondFactor: await store.lacksFactorIn(database.db, sessionId),
      recoveryCodesLeft: await countRecoveryCodes(database.db, user.id),
      operatesService: (await users.firstOwner(database.db))?.orgId === orgId,
      permissions: [...caller.scopes],
    };
  }

  /** Ends all sessions of a user, or one. Returns their number. */
  async function end(
    trx: Transaction,
    { userId, orgId }: { userId: string; orgId: string },
    by: AuditActor,
    only?: string,
  ) {
    const ended = await store.deleteSessions(trx, userId, only);
    for (const subjectId of ended) await recordAction(trx, by, { orgId, action: 'session.ended', subjectId });
    return ended.length;
  }

  return {
    start,
    describe,
    async changeProfile(caller, { name, locale }) {
      const change = {
        ...(name === undefined ? {} : { name: requireName(name) }),
        ...(locale === undefined ? {} : { locale: locale === null ? null : requireLocale(locale) }),
      };
      if (Object.keys(change).length > 0) {
        await database.transaction((trx) => users.updateUser(trx, caller.userId, change));
      }
      return describe(caller);
    },
    endAll: (caller, by) => database.transaction((trx) => end(trx, caller, by)),
    endAllOf: (trx, user, by) => end(trx, user, by),
    async authenticate(token, forEnrollment = false) {
      const digest = digestOf(token);
      const row = await store.sessionByDigest(database.db, digest);
      const isValid = row && timingSafeEqual(row.hash, digest) && row.expiresAt.getTime() > now();
      if (!isValid) throw problems.session_ended();
      if (row.lacksFactor && !forEnrollment) throw problems.second_factor_required();
      return callerOf(row);
    },
    async signIn({ email, password, code = null }, place, browser) {
      const user = await users.userByEmail(database.db, normalizeEmail(email) ?? '');
      const isCorrect = await passwords.verify(password, user?.passwordHash ?? null);
      if (user && isCorrect) {
        if (code !== null) await factors.admit(user.id, browser);
        const started = await database
          .transaction(async (trx) => {
            // The password may have changed, or the user been removed, during the check.
            const locked = await users.lockUser(trx, user.id);
            if (locked?.passwordHash !== user.passwordHash) return null;
            return start(trx, locked, 'password', place, await factors.prove(trx, user.id, code));
          })
          .catch((error) => {
            if (error instanceof Problem && error.code === 'second_factor_wrong') {
              recordRejection(user, place, error.code);
            }
            throw error;
          });
        if (started) return started;
      }
      if (user) recordRejection(user, place, 'credentials_wrong');
      throw problems.credentials_wrong();
    },
    async list(caller) {
      const rows = await store.listSessions(database.db, caller.userId, new Date(now()));
      return rows.map(({ id, method, ...row }) => ({
        ...row,
        sessionId: id,
        method: method as store.SignInMethod,
        current: id === caller.sessionId,
      }));
    },
    async end(caller, sessionId, by) {
      await database.transaction(async (trx) => {
        if ((await end(trx, caller, by, sessionId)) > 0) return;
        throw (await store.sessionExists(trx, sessionId)) ? problems.session_forbidden() : problems.session_not_found();
      });
    },
    async changePassword(caller, { currentPassword, newPassword }, by) {
      const user = await users.userById(database.db, caller.userId);
      if (!user?.passwordHash) throw problems.password_not_set();
      if (!(await passwords.verify(currentPassword, user.passwordHash))) throw problems.password_wrong();
      const hash = await passwords.hash(newPassword, user.email);
      return database.transaction(async (trx) => {
        const locked = await users.lockUser(trx, user.id);
        if (locked?.passwordHash !== user.passwordHash) throw problems.password_wrong();
        await users.updateUser(trx, user.id, { passwordHash: hash });
        await recordAction(trx, by, { orgId: user.orgId, action: 'password.changed', subjectId: user.id });
        await end(trx, caller, by);
        return start(trx, locked, 'password', by, 'none');
      });
    },
    purge: () => store.deleteExpiredSessions(database.db, new Date(now())),
    async close() {
      await Promise.all(pendingEntries);
    },
  };
}

type SessionOwner = {
  id: string;
  userId: string;
  orgId: string;
  email: string;
  role: users.UserRow['role'];
  expiresAt: Date;
};

const callerOf = (row: SessionOwner): Caller => ({
  keyId: null,
  sessionId: row.id,
  userId: row.userId,
  orgId: row.orgId,
  email: row.email,
  scopes: scopesForRole(row.role),
  expiresAt: row.expiresAt,
});
