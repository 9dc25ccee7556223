import type { LocatedFile, ModelEntry, ModelFile, ModelFiles } from '#engine/index';
import type { Database } from '#platform/db/index';
import type { Log } from '#platform/log';
import { type Storage, stageFile } from '#platform/storage/index';
import { findModel, type InstalledFile, type ModelRow } from './store.ts';

/** Time after a failed copy from the storage before it is tried again. */
const RETRY_MS = 10_000;

/** Key of a model's file in storage. */
export const storageKeyOf = ({ sha256 }: { sha256: string }) => `models/${sha256}`;

/**
 * The current version of a model's file: that of the service, or the file in this node's folder if it came there later
 * or the service has never had one. Null: none, also if it was removed.
 */
export function currentFile(
  row: Pick<ModelRow, 'files' | 'changedAt'> | null,
  name: string,
  local: LocatedFile | null,
): LocatedFile | InstalledFile | null {
  if (!row?.changedAt || (local && local.placedAt > row.changedAt)) return local;
  const shared = row.files?.find((file) => file.name === name) ?? null;
  return shared && local?.sha256 === shared.sha256 ? local : shared;
}

/** Files of models that every node sees: those in the storage are copied to this node's folder when they are needed. */
export function createSharedModels({
  folder,
  database,
  storage,
  log,
}: {
  folder: ModelFiles;
  database: Database;
  storage: Storage;
  log: Log;
}): ModelFiles {
  const copies = new Map<string, Promise<void>>();
  const failedAtMs = new Map<string, number>();

  async function copy(model: ModelEntry, file: ModelFile, shared: InstalledFile): Promise<void> {
    const body = await storage.read(storageKeyOf(shared));
    await using staged = await stageFile(`${folder.dir}/${file.name}`, body, { maxBytes: shared.bytes });
    if (staged.sha256 !== shared.sha256) throw new Error(`the copy of ${file.name} in storage is damaged`);
    await staged.commit();
    log.info({ model: model.name, file: file.name }, 'copied a model from the storage');
  }

  async function copyOnce(model: ModelEntry, file: ModelFile, shared: InstalledFile): Promise<void> {
    if (performance.now() - (failedAtMs.get(shared.sha256) ?? Number.NEGATIVE_INFINITY) < RETRY_MS) return;
    const running = copies.get(shared.sha256);
    if (running) return running;
    const copying = copy(model, file, shared)
      .catch((error) => {
        failedAtMs.set(shared.sha256, performance.now());
        log.warn({ err: error, model: model.name }, 'cannot copy a model from the storage');
      })
      .finally(() => copies.delete(shared.sha256));
    copies.set(shared.sha256, copying);
    return copying;
  }

  return {
    dir: folder.dir,
    async locate(model, file) {
      const local = await folder.locate(model, file);
      const row = await findModel(database.db, model.name).catch((error) => {
        log.warn({ err: error }, 'cannot look up models');
        return null;
      });
      const current = currentFile(row, file.name, local);
      if (current === null) return null;
      if ('path' in current) return current;
      await copyOnce(model, file, current);
      const copied = await folder.locate(model, file);
      return copied?.sha256 === current.sha256 ? copied : null;
    },
  };
}
