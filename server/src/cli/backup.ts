import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { backupEmbedded, restoreEmbedded } from '#platform/db/backup/index';
import { embeddedFolder } from '#platform/db/connect';
import type { Context } from './types.ts';

const SECRET = 'secret';
const FILES_NOTE =
  'Videos and images are ordinary files in the storage folder (or bucket): copy them with your own tools.';

/** Copies the embedded database and the root secret into a new folder. A running service continues. */
export async function backup({ config, log, interrupted }: Context, folder: string): Promise<void> {
  const dir = embeddedFolder(config.dataDir);
  const { files, bytes } = await backupEmbedded({ dir, target: folder, log, signal: interrupted });
  await ignoreMissing(copyFile(join(config.dataDir, SECRET), join(folder, SECRET)));
  process.stdout.write(`Backed up ${files} files, ${megabytes(bytes)} MB, into ${folder}.\n${FILES_NOTE}\n`);
}

/** Restores a backup into a data folder that has no database. */
export async function restore({ config, log, interrupted }: Context, folder: string): Promise<void> {
  const dir = embeddedFolder(config.dataDir);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const { createdAt, bytes } = await restoreEmbedded({ source: folder, dir, log, signal: interrupted });
  await ignoreMissing(copyFile(join(folder, SECRET), join(config.dataDir, SECRET)));
  process.stdout.write(
    `Restored the backup of ${createdAt}, ${megabytes(bytes)} MB, into ${config.dataDir}.\n${FILES_NOTE}\n`,
  );
}

const megabytes = (bytes: number) => Math.ceil(bytes / 2 ** 20);

/** Ignores a missing file: an installation whose root secret comes from the environment has no secret file. */
async function ignoreMissing(copy: Promise<void>): Promise<void> {
  await copy.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
