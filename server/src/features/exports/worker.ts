import { join } from 'node:path';
import type { Analyses } from '#features/analyses/index';
import type { Database } from '#platform/db/index';
import { Problem } from '#platform/problem';
import type { Storage } from '#platform/storage/index';
import { formatOf } from './formats/index.ts';
import { inChunks } from './in-chunks.ts';
import { createExportMedia, type ExportMediaDeps } from './media/index.ts';
import { problems } from './problems.ts';
import { readSpool, writeSpool } from './spool.ts';
import * as store from './store.ts';

export type ExportWorkerDeps = ExportMediaDeps & {
  database: Database;
  storage: Storage;
  analyses: Pick<Analyses, 'eventIndex'>;
  /** Public URL of the API, without a trailing slash. */
  publicUrl: string;
};

/** Key of the file of an export. */
export const toFileKey = (id: string) => `exports/${id}`;

/** Writes the file of an export; does nothing if it has ended. The memory in use does not depend on its size. */
export async function writeExportFile(deps: ExportWorkerDeps, id: string, signal: AbortSignal): Promise<void> {
  const { database, storage, analyses, publicUrl } = deps;
  const row = await store.findExport(database.db, id);
  if (row?.status !== 'processing') return;
  const principal = { orgId: row.orgId, userId: row.ownerId, scopes: row.asAdmin ? (['admin'] as const) : [] };
  const filter = { ...row.filter, folderId: row.filter.folderId ?? row.folderId };
  await using folder = await storage.scratch();
  const spool = join(folder.path, 'events.jsonl');
  const eventCount = await database.transaction((trx) =>
    writeSpool(spool, analyses.eventIndex.stream(trx, principal, filter), { publicUrl, signal }),
  );
  const { write, maxEvents = Number.POSITIVE_INFINITY } = formatOf(row.format);
  await using media = createExportMedia(deps, { folder: folder.path, orgId: row.orgId, signal });
  try {
    if (eventCount > maxEvents) throw problems.export_too_large();
    const body = inChunks(write(readSpool(spool), media), signal);
    const { size } = await storage.write(toFileKey(id), body, { signal });
    const isCurrent = await store.endExport(database.db, id, { status: 'completed', eventCount, sizeBytes: size });
    // Deleted while it was written.
    if (!isCurrent) await storage.remove(toFileKey(id));
  } catch (error) {
    if (!(error instanceof Problem) || error.isFault) throw error;
    await store.endExport(database.db, id, {
      status: 'failed',
      eventCount,
      problemCode: error.code as store.ExportFailure,
    });
  }
}
