import type { Queryable, Transaction } from '#platform/db/index';
import type { Role } from '../roles.ts';

/** How a session began. */
export type Method = 'password' | 'link' | 'sso';

export type NewSessionRow = {
  id: string;
  user_id: string;
  hash: Buffer;
  method: Method;
  address: string;
  user_agent: string | null;
  expires_at: Date;
};

export async function insertSession(trx: Transaction, row: NewSessionRow): Promise<void> {
  await trx.insertInto('sessions').values(row).execute();
}

/** The session with this digest, with its person, unless that one was removed. */
export async function sessionByDigest(db: Queryable, hash: Buffer) {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id',
      'sessions.hash',
      'sessions.expires_at',
      'users.id as user_id',
      'users.org_id',
      'users.email',
      'users.role',
    ])
    .where('sessions.hash', '=', hash)
    .where('users.removed_at', 'is', null)
    .executeTakeFirst();
  return row && { ...row, role: row.role as Role };
}

/** A user's sessions that have not expired, newest first. */
export async function sessionsOf(db: Queryable, userId: string, at: Date) {
  return db
    .selectFrom('sessions')
    .select(['id', 'method', 'address', 'user_agent', 'created_at', 'expires_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', at)
    .orderBy('id', 'desc')
    .execute();
}

/** Ends sessions of a user: all, or the one with the id `only`. Returns the ids of those that ended. */
export async function deleteSessions(trx: Transaction, userId: string, only?: string): Promise<string[]> {
  const all = trx.deleteFrom('sessions').where('user_id', '=', userId);
  const ended = await (only === undefined ? all : all.where('id', '=', only)).returning('id').execute();
  return ended.map((row) => row.id);
}

export async function deleteExpiredSessions(db: Queryable, at: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('sessions').where('expires_at', '<=', at).executeTakeFirst();
  return Number(numDeletedRows);
}
