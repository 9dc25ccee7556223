import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import type { ExportFormat } from './formats/index.ts';
import type { EXPORT_PROBLEMS } from './problems.ts';
import type { ExportFilter } from './types.ts';

/** Code of the problem of a failed export. */
export type ExportFailure = keyof typeof EXPORT_PROBLEMS;

export type ExportRow = {
  id: string;
  orgId: string;
  ownerId: string;
  /** True if it has what an admin may read. */
  asAdmin: boolean;
  /** Folder that the key of the request was limited to. */
  folderId: string | null;
  format: ExportFormat;
  filter: ExportFilter;
  status: 'processing' | 'completed' | 'failed';
  eventCount: number;
  sizeBytes: number | null;
  problemCode: ExportFailure | null;
  createdAt: Date;
  completedAt: Date | null;
  expiresAt: Date;
};

const rows = (db: Queryable) => db.selectFrom('exports').selectAll();

/** Dates of the filter are texts in the stored JSON. */
function toRow(row: unknown): ExportRow {
  const { filter, ...rest } = row as ExportRow;
  const toDate = (value: Date | null | undefined) => (value ? new Date(value) : null);
  const dates = {
    createdAfter: toDate(filter.createdAfter),
    createdBefore: toDate(filter.createdBefore),
    recordedAfter: toDate(filter.recordedAfter),
    recordedBefore: toDate(filter.recordedBefore),
  };
  return { ...rest, filter: { ...filter, ...dates } };
}

export type NewExport = Pick<
  ExportRow,
  'id' | 'orgId' | 'ownerId' | 'asAdmin' | 'folderId' | 'format' | 'filter' | 'expiresAt'
>;

export async function insertExport(trx: Transaction, { filter, ...row }: NewExport): Promise<void> {
  const values = { ...row, filter: JSON.stringify(filter), status: 'processing' };
  await trx.insertInto('exports').values(values).execute();
}

export async function findExport(db: Queryable, id: string): Promise<ExportRow | null> {
  const row = await rows(db).where('id', '=', id).executeTakeFirst();
  return row ? toRow(row) : null;
}

/**
 * Exports of a caller, newest first, before the id `before` (null: from the newest). A key that is limited to a folder
 * sees those that such keys started.
 */
export async function listExports(
  db: Queryable,
  { userId, folderId }: Pick<Caller, 'userId' | 'folderId'>,
  { before, limit }: { before: string | null; limit: number },
): Promise<ExportRow[]> {
  const found = await rows(db)
    .where('ownerId', '=', userId)
    .$if(folderId !== undefined, (query) => query.where('folderId', '=', folderId!))
    .$if(before !== null, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return found.map(toRow);
}

/** Ends an export that is being written. False if it was deleted or has ended. */
export async function endExport(
  db: Queryable,
  id: string,
  result: Pick<ExportRow, 'status'> & Partial<Pick<ExportRow, 'eventCount' | 'sizeBytes' | 'problemCode'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('exports')
    .set({ ...result, completedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function deleteExport(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('exports').where('id', '=', id).execute();
}

/** Deletes exports that have expired. Returns their ids. */
export async function deleteExpired(trx: Transaction): Promise<string[]> {
  const found = await trx.deleteFrom('exports').where('expiresAt', '<', sql<Date>`now()`).returning('id').execute();
  return found.map(({ id }) => id);
}
