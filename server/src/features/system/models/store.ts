import type { Queryable, Transaction } from '#platform/db/index';

/** A file of a model in storage. */
export type InstalledFile = { name: string; bytes: number; sha256: string };
export type DownloadState = 'none' | 'running' | 'failed' | 'canceled';
export type ModelRow = {
  name: string;
  files: InstalledFile[] | null;
  changedAt: Date | null;
  download: DownloadState;
  jobId: string | null;
  bytesDone: number;
  problem: { code: string; message: string } | null;
};
/** Identifies one attempt of one download: only the current one changes the row. */
export type Fence = { jobId: string; attempt: number };

const COLUMNS = ['name', 'files', 'changedAt', 'download', 'jobId', 'bytesDone', 'problem'] as const;

export const listModels = async (db: Queryable): Promise<ModelRow[]> =>
  (await db.selectFrom('models').select(COLUMNS).execute()) as ModelRow[];

export async function findModel(db: Queryable, name: string): Promise<ModelRow | null> {
  const row = await db.selectFrom('models').select(COLUMNS).where('name', '=', name).executeTakeFirst();
  return (row as ModelRow | undefined) ?? null;
}

/** Locks the row of a model until the transaction ends; creates it if necessary. */
export async function lockModel(trx: Transaction, name: string): Promise<ModelRow> {
  await trx
    .insertInto('models')
    .values({ name })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const row = await trx.selectFrom('models').select(COLUMNS).where('name', '=', name).forUpdate();
  return (await row.executeTakeFirstOrThrow()) as ModelRow;
}

/** Changes the download of a model. */
export async function setDownload(
  trx: Transaction,
  name: string,
  { state, jobId }: { state: DownloadState; jobId: string | null },
): Promise<void> {
  await trx
    .updateTable('models')
    .set({ download: state, jobId, attempt: 0, bytesDone: 0, problem: null, updatedAt: new Date() })
    .where('name', '=', name)
    .execute();
}

/** Sets the files that all nodes use; null: none. Files that nodes have in their folders are older from now on. */
export async function setFiles(trx: Transaction, name: string, files: readonly InstalledFile[] | null): Promise<void> {
  await trx
    .updateTable('models')
    .set({ files: files && JSON.stringify(files), changedAt: new Date(), updatedAt: new Date() })
    .where('name', '=', name)
    .execute();
}

/** Takes over the download for an attempt. False if it was canceled, or moved to a later attempt. */
export async function claimDownload(db: Queryable, name: string, { jobId, attempt }: Fence): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('models')
    .set({ attempt, updatedAt: new Date() })
    .where('name', '=', name)
    .where('download', '=', 'running')
    .where('jobId', '=', jobId)
    .where('attempt', '<=', attempt)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Publishes progress. False if the download is no longer this attempt's. */
export async function setProgress(db: Queryable, name: string, fence: Fence, bytesDone: number): Promise<boolean> {
  const { numUpdatedRows } = await fenced(db, name, fence).set({ bytesDone, updatedAt: new Date() }).executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends the download. False if it was no longer this attempt's. */
export async function endDownload(
  db: Queryable,
  name: string,
  fence: Fence,
  problem: { code: string; message: string } | null,
): Promise<boolean> {
  const { numUpdatedRows } = await fenced(db, name, fence)
    .set({
      download: problem ? ('failed' as const) : ('none' as const),
      problem: problem && JSON.stringify(problem),
      updatedAt: new Date(),
    })
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends a download whose job was given up. */
export async function abandonDownload(
  db: Queryable,
  name: string,
  problem: { code: string; message: string },
): Promise<void> {
  await db
    .updateTable('models')
    .set({ download: 'failed', problem: JSON.stringify(problem), updatedAt: new Date() })
    .where('name', '=', name)
    .where('download', '=', 'running')
    .execute();
}

const fenced = (db: Queryable, name: string, { jobId, attempt }: Fence) =>
  db
    .updateTable('models')
    .where('name', '=', name)
    .where('download', '=', 'running')
    .where('jobId', '=', jobId)
    .where('attempt', '=', attempt);
