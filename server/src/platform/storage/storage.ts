import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/index.ts';
import { openDisk } from './disk.ts';
import { RESERVE_BYTES } from './disk-space.ts';
import { openProcessFolder } from './process-folder.ts';
import type { PartialObject, Storage } from './types.ts';

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
  return { ...files, scratch: tempFolder.scratch, close };
}

/** Temporary files are in the file system of the stored ones, so that these can be linked for media processes. */
async function chooseTempDir(storage: Config['storage'], dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (storage.kind === 'file' && (await stat(storage.dir)).dev !== (await stat(dataDir)).dev) {
    return join(storage.dir, TEMP);
  }
  return join(dataDir, 'tmp');
}
