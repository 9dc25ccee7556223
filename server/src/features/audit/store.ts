import type { Selectable } from 'kysely';
import type { DB, Queryable, Transaction } from '#platform/db/index';
import { newId } from '#platform/ids';
import type { AuditEvent } from './schema.ts';
import type { AuditActor, AuditAuthor, AuditFilter, AuditOutcome, NewAuditEntry } from './types.ts';

/** Writes an entry in the transaction of the change. */
export const insertEntry = (trx: Transaction, actor: AuditAuthor, entry: NewAuditEntry): Promise<void> =>
  insertEntries(trx, actor, [entry]);

export async function insertEntries(
  db: Queryable,
  actor: AuditAuthor,
  entries: readonly NewAuditEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const { userId, keyId, sessionId, address, userAgent, operation }: Partial<NonNullable<AuditActor>> = actor ?? {};
  const rows = entries.map(({ orgId, action, subjectId, detail = {}, outcome = 'succeeded' }) => ({
    id: newId(),
    orgId,
    action,
    operation: operation ?? null,
    outcome,
    userId: userId ?? null,
    keyId: keyId ?? null,
    sessionId: sessionId ?? null,
    address: address ?? null,
    userAgent: userAgent ?? null,
    subjectId,
    detail: JSON.stringify(detail),
  }));
  await db.insertInto('auditEvents').values(rows).execute();
}

const entriesOf = (db: Queryable, orgId: string, limit: number) =>
  db
    .selectFrom('auditEvents')
    .leftJoin('users', 'users.id', 'auditEvents.userId')
    .selectAll('auditEvents')
    .select('users.email')
    .where('auditEvents.orgId', '=', orgId)
    .limit(limit);

/** Matching entries before the entry `before`, newest first; null starts at the newest. */
export async function entriesBefore(
  db: Queryable,
  {
    orgId,
    before,
    limit,
    filter: { action, userId, subjectId, outcome },
  }: { orgId: string; before: string | null; limit: number; filter: AuditFilter },
): Promise<AuditEvent[]> {
  let page = entriesOf(db, orgId, limit).orderBy('auditEvents.id', 'desc');
  if (before !== null) page = page.where('auditEvents.id', '<', before);
  if (action) page = page.where('auditEvents.action', '=', action);
  if (userId) page = page.where('auditEvents.userId', '=', userId);
  if (subjectId) page = page.where('auditEvents.subjectId', '=', subjectId);
  if (outcome) page = page.where('auditEvents.outcome', '=', outcome);
  const rows = await page.execute();
  return rows.map(eventOf);
}

/** Entries after the entry `after`, oldest first; an empty text starts at the oldest. */
export async function entriesAfter(
  db: Queryable,
  { orgId, after, limit }: { orgId: string; after: string; limit: number },
): Promise<AuditEvent[]> {
  const page = entriesOf(db, orgId, limit).where('auditEvents.id', '>', after);
  return (await page.orderBy('auditEvents.id').execute()).map(eventOf);
}

export type EventRow = Selectable<DB['auditEvents']>;

export const eventOf = ({
  id,
  createdAt,
  detail,
  outcome,
  ...row
}: EventRow & { email: string | null }): AuditEvent => ({
  ...row,
  outcome: outcome as AuditOutcome,
  eventId: id,
  at: createdAt,
  detail: detail as AuditEvent['detail'],
});
