import { chownSync, existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Log } from '#platform/log';
import { findBinaries } from '../embedded/binaries.ts';
import { putInPlace, unfinishedName } from '../embedded/cluster.ts';
import { type DatabaseFolder, flush, openFolder } from '../embedded/folder.ts';
import { takeOwnership, takeStart } from '../embedded/ownership/ownership.ts';
import { dbProblems } from '../problems.ts';
import { copyFlushed, inParallel } from './copy.ts';
import {
  type BackupSummary,
  CLUSTER_COPY,
  type CopiedFile,
  type Manifest,
  readManifest,
  summarize,
} from './manifest.ts';

/**
 * Restores a backup as the database in `dir` (`<data>/db`), which must not exist. Verifies every file. The database is
 * then complete or does not exist. At the next start the server replays the WAL up to the end of the backup.
 */
export async function restoreEmbedded(options: {
  source: string;
  dir: string;
  log: Log;
  signal?: AbortSignal;
}): Promise<BackupSummary> {
  const source = resolve(options.source);
  const manifest = await readManifest(source);
  const folder = await openFolder(options.dir);
  const ownership = takeOwnership(folder);
  try {
    const starting = await takeStart(folder, options.signal);
    try {
      if (existsSync(folder.cluster)) {
        throw dbProblems.restore_target_exists(
          `There is a database in ${folder.dir} already. Restore into an empty data folder (SIGHTLINE_DATA_DIR), or move that one away first.`,
        );
      }
      await assertSameMajor(folder, manifest);
      await copyBack(folder, source, manifest, options.signal);
    } finally {
      starting.release();
    }
  } finally {
    ownership.release();
  }
  options.log.info({ source, dir: folder.dir }, 'restored the database');
  return summarize(manifest);
}

async function assertSameMajor(folder: DatabaseFolder, { postgresql }: Manifest): Promise<void> {
  const { major, version } = await findBinaries(folder);
  if (postgresql.major === major) return;
  throw dbProblems.database_engine_mismatch(
    `The backup was made with PostgreSQL ${postgresql.version}; this version of Sightline brings ${version}. Restore it with the Sightline that made it.`,
  );
}

async function copyBack(
  folder: DatabaseFolder,
  source: string,
  { folders, files }: Manifest,
  signal?: AbortSignal,
): Promise<void> {
  const unfinished = unfinishedName(folder.dir);
  const give = (path: string) => {
    if (folder.account.uid !== undefined) chownSync(path, folder.account.uid, folder.account.gid!);
  };
  try {
    for (const path of ['', ...folders]) {
      await mkdir(join(unfinished, path), { mode: 0o700 });
      give(join(unfinished, path));
    }
    const copyOne = async (file: CopiedFile) => {
      const target = join(unfinished, file.path);
      await copyChecked(join(source, CLUSTER_COPY, file.path), target, file);
      give(target);
    };
    await inParallel(files, copyOne, signal);
    for (const path of folders) flush(join(unfinished, path));
    putInPlace(folder, unfinished);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

async function copyChecked(from: string, to: string, { path, size, sha256 }: CopiedFile): Promise<void> {
  const copied = await copyFlushed(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT')
      throw dbProblems.backup_invalid(`The backup is damaged: ${path} is missing.`, { cause: error });
    throw error;
  });
  if (copied.size === size && copied.sha256 === sha256) return;
  throw dbProblems.backup_invalid(`The backup is damaged: ${path} is not what was written then.`);
}
