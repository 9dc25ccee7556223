import { timingSafeEqual } from 'node:crypto';
import { type Actor, type Place, recordAction } from '#features/audit/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Log } from '#platform/log';
import { emailOf } from '../email.ts';
import type { Passwords } from '../passwords.ts';
import { problems } from '../problems.ts';
import { scopesOf } from '../roles.ts';
import * as users from '../store.ts';
import { digestOf, newToken } from '../token.ts';
import * as store from './store.ts';

/** A session that just began. `token` goes into the cookie and nowhere else. */
export type Started = { token: string; caller: Caller };

/** A session as its person sees it. */
export type SessionRecord = {
  id: string;
  method: store.Method;
  address: string;
  userAgent: string | null;
  createdAt: Date;
  expiresAt: Date;
};

export interface Sessions {
  /** Resolves a cookie's value to its caller. Throws `session_ended` (401). */
  authenticate(token: string): Promise<Caller>;
  /**
   * Begins a session with an address and a password. Throws `credentials_wrong` (401), in the same words and the same time whether the
   * address or the password is wrong, or `sign_in_busy` (503).
   */
  signIn(given: { email: string; password: string }, place: Place): Promise<Started>;
  /** Begins a session for a user who was let in some other way; call it in the transaction that did. */
  start(trx: Transaction, user: users.UserRow, method: store.Method, place: Place): Promise<Started>;
  list(caller: Caller): Promise<SessionRecord[]>;
  /** Ends one of the caller's own sessions. Throws `session_not_found` (404). */
  end(caller: Caller, sessionId: string, by: Actor): Promise<void>;
  /** Ends all of the caller's sessions; returns how many. */
  endAll(caller: Caller, by: Actor): Promise<number>;
  /** Ends all sessions of a user, in the transaction of what made that needed. */
  endAllOf(trx: Transaction, user: { userId: string; orgId: string }, by: Actor): Promise<number>;
  /**
   * Sets another password: all sessions end, and a new one begins in place of the caller's. Throws `password_wrong` (403), `password_weak`
   * (400) or `password_not_set` (409).
   */
  changePassword(
    caller: Caller,
    passwords: { current: string; next: string },
    by: NonNullable<Actor>,
  ): Promise<Started>;
  /** Removes sessions that have expired; returns how many. */
  purge(): Promise<number>;
  /** Waits for the last notes of refused sign-ins. */
  close(): Promise<void>;
}

export type SessionsDeps = {
  database: Database;
  log: Log;
  passwords: Passwords;
  /** How long a session lasts, in seconds. */
  sessionS: number;
  now: () => number;
};

export function createSessions({ database, log, passwords, sessionS, now }: SessionsDeps): Sessions {
  const notes = new Set<Promise<void>>();

  /** Beside the answer, not before it: whether an address is known must not show in the time it takes. */
  function noteRefusal(user: users.UserRow, place: Place): void {
    const entry = { orgId: user.org_id, action: 'session.refused', subjectId: user.id };
    const note = database
      .transaction((trx) => recordAction(trx, { userId: null, keyId: null, sessionId: null, ...place }, entry))
      .catch((err) => log.warn({ err }, 'could not note a refused sign-in'))
      .finally(() => notes.delete(note));
    notes.add(note);
  }

  async function start(trx: Transaction, user: users.UserRow, method: store.Method, place: Place): Promise<Started> {
    const { token, hash } = newToken();
    const id = newId();
    const expiresAt = new Date(now() + sessionS * 1000);
    const { address, userAgent } = place;
    await store.insertSession(trx, {
      id,
      user_id: user.id,
      hash,
      method,
      address,
      user_agent: userAgent,
      expires_at: expiresAt,
    });
    const caller = callerOf({ ...user, user_id: user.id, id, expires_at: expiresAt });
    await recordAction(
      trx,
      { userId: user.id, keyId: null, sessionId: id, address, userAgent },
      {
        orgId: user.org_id,
        action: 'session.created',
        subjectId: id,
        detail: { method, expires_at: expiresAt.toISOString() },
      },
    );
    return { token, caller };
  }

  /** Ends sessions of a user, all or one of them; returns how many. */
  async function end(trx: Transaction, { userId, orgId }: { userId: string; orgId: string }, by: Actor, only?: string) {
    const ended = await store.deleteSessions(trx, userId, only);
    for (const subjectId of ended) await recordAction(trx, by, { orgId, action: 'session.ended', subjectId });
    return ended.length;
  }

  return {
    start,
    endAll: (caller, by) => database.transaction((trx) => end(trx, caller, by)),
    endAllOf: (trx, user, by) => end(trx, user, by),
    async authenticate(token) {
      const digest = digestOf(token);
      const row = await store.sessionByDigest(database.db, digest);
      const alive = row && timingSafeEqual(row.hash, digest) && row.expires_at.getTime() > now();
      if (!alive) throw problems.session_ended();
      return callerOf(row);
    },
    async signIn({ email, password }, place) {
      const user = await users.userByEmail(database.db, emailOf(email) ?? '');
      const right = await passwords.verify(password, user?.password_hash ?? null);
      const started =
        user && right
          ? await database.transaction(async (trx) => {
              // The password may have been changed, or the person removed, while it was checked.
              const locked = await users.lockUser(trx, user.id);
              return locked?.password_hash === user.password_hash ? start(trx, locked, 'password', place) : null;
            })
          : null;
      if (started) return started;
      if (user) noteRefusal(user, place);
      throw problems.credentials_wrong();
    },
    async list(caller) {
      const rows = await store.sessionsOf(database.db, caller.userId, new Date(now()));
      return rows.map((row) => ({
        id: row.id,
        method: row.method as store.Method,
        address: row.address,
        userAgent: row.user_agent,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
      }));
    },
    async end(caller, sessionId, by) {
      await database.transaction(async (trx) => {
        if ((await end(trx, caller, by, sessionId)) === 0) throw problems.session_not_found();
      });
    },
    async changePassword(caller, { current, next }, by) {
      const user = await users.userById(database.db, caller.userId);
      if (!user?.password_hash) throw problems.password_not_set();
      if (!(await passwords.verify(current, user.password_hash))) throw problems.password_wrong();
      const hash = await passwords.hash(next, user.email);
      return database.transaction(async (trx) => {
        const locked = await users.lockUser(trx, user.id);
        if (locked?.password_hash !== user.password_hash) throw problems.password_wrong();
        await users.updateUser(trx, user.id, { password_hash: hash });
        await recordAction(trx, by, { orgId: user.org_id, action: 'password.changed', subjectId: user.id });
        await end(trx, caller, by);
        return start(trx, locked, 'password', by);
      });
    },
    purge: () => store.deleteExpiredSessions(database.db, new Date(now())),
    async close() {
      await Promise.all(notes);
    },
  };
}

type SessionOwner = {
  id: string;
  user_id: string;
  org_id: string;
  email: string;
  role: users.UserRow['role'];
  expires_at: Date;
};

const callerOf = (row: SessionOwner): Caller => ({
  keyId: null,
  sessionId: row.id,
  userId: row.user_id,
  orgId: row.org_id,
  email: row.email,
  scopes: scopesOf(row.role),
  expiresAt: row.expires_at,
});
