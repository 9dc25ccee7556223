import { type Selectable, sql } from 'kysely';
import type { DB, Queryable, Transaction } from '#platform/db/index';
import { newId } from '#platform/ids';

export type MailRecipient = Selectable<DB['mailRecipients']>;

type Key = { orgId: string; address: string };

export async function findRecipient(db: Queryable, { orgId, address }: Key): Promise<MailRecipient | null> {
  const row = await db
    .selectFrom('mailRecipients')
    .selectAll()
    .where('orgId', '=', orgId)
    .where('address', '=', address)
    .executeTakeFirst();
  return row ?? null;
}

/** All recipients of an organization that got a mail that asks or have answered, by address. */
export async function recipientsOf(db: Queryable, orgId: string): Promise<Map<string, MailRecipient>> {
  const rows = await db.selectFrom('mailRecipients').selectAll().where('orgId', '=', orgId).execute();
  return new Map(rows.map((row) => [row.address, row]));
}

/** Notes that a mail asked the recipient. */
export async function markRequested(db: Queryable, key: Key): Promise<void> {
  await db
    .insertInto('mailRecipients')
    .values({ id: newId(), ...key, requestedAt: sql<Date>`now()` })
    .onConflict((conflict) => conflict.columns(['orgId', 'address']).doUpdateSet({ requestedAt: sql<Date>`now()` }))
    .execute();
}

/** Stores the answer of a recipient, also without a mail that asked. Null if it was their answer before. */
export async function saveAnswer(trx: Transaction, { orgId, address }: Key, agrees: boolean): Promise<string | null> {
  const confirmedAt = agrees ? sql`now()` : sql`null`;
  const declinedAt = agrees ? sql`null` : sql`now()`;
  const { rows } = await sql<{ id: string }>`
    insert into mail_recipients as r (id, org_id, address, confirmed_at, declined_at)
    values (${newId()}, ${orgId}, ${address}, ${confirmedAt}, ${declinedAt})
    on conflict (org_id, address) do update
      set confirmed_at = excluded.confirmed_at, declined_at = excluded.declined_at
      where (case when ${agrees}::boolean then r.confirmed_at else r.declined_at end) is null
    returning id`.execute(trx);
  return rows[0]?.id ?? null;
}

export async function organizationName(db: Queryable, orgId: string): Promise<string | null> {
  const row = await db.selectFrom('organizations').select('name').where('id', '=', orgId).executeTakeFirst();
  return row?.name ?? null;
}
