import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import type { Role } from './roles.ts';
import type { Owner } from './service.ts';

/** Any number will do, as long as nothing else takes the same lock. */
const BOOTSTRAP_LOCK = 7_316_001;

/** One first start at a time, until the transaction ends. */
export async function lockBootstrap(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(${BOOTSTRAP_LOCK})`.execute(trx);
}

/** The owner of the organisation that was first. */
export async function firstOwner(db: Queryable): Promise<Owner | null> {
  const row = await db
    .selectFrom('users')
    .select(['org_id as orgId', 'id as userId', 'email'])
    .where('role', '=', 'owner')
    .where('removed_at', 'is', null)
    .orderBy('org_id')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

const COLUMNS = ['id', 'org_id', 'email', 'name', 'role', 'password_hash', 'sso_subject', 'created_at'] as const;

/** Those who were not removed. */
const users = (db: Queryable) => db.selectFrom('users').select(COLUMNS).where('removed_at', 'is', null);

type Row = Awaited<ReturnType<ReturnType<typeof users>['executeTakeFirstOrThrow']>>;
export type UserRow = Omit<Row, 'role'> & { role: Role };

const userOf = (row: Row): UserRow => ({ ...row, role: row.role as Role });
const userOrNull = (row: Row | undefined) => (row ? userOf(row) : null);

export async function userById(db: Queryable, id: string): Promise<UserRow | null> {
  return userOrNull(await users(db).where('id', '=', id).executeTakeFirst());
}

/** `email` as `emailOf` writes it. */
export async function userByEmail(db: Queryable, email: string): Promise<UserRow | null> {
  const found = users(db).where((where) => where(where.fn('lower', ['email']), '=', email));
  return userOrNull(await found.executeTakeFirst());
}

/** The user who is this at the provider of single sign-on. */
export async function userByIdentity(db: Queryable, issuer: string, subject: string): Promise<UserRow | null> {
  const found = users(db).where('sso_issuer', '=', issuer).where('sso_subject', '=', subject);
  return userOrNull(await found.executeTakeFirst());
}

/** Whether someone with this address was removed from the organisation. */
export async function wasRemoved(db: Queryable, orgId: string, email: string): Promise<boolean> {
  const removed = db.selectFrom('users').select('id').where('org_id', '=', orgId).where('removed_at', 'is not', null);
  const found = removed.where((where) => where(where.fn('lower', ['email']), '=', email)).limit(1);
  return (await found.executeTakeFirst()) !== undefined;
}

/** A user, locked until the transaction ends: what is decided from the row stays true. */
export async function lockUser(trx: Transaction, id: string): Promise<UserRow | null> {
  return userOrNull(await users(trx).where('id', '=', id).forUpdate().executeTakeFirst());
}

/** A page of an organisation's users in the order they joined, from after the user `after`. */
export async function pageOfUsers(
  db: Queryable,
  { orgId, after, limit }: { orgId: string; after: string | null; limit: number },
): Promise<UserRow[]> {
  const page = users(db).where('org_id', '=', orgId).orderBy('id').limit(limit);
  return (await (after === null ? page : page.where('id', '>', after)).execute()).map(userOf);
}

/** The users of all organisations, with the name of each one's. */
export async function everyone(db: Queryable): Promise<(UserRow & { organization: string })[]> {
  const rows = await db
    .selectFrom('users')
    .innerJoin('organizations', 'organizations.id', 'users.org_id')
    .select(COLUMNS.map((column) => `users.${column}` as const))
    .select('organizations.name as organization')
    .where('users.removed_at', 'is', null)
    .orderBy('users.org_id')
    .orderBy('users.id')
    .execute();
  return rows.map((row) => ({ ...userOf(row), organization: row.organization }));
}

export async function countOwners(trx: Transaction, orgId: string): Promise<number> {
  const owners = users(trx).where('org_id', '=', orgId).where('role', '=', 'owner');
  return (await owners.execute()).length;
}

export type NewUserRow = {
  id: string;
  org_id: string;
  email: string;
  name: string;
  role: Role;
  password_hash?: string;
  sso_issuer?: string;
  sso_subject?: string;
};

/** Inserts a user; null where there is one with this address, or this identity of single sign-on. */
export async function insertUserOnce(trx: Transaction, row: NewUserRow): Promise<UserRow | null> {
  const inserted = trx.insertInto('users').values(row);
  const once = inserted.onConflict((conflict) => conflict.doNothing()).returning(COLUMNS);
  return userOrNull(await once.executeTakeFirst());
}

export type UserChange = Partial<Omit<NewUserRow, 'id' | 'org_id'>> & { removed_at?: Date };

export async function updateUser(trx: Transaction, id: string, change: UserChange): Promise<void> {
  await trx.updateTable('users').set(change).where('id', '=', id).execute();
}

export async function insertOrganization(trx: Transaction, row: { id: string; name: string }): Promise<void> {
  await trx.insertInto('organizations').values(row).execute();
}

/** An organisation; locked, one change of its members happens at a time until the transaction ends; rows that belong to it come all the same. */
export async function organization(db: Queryable, id: string, lock?: 'lock') {
  const found = db.selectFrom('organizations').select(['id', 'name', 'created_at']).where('id', '=', id);
  return (lock ? found.forNoKeyUpdate() : found).executeTakeFirstOrThrow();
}

export async function renameOrganization(trx: Transaction, id: string, name: string): Promise<void> {
  await trx.updateTable('organizations').set({ name }).where('id', '=', id).execute();
}
