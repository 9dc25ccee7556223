import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import type { EventRow } from '../store.ts';

/** The last entry in the chain of an organization: its position and digest. */
export type ChainHead = { position: number; digest: string };

export type ChainLink = { id: string; position: number; salt: string; contentDigest: string; digest: string };

/** Locks the chain of an organization until the transaction ends, and returns its head. */
export async function lockHead(trx: Transaction, orgId: string): Promise<ChainHead> {
  const first = { orgId, position: 0, digest: orgId };
  await trx
    .insertInto('auditChains')
    .values(first)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return trx
    .selectFrom('auditChains')
    .select(['position', 'digest'])
    .where('orgId', '=', orgId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export const findHead = (db: Queryable, orgId: string): Promise<ChainHead | undefined> =>
  db.selectFrom('auditChains').select(['position', 'digest']).where('orgId', '=', orgId).executeTakeFirst();

export async function setHead(trx: Transaction, orgId: string, head: ChainHead): Promise<void> {
  await trx.updateTable('auditChains').set(head).where('orgId', '=', orgId).execute();
}

/** The oldest entries that are not in the chain yet. */
export const pendingEntries = (db: Queryable, orgId: string, limit: number): Promise<EventRow[]> =>
  db
    .selectFrom('auditEvents')
    .selectAll()
    .where('orgId', '=', orgId)
    .where('position', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute();

export async function organizationsWithPending(db: Queryable): Promise<string[]> {
  const rows = await db
    .selectFrom('auditEvents')
    .select('orgId')
    .distinct()
    .where('position', 'is', null)
    .orderBy('orgId')
    .execute();
  return rows.map(({ orgId }) => orgId);
}

export async function organizationsWithEntries(db: Queryable): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from organizations o where exists (select from audit_events e where e.org_id = o.id)
      or exists (select from audit_chains c where c.org_id = o.id) order by id`.execute(db);
  return rows.map(({ id }) => id);
}

export async function storeLinks(trx: Transaction, rows: readonly ChainLink[]): Promise<void> {
  const columns = <Key extends keyof ChainLink>(key: Key) => rows.map((row) => row[key]);
  await sql`update audit_events e set position = s.position, salt = s.salt, content_digest = s.content_digest,
      digest = s.digest
    from unnest(${columns('id')}::text[], ${columns('position')}::bigint[], ${columns('salt')}::text[],
      ${columns('contentDigest')}::text[], ${columns('digest')}::text[])
      as s (id, position, salt, content_digest, digest)
    where e.id = s.id`.execute(trx);
}

/** Entries of the chain after a position, oldest first. */
export const chainedAfter = (db: Queryable, orgId: string, position: number, limit: number) =>
  db
    .selectFrom('auditEvents')
    .leftJoin('users', 'users.id', 'auditEvents.userId')
    .selectAll('auditEvents')
    .select('users.email')
    .where('auditEvents.orgId', '=', orgId)
    .where('position', '>', position)
    .orderBy('position')
    .limit(limit)
    .execute();

export async function countPending(db: Queryable, orgId: string): Promise<number> {
  const { count } = await db
    .selectFrom('auditEvents')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('orgId', '=', orgId)
    .where('position', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Ids of the users of an organization with this id or e-mail address, removed ones included. */
export async function usersNamed(db: Queryable, orgId: string, idOrEmail: string) {
  return db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('orgId', '=', orgId)
    .where((or) => or.or([or('id', '=', idOrEmail), or(sql`lower(email)`, '=', idOrEmail.toLowerCase())]))
    .execute();
}

/**
 * Erases the content of the entries of or about these objects, and of those whose details contain one of the
 * texts. Their digests remain. Returns their number.
 */
export async function eraseContent(
  trx: Transaction,
  orgId: string,
  { ids, texts }: { ids: readonly string[]; texts: readonly string[] },
): Promise<number> {
  const { rows } = await sql`
    update audit_events set address = null, user_agent = null, detail = '{}', salt = null, erased_at = now()
    where org_id = ${orgId} and position is not null and erased_at is null and action <> 'audit.erased'
      and (subject_id = any(${ids}::text[]) or user_id = any(${ids}::text[])
        or exists (select from unnest(${texts}::text[]) as t (text) where strpos(lower(detail::text), t.text) > 0))
    returning id`.execute(trx);
  return rows.length;
}
