import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import { hasSecondFactor } from '../store.ts';
import type { Role } from '../types.ts';

/** The way in which a session was started. */
export type SignInMethod = 'password' | 'link' | 'sso';

export type NewSessionRow = {
  id: string;
  userId: string;
  hash: Buffer;
  method: SignInMethod;
  address: string;
  userAgent: string | null;
  expiresAt: Date;
};

/**
 * True for a session that a password or a link started, of a user without a second factor in an organization that
 * requires one. The provider of single sign-on has factors of its own.
 */
const lacksFactor = sql<boolean>`sessions.method <> 'sso' and organizations.second_factor_required
  and not ${hasSecondFactor}`;

const sessions = (db: Queryable) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .innerJoin('organizations', 'organizations.id', 'users.orgId');

export async function insertSession(trx: Transaction, row: NewSessionRow): Promise<void> {
  await trx.insertInto('sessions').values(row).execute();
}

/** The session with this digest and its user, unless the user was removed. */
export async function sessionByDigest(db: Queryable, hash: Buffer) {
  const row = await sessions(db)
    .select([
      'sessions.id',
      'sessions.hash',
      'sessions.expiresAt',
      'users.id as userId',
      'users.orgId',
      'users.email',
      'users.role',
      lacksFactor.as('lacksFactor'),
    ])
    .where('sessions.hash', '=', hash)
    .where('users.removedAt', 'is', null)
    .executeTakeFirst();
  return row && { ...row, role: row.role as Role };
}

/** True if the user of this session has to set up a second factor first. */
export async function lacksFactorIn(db: Queryable, id: string): Promise<boolean> {
  const row = sessions(db).select(lacksFactor.as('lacksFactor')).where('sessions.id', '=', id);
  return (await row.executeTakeFirst())?.lacksFactor ?? false;
}

/** A user's sessions that have not expired, newest first. */
export async function listSessions(db: Queryable, userId: string, at: Date) {
  return db
    .selectFrom('sessions')
    .select(['id', 'method', 'address', 'userAgent', 'createdAt', 'expiresAt'])
    .where('userId', '=', userId)
    .where('expiresAt', '>', at)
    .orderBy('id', 'desc')
    .execute();
}

/** True if there is a session with this id, of any user. */
export async function sessionExists(db: Queryable, id: string): Promise<boolean> {
  return (await db.selectFrom('sessions').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

/** Ends all sessions of a user, or the one with the id `only`. Returns their ids. */
export async function deleteSessions(trx: Transaction, userId: string, only?: string): Promise<string[]> {
  const all = trx.deleteFrom('sessions').where('userId', '=', userId);
  const ended = await (only === undefined ? all : all.where('id', '=', only)).returning('id').execute();
  return ended.map((row) => row.id);
}

export async function deleteExpiredSessions(db: Queryable, at: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('sessions').where('expiresAt', '<=', at).executeTakeFirst();
  return Number(numDeletedRows);
}
