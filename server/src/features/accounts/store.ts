import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import type { Owner, Role } from './types.ts';

/** An arbitrary number that no other lock uses. */
const BOOTSTRAP_LOCK = 7_316_001;

/** Serializes the first start of several nodes until the transaction ends. */
export async function lockBootstrap(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(${BOOTSTRAP_LOCK})`.execute(trx);
}

/** The owner of the first organization. */
export async function firstOwner(db: Queryable): Promise<Owner | null> {
  const row = await db
    .selectFrom('users')
    .select(['orgId', 'id as userId', 'email'])
    .where('role', '=', 'owner')
    .where('removedAt', 'is', null)
    .orderBy('orgId')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

const COLUMNS = ['id', 'orgId', 'email', 'name', 'role', 'passwordHash', 'ssoSubject', 'locale', 'createdAt'] as const;

/** True if the user of the row of `users` has confirmed a second factor. */
export const hasSecondFactor = sql<boolean>`exists (select from second_factors where user_id = users.id and confirmed_at is not null)`;

/** Users who were not removed. */
const users = (db: Queryable) =>
  db.selectFrom('users').select(COLUMNS).select(hasSecondFactor.as('hasSecondFactor')).where('removedAt', 'is', null);

type Row = Awaited<ReturnType<ReturnType<typeof users>['executeTakeFirstOrThrow']>>;
export type UserRow = Omit<Row, 'role'> & { role: Role };

const userOf = (row: Row): UserRow => ({ ...row, role: row.role as Role });
const userOrNull = (row: Row | undefined) => (row ? userOf(row) : null);

export async function userById(db: Queryable, id: string): Promise<UserRow | null> {
  return userOrNull(await users(db).where('id', '=', id).executeTakeFirst());
}

/** `email` as `normalizeEmail` returns it. */
export async function userByEmail(db: Queryable, email: string): Promise<UserRow | null> {
  const found = users(db).where((where) => where(where.fn('lower', ['email']), '=', email));
  return userOrNull(await found.executeTakeFirst());
}

/** The user with this identity at the provider of single sign-on. */
export async function userByIdentity(db: Queryable, issuer: string, subject: string): Promise<UserRow | null> {
  const found = users(db).where('ssoIssuer', '=', issuer).where('ssoSubject', '=', subject);
  return userOrNull(await found.executeTakeFirst());
}

/** True if a user with this address was removed from the organization. */
export async function wasRemoved(db: Queryable, orgId: string, email: string): Promise<boolean> {
  const removed = db.selectFrom('users').select('id').where('orgId', '=', orgId).where('removedAt', 'is not', null);
  const found = removed.where((where) => where(where.fn('lower', ['email']), '=', email)).limit(1);
  return (await found.executeTakeFirst()) !== undefined;
}

/** A user, locked until the transaction ends. */
export async function lockUser(trx: Transaction, id: string): Promise<UserRow | null> {
  return userOrNull(await users(trx).where('id', '=', id).forUpdate().executeTakeFirst());
}

/** A page of an organization's users in the order they joined, from after the user `after`. */
export async function pageOfUsers(
  db: Queryable,
  { orgId, after, limit }: { orgId: string; after: string | null; limit: number },
): Promise<UserRow[]> {
  const page = users(db).where('orgId', '=', orgId).orderBy('id').limit(limit);
  return (await (after === null ? page : page.where('id', '>', after)).execute()).map(userOf);
}

/** The users of all organizations, with the names of the organizations. */
export async function allUsers(db: Queryable): Promise<(UserRow & { organization: string })[]> {
  const rows = await db
    .selectFrom('users')
    .innerJoin('organizations', 'organizations.id', 'users.orgId')
    .select(COLUMNS.map((column) => `users.${column}` as const))
    .select(['organizations.name as organization', hasSecondFactor.as('hasSecondFactor')])
    .where('users.removedAt', 'is', null)
    .orderBy('users.orgId')
    .orderBy('users.id')
    .execute();
  return rows.map((row) => ({ ...userOf(row), organization: row.organization }));
}

export async function countOwners(trx: Transaction, orgId: string): Promise<number> {
  const owners = users(trx).where('orgId', '=', orgId).where('role', '=', 'owner');
  return (await owners.execute()).length;
}

export type NewUserRow = {
  id: string;
  orgId: string;
  email: string;
  name: string;
  role: Role;
  passwordHash?: string;
  ssoIssuer?: string;
  ssoSubject?: string;
};

/** Inserts a user. Null if a user has this address or this identity already. */
export async function insertUserOnce(trx: Transaction, row: NewUserRow): Promise<UserRow | null> {
  const inserted = trx.insertInto('users').values(row);
  const once = inserted
    .onConflict((conflict) => conflict.doNothing())
    .returning(COLUMNS)
    .returning(hasSecondFactor.as('hasSecondFactor'));
  return userOrNull(await once.executeTakeFirst());
}

export type UserChange = Partial<Omit<NewUserRow, 'id' | 'orgId'>> & { removedAt?: Date; locale?: string | null };

export async function updateUser(trx: Transaction, id: string, change: UserChange): Promise<void> {
  await trx.updateTable('users').set(change).where('id', '=', id).execute();
}

export async function insertOrganization(trx: Transaction, row: { id: string; name: string }): Promise<void> {
  await trx.insertInto('organizations').values(row).execute();
}

/**
 * An organization. With `lock`, changes of its members are serialized until the transaction ends; other rows can still
 * refer to it.
 */
export async function organization(db: Queryable, id: string, lock?: 'lock') {
  const found = db
    .selectFrom('organizations')
    .select(['id', 'name', 'secondFactorRequired', 'createdAt'])
    .where('id', '=', id);
  return (lock ? found.forNoKeyUpdate() : found).executeTakeFirstOrThrow();
}

export async function updateOrganization(
  trx: Transaction,
  id: string,
  change: { name?: string; secondFactorRequired?: boolean },
): Promise<void> {
  await trx.updateTable('organizations').set(change).where('id', '=', id).execute();
}
