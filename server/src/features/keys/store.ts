import { isManageable, isReadable, type Principal } from '#platform/access/index';
import type { Queryable } from '#platform/db/index';

const COLUMNS = [
  'apiKeys.id',
  'apiKeys.orgId',
  'apiKeys.userId',
  'users.email',
  'apiKeys.name',
  'apiKeys.prefix',
  'apiKeys.scopes',
  'apiKeys.createdAt',
  'apiKeys.expiresAt',
  'apiKeys.lastUsedAt',
  'apiKeys.revokedAt',
  'users.role',
  'users.removedAt',
  'apiKeys.folderId',
] as const;

export type KeyRow = Awaited<ReturnType<typeof listKeys>>[number];

const rows = (db: Queryable) =>
  db.selectFrom('apiKeys').innerJoin('users', 'users.id', 'apiKeys.userId').select(COLUMNS);

/** The key with this digest, and the digest as stored, for a comparison in constant time. */
export async function keyByDigest(db: Queryable, digest: Buffer) {
  return rows(db).select('apiKeys.hash').where('apiKeys.hash', '=', digest).executeTakeFirst();
}

/** All keys of an organization, newest first. */
export async function listKeys(db: Queryable, orgId: string) {
  return rows(db).where('apiKeys.orgId', '=', orgId).orderBy('apiKeys.id', 'desc').execute();
}

/** Keys that the caller manages, newest first, from before the key `before`. */
export async function pageOfKeys(
  db: Queryable,
  { caller, before, limit }: { caller: Principal; before: string | null; limit: number },
) {
  let page = rows(db)
    .where(isManageable(caller, 'apiKeys', 'userId'))
    .orderBy('apiKeys.id', 'desc')
    .limit(limit);
  if (before !== null) page = page.where('apiKeys.id', '<', before);
  return page.execute();
}

/** The key with this id, or all keys with this prefix. */
export async function keysNamed(db: Queryable, orgId: string, idOrPrefix: string) {
  return rows(db)
    .where('apiKeys.orgId', '=', orgId)
    .where((where) => where.or([where('apiKeys.id', '=', idOrPrefix), where('apiKeys.prefix', '=', idOrPrefix)]))
    .execute();
}

export type NewKeyRow = {
  id: string;
  orgId: string;
  userId: string;
  name: string;
  prefix: string;
  hash: Buffer;
  scopes: string[];
  expiresAt: Date;
  folderId: string | null;
};

/** Whether the user can access the folder: it is their own or shared. Null if there is none. */
export async function seesFolder(db: Queryable, user: Principal, folderId: string): Promise<boolean | null> {
  const folder = await db
    .selectFrom('folders')
    .select(isReadable(user, 'folders').as('isSeen'))
    .where('id', '=', folderId)
    .executeTakeFirst();
  return folder?.isSeen ?? null;
}

/** True if there is a key with this id, of any organization. */
export async function keyExists(db: Queryable, id: string): Promise<boolean> {
  return (await db.selectFrom('apiKeys').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

/** Inserts the key unless there is one with this digest, even a revoked one. Returns true if it was inserted. */
export async function insertKeyOnce(db: Queryable, row: NewKeyRow): Promise<boolean> {
  const inserted = await db
    .insertInto('apiKeys')
    .values(row)
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function anyKey(db: Queryable): Promise<boolean> {
  return (await db.selectFrom('apiKeys').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Revokes a key. Returns false, and changes nothing, if it was revoked before. */
export async function markRevoked(db: Queryable, id: string, at: Date): Promise<boolean> {
  const revoked = await db
    .updateTable('apiKeys')
    .set({ revokedAt: at })
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return revoked !== undefined;
}

/** Records a use, unless another node recorded one within the minute before. */
export async function markUsed(db: Queryable, id: string, at: Date): Promise<void> {
  await db
    .updateTable('apiKeys')
    .set({ lastUsedAt: at })
    .where('id', '=', id)
    .where((where) =>
      where.or([where('lastUsedAt', 'is', null), where('lastUsedAt', '<=', new Date(at.getTime() - 60_000))]),
    )
    .execute();
}

/** True if the key was not revoked, and its user not removed. */
export async function isKeyActive(db: Queryable, id: string): Promise<boolean> {
  const found = rows(db).where('apiKeys.id', '=', id).where('apiKeys.revokedAt', 'is', null);
  return (await found.where('users.removedAt', 'is', null).executeTakeFirst()) !== undefined;
}

/** True if the user exists and was not removed. */
export async function isUserActive(db: Queryable, id: string): Promise<boolean> {
  const found = db.selectFrom('users').select('id').where('id', '=', id).where('removedAt', 'is', null);
  return (await found.executeTakeFirst()) !== undefined;
}
