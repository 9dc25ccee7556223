import type { Queryable } from '#platform/db/index';

const COLUMNS = [
  'api_keys.id',
  'api_keys.org_id',
  'api_keys.user_id',
  'users.email',
  'api_keys.name',
  'api_keys.prefix',
  'api_keys.scopes',
  'api_keys.created_at',
  'api_keys.expires_at',
  'api_keys.last_used_at',
  'api_keys.revoked_at',
  'users.role',
  'users.removed_at',
  'api_keys.folder_id',
] as const;

export type KeyRow = Awaited<ReturnType<typeof keysOf>>[number];

const rows = (db: Queryable) =>
  db.selectFrom('api_keys').innerJoin('users', 'users.id', 'api_keys.user_id').select(COLUMNS);

/** The key with this digest, and the digest as stored, for a comparison in constant time. */
export async function keyByDigest(db: Queryable, digest: Buffer) {
  return rows(db).select('api_keys.hash').where('api_keys.hash', '=', digest).executeTakeFirst();
}

/** All keys of an organisation, newest first. */
export async function keysOf(db: Queryable, orgId: string) {
  return rows(db).where('api_keys.org_id', '=', orgId).orderBy('api_keys.id', 'desc').execute();
}

/** The same, from before the key `before`, of one user if `userId` is given. */
export async function pageOfKeys(
  db: Queryable,
  { orgId, userId, before, limit }: { orgId: string; userId: string | null; before: string | null; limit: number },
) {
  let page = rows(db).where('api_keys.org_id', '=', orgId).orderBy('api_keys.id', 'desc').limit(limit);
  if (userId !== null) page = page.where('api_keys.user_id', '=', userId);
  if (before !== null) page = page.where('api_keys.id', '<', before);
  return page.execute();
}

/** The keys that `idOrPrefix` may mean: the one with this id, or those that start with it. */
export async function keysNamed(db: Queryable, orgId: string, idOrPrefix: string) {
  return rows(db)
    .where('api_keys.org_id', '=', orgId)
    .where((where) => where.or([where('api_keys.id', '=', idOrPrefix), where('api_keys.prefix', '=', idOrPrefix)]))
    .execute();
}

export type NewKeyRow = {
  id: string;
  org_id: string;
  user_id: string;
  name: string;
  prefix: string;
  hash: Buffer;
  scopes: string[];
  expires_at: Date;
  folder_id: string | null;
};

/** Whether the user sees the folder: it is theirs, or the organisation's. */
export async function seesFolder(
  db: Queryable,
  { orgId, userId }: { orgId: string; userId: string },
  folderId: string,
): Promise<boolean> {
  const seen = await db
    .selectFrom('folders')
    .select('id')
    .where('id', '=', folderId)
    .where('org_id', '=', orgId)
    .where((where) => where.or([where('owner_id', '=', userId), where('owner_id', 'is', null)]))
    .executeTakeFirst();
  return seen !== undefined;
}

/** Inserts the key unless one with this digest is there already, revoked or not; returns whether it did. */
export async function insertKeyOnce(db: Queryable, row: NewKeyRow): Promise<boolean> {
  const inserted = await db
    .insertInto('api_keys')
    .values(row)
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function anyKey(db: Queryable): Promise<boolean> {
  return (await db.selectFrom('api_keys').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Revokes a key; one that is revoked keeps its first time. Returns whether it was not. */
export async function markRevoked(db: Queryable, id: string, at: Date): Promise<boolean> {
  const revoked = await db
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return revoked !== undefined;
}

/** Notes a use, unless another node noted one within the minute before. */
export async function markUsed(db: Queryable, id: string, at: Date): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .where((where) =>
      where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', new Date(at.getTime() - 60_000))]),
    )
    .execute();
}
