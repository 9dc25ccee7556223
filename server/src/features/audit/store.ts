import type { Queryable, Transaction } from '#platform/db/index';
import { newId } from '#platform/ids';
import type { Actor, AuditEntry } from './service.ts';

/** Writes one entry. `detail` says what the ids alone do not; it must hold no secret. */
export async function insertEntry(
  trx: Transaction,
  actor: Actor,
  entry: { orgId: string; action: string; subjectId: string; detail?: Record<string, unknown> },
): Promise<void> {
  await trx
    .insertInto('audit_events')
    .values({
      id: newId(),
      org_id: entry.orgId,
      action: entry.action,
      user_id: actor?.userId ?? null,
      key_id: actor?.keyId ?? null,
      session_id: actor?.sessionId ?? null,
      address: actor?.address ?? null,
      user_agent: actor?.userAgent ?? null,
      subject_id: entry.subjectId,
      detail: JSON.stringify(entry.detail ?? {}),
    })
    .execute();
}

const entriesOf = (db: Queryable, orgId: string, limit: number) =>
  db
    .selectFrom('audit_events')
    .leftJoin('users', 'users.id', 'audit_events.user_id')
    .selectAll('audit_events')
    .select('users.email')
    .where('audit_events.org_id', '=', orgId)
    .limit(limit);

/** Newest first, from before the entry `before`; null starts at the newest. */
export async function entriesBefore(
  db: Queryable,
  { orgId, before, limit }: { orgId: string; before: string | null; limit: number },
): Promise<AuditEntry[]> {
  const page = entriesOf(db, orgId, limit).orderBy('audit_events.id', 'desc');
  const rows = await (before === null ? page : page.where('audit_events.id', '<', before)).execute();
  return rows.map(entryOf);
}

/** Oldest first, from after the entry `after`; an empty text starts at the oldest. */
export async function entriesAfter(
  db: Queryable,
  { orgId, after, limit }: { orgId: string; after: string; limit: number },
): Promise<AuditEntry[]> {
  const page = entriesOf(db, orgId, limit).where('audit_events.id', '>', after);
  return (await page.orderBy('audit_events.id').execute()).map(entryOf);
}

type Row = Awaited<ReturnType<ReturnType<typeof entriesOf>['execute']>>[number];

function entryOf(row: Row): AuditEntry {
  return {
    id: row.id,
    at: row.created_at,
    action: row.action,
    userId: row.user_id,
    email: row.email,
    keyId: row.key_id,
    sessionId: row.session_id,
    address: row.address,
    userAgent: row.user_agent,
    subjectId: row.subject_id,
    detail: row.detail as Record<string, unknown>,
  };
}
