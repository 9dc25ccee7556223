import type { Queryable, Transaction } from '#platform/db/index';
import { newId } from '#platform/ids';
import type { AuditEvent } from './schema.ts';
import type { AuditActor, AuditFilter } from './types.ts';

/** Writes an entry. `detail` must not contain secrets. */
export async function insertEntry(
  trx: Transaction,
  actor: AuditActor,
  entry: { orgId: string; action: string; subjectId: string; detail?: Record<string, unknown> },
): Promise<void> {
  await trx
    .insertInto('auditEvents')
    .values({
      id: newId(),
      orgId: entry.orgId,
      action: entry.action,
      userId: actor?.userId ?? null,
      keyId: actor?.keyId ?? null,
      sessionId: actor?.sessionId ?? null,
      address: actor?.address ?? null,
      userAgent: actor?.userAgent ?? null,
      subjectId: entry.subjectId,
      detail: JSON.stringify(entry.detail ?? {}),
    })
    .execute();
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
    filter: { action, userId },
  }: { orgId: string; before: string | null; limit: number; filter: AuditFilter },
): Promise<AuditEvent[]> {
  let page = entriesOf(db, orgId, limit).orderBy('auditEvents.id', 'desc');
  if (before !== null) page = page.where('auditEvents.id', '<', before);
  if (action) page = page.where('auditEvents.action', '=', action);
  if (userId) page = page.where('auditEvents.userId', '=', userId);
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

type Row = Awaited<ReturnType<ReturnType<typeof entriesOf>['execute']>>[number];

const eventOf = ({ id, createdAt, detail, ...row }: Row): AuditEvent => ({
  ...row,
  eventId: id,
  at: createdAt,
  detail: detail as AuditEvent['detail'],
});
