import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import type { Owner } from './service.ts';

/** Any number will do, as long as nothing else takes the same lock. */
const BOOTSTRAP_LOCK = 7_316_001;

/** One first start at a time, until the transaction ends. */
export async function lockBootstrap(trx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(${BOOTSTRAP_LOCK})`.execute(trx);
}

export async function firstOwner(db: Queryable): Promise<Owner | null> {
  const row = await db
    .selectFrom('users')
    .select(['org_id as orgId', 'id as userId', 'email'])
    .where('role', '=', 'owner')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertOrganization(trx: Transaction, organization: { id: string; name: string }): Promise<void> {
  await trx.insertInto('organizations').values(organization).execute();
}

export async function insertOwner(trx: Transaction, { orgId, userId, email }: Owner): Promise<void> {
  await trx.insertInto('users').values({ id: userId, org_id: orgId, email, name: 'Owner', role: 'owner' }).execute();
}
