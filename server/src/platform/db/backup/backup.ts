import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import pg from 'pg';
import type { Log } from '#platform/log';
import { flush, places } from '../embedded/folder.ts';
import { type EmbeddedServer, startEmbedded } from '../embedded/index.ts';
import { dbProblems } from '../problems.ts';
import { copyFlushed, inParallel, listTree } from './copy.ts';
import { type BackupSummary, CLUSTER_COPY, type CopiedFile, summarize, writeManifest } from './manifest.ts';

/** Files that a base backup omits: the server recreates them. */
const LEFT_OUT_FILES = /^(postmaster\.(pid|opts)|.*\/pg_internal\.init|pg_internal\.init)$/;
/** Folders whose content is omitted. The WAL is copied separately, when the end of the backup is known. */
const EMPTIED =
  /^(pg_wal|pg_dynshmem|pg_notify|pg_replslot|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/|(^|\/)pgsql_tmp/;
/** Copied last, so that it is never newer than the end of the backup. */
const CONTROL = 'global/pg_control';

/**
 * Copies the embedded database in `dir` (`<data>/db`) to the new folder `target` while the service runs. The copy has
 * the state at the end of the backup. It is complete, or does not exist.
 */
export async function backupEmbedded(options: {
  dir: string;
  target: string;
  log: Log;
  signal?: AbortSignal;
}): Promise<BackupSummary> {
  const target = resolve(options.target);
  if (existsSync(target))
    throw dbProblems.backup_target_exists(`${target} exists already. Name a folder that does not.`);
  if (!existsSync(places(resolve(options.dir)).cluster)) {
    throw dbProblems.backup_source_missing(`There is no database in ${options.dir}.`);
  }
  const server = await startEmbedded({ dir: options.dir, log: options.log, mode: 'share', signal: options.signal });
  const partial = `${target}.partial`;
  try {
    await rm(partial, { recursive: true, force: true });
    await mkdir(join(partial, CLUSTER_COPY), { recursive: true, mode: 0o700 });
    const summary = await copyRunning(server, partial, options.signal);
    await rename(partial, target);
    flush(dirname(target));
    return summary;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  } finally {
    await server.stop();
  }
}

async function copyRunning(server: EmbeddedServer, partial: string, signal?: AbortSignal): Promise<BackupSummary> {
  const client = new pg.Client({ ...server.administration, application_name: 'sightline backup' });
  client.on('error', () => {}); // fails the query under way
  await client.connect();
  try {
    // The slot retains all WAL until this connection ends; the copy needs it to become consistent.
    await client.query(
      `select pg_create_physical_replication_slot('sightline_backup_' || pg_backend_pid(), true, true)`,
    );
    const start = await one<{ segment: string }>(
      client,
      `select pg_walfile_name(pg_backup_start('sightline', true)) as segment`,
    );
    const to = join(partial, CLUSTER_COPY);
    const { folders, files } = await listTree(
      server.cluster,
      (path) => LEFT_OUT_FILES.test(path) || EMPTIED.test(path),
    );
    for (const folder of folders) await mkdir(join(to, folder), { mode: 0o700 });
    const copied = await copyAll(
      server.cluster,
      to,
      files.filter((file) => file !== CONTROL),
      signal,
    );
    copied.push(...(await copyAll(server.cluster, to, [CONTROL], signal)));
    const stop = await one<{ segment: string; label: string }>(
      client,
      `select pg_walfile_name(lsn) as segment, labelfile as label from pg_backup_stop(false)`,
    );
    copied.push(...(await copyLog(server.cluster, to, start.segment, stop.segment)));
    copied.push(await writeLabel(partial, stop.label));
    for (const folder of folders) flush(join(to, folder));
    flush(to);

    const version = { major: Number.parseInt(server.version, 10), version: server.version };
    const createdAt = new Date().toISOString();
    const manifest = { format: 1 as const, createdAt, postgresql: version, folders, files: copied };
    flush(await writeManifest(partial, manifest));
    flush(partial);
    return summarize(manifest);
  } finally {
    await client.end().catch(() => {});
  }
}

async function copyAll(from: string, to: string, files: string[], signal?: AbortSignal): Promise<CopiedFile[]> {
  const copyOne = async (path: string): Promise<CopiedFile | null> => {
    try {
      return { path, ...(await copyFlushed(join(from, path), join(to, path))) };
    } catch (error) {
      // The table was dropped meanwhile, which the WAL records too.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || path === CONTROL) throw error;
      return null;
    }
  };
  return (await inParallel(files, copyOne, signal)).filter((file) => file !== null);
}

/** Copies the WAL from the first to the last segment. Names on one timeline sort by age. */
async function copyLog(cluster: string, to: string, first: string, last: string): Promise<CopiedFile[]> {
  const segments = (await readdir(join(cluster, 'pg_wal'))).filter(
    (name) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last,
  );
  return copyAll(
    cluster,
    to,
    segments.sort().map((name) => `pg_wal/${name}`),
  );
}

/** The label names the WAL position at which the restored server starts. */
async function writeLabel(partial: string, label: string): Promise<CopiedFile> {
  const scratch = join(partial, 'label');
  await writeFile(scratch, label);
  const path = 'backup_label';
  const written = { path, ...(await copyFlushed(scratch, join(partial, CLUSTER_COPY, path))) };
  await rm(scratch);
  return written;
}

async function one<T extends pg.QueryResultRow>(client: pg.Client, query: string): Promise<T> {
  return (await client.query<T>(query)).rows[0]!;
}
