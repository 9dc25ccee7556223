import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/index.ts';
import { measured, storageCallEnded } from '../measurements.ts';
import { openDisk } from './disk.ts';
import { RESERVE_BYTES } from './disk-space.ts';
import { openProcessFolder } from './process-folder.ts';
import type { PartialObject, Storage, StorageBackend } from './types.ts';

/** Folder of temporary files beside stored ones; no key starts with a dot. */
const TEMP = '.tmp';

/** The state of an append before its first byte. */
export const EMPTY_OBJECT: PartialObject = { size: 0 };

export type StorageSettings = {
  /** Folder for local copies of S3 objects and for temporary files. */
  dataDir: string;
  /** Maximum total size of local copies in bytes. */
  cacheBytes?: number;
  /** Free bytes to leave on the disk with the files. Writes beyond that throw `storage_full`. */
  reserveBytes?: number;
  /** False leaves uploads to S3 that nobody finished to other nodes. */
  removesAbandoned?: boolean;
};

/**
 * Opens the configured storage and deletes unfinished files of terminated processes. Throws `storage_unreachable`
 * (503) if the bucket cannot be used.
 */
export async function createStorage(
  storage: Config['storage'],
  { dataDir, cacheBytes = 32 * 2 ** 30, reserveBytes = RESERVE_BYTES, removesAbandoned = true }: StorageSettings,
): Promise<Storage> {
  const files =
    storage.kind === 'file'
      ? await openDisk({ dir: storage.dir, reserveBytes })
      : await (await import('./s3.ts')).openS3({
          ...storage,
          cacheDir: join(dataDir, 'cache', 's3'),
          cacheBytes,
          removesAbandoned,
        });
  const tempFolder = await openProcessFolder(await chooseTempDir(storage, dataDir));
  const close = async () => {
    await files.close();
    await tempFolder.close();
  };
  return { ...measureCalls(files), scratch: tempFolder.scratch, close };
}

/** Publishes the time and outcome of each call. */
function measureCalls(files: StorageBackend): StorageBackend {
  const wrap =
    <Args extends unknown[], T>(operation: string, call: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      if (!storageCallEnded.isObserved) return call(...args);
      return measured(
        () => call(...args),
        (outcome, seconds) => storageCallEnded.publish({ operation, outcome, seconds }),
      );
    };
  return {
    ...files,
    write: wrap('write', files.write),
    append: wrap('append', files.append),
    complete: wrap('complete', files.complete),
    read: wrap('read', files.read),
    readAll: wrap('read_all', files.readAll),
    stat: wrap('stat', files.stat),
    remove: wrap('remove', files.remove),
    removeAll: wrap('remove_all', files.removeAll),
    local: wrap('local', files.local),
  };
}

/** Temporary files are in the file system of the stored ones, so that these can be linked for media processes. */
async function chooseTempDir(storage: Config['storage'], dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (storage.kind === 'file' && (await stat(storage.dir)).dev !== (await stat(dataDir)).dev) {
    return join(storage.dir, TEMP);
  }
  return join(dataDir, 'tmp');
}
