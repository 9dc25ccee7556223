import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import type { DatasetExport, ExportedSession, ExportGap } from './types.ts';

type NewExport = Pick<
  DatasetExport,
  'id' | 'orgId' | 'ownerId' | 'asAdmin' | 'folderId' | 'datasetId' | 'videoIds' | 'eventIds' | 'expiresAt'
>;

export async function insertDatasetExport(trx: Transaction, row: NewExport): Promise<void> {
  await trx
    .insertInto('datasetExports')
    .values({ ...row, status: 'queued' })
    .execute();
}

export async function findDatasetExport(db: Queryable, id: string): Promise<DatasetExport | null> {
  const row = await db.selectFrom('datasetExports').selectAll().where('id', '=', id).executeTakeFirst();
  return (row as DatasetExport | undefined) ?? null;
}

/** Records how many videos are done. False if the export has ended or was deleted. */
export async function recordProgress(db: Queryable, id: string, built: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('datasetExports')
    .set({ status: 'building', built })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'building'])
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Ends an export. False if it was deleted or has ended. */
export async function endDatasetExport(
  db: Queryable,
  id: string,
  result: { sessions: readonly ExportedSession[]; gaps: readonly ExportGap[] } | 'failed',
): Promise<boolean> {
  const ended =
    result === 'failed'
      ? { status: 'failed' }
      : {
          status: result.gaps.length > 0 ? 'completed_with_gaps' : 'completed',
          sessions: JSON.stringify(result.sessions),
          gaps: JSON.stringify(result.gaps),
        };
  const { numUpdatedRows } = await db
    .updateTable('datasetExports')
    .set({ ...ended, completedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'building'])
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Deletes exports that have expired. Returns their ids. */
export async function deleteExpiredDatasetExports(trx: Transaction): Promise<string[]> {
  const found = await trx
    .deleteFrom('datasetExports')
    .where('expiresAt', '<', sql<Date>`now()`)
    .returning('id')
    .execute();
  return found.map(({ id }) => id);
}
