import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { dbProblems } from '../problems.ts';
import type { Binaries } from './binaries.ts';
import { type DatabaseFolder, flush, touch } from './folder.ts';
import { describeAccount, nameOfCluster } from './processes/account.ts';
import { lifeline } from './processes/lifeline.ts';
import { run } from './processes/run.ts';

/** File in the cluster that records the engine that created it. */
export const ENGINE_FILE = 'sightline-engine.json';
export const SUPERUSER = 'postgres';

/**
 * Creates the cluster atomically if there is none, or checks that this engine can open it. Returns true if it was
 * created.
 */
export async function ensureCluster(
  folder: DatabaseFolder,
  binaries: Binaries,
  signal?: AbortSignal,
): Promise<boolean> {
  removeUnfinished(folder.dir);
  if (existsSync(folder.cluster)) {
    assertSameMajor(folder, binaries);
    return false;
  }
  const unfinished = unfinishedName(folder.dir);
  // The builtin locale behaves the same on every system, so that a backup can be restored on another one.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  mkdirSync(unfinished, { mode: 0o700 });
  if (folder.account.uid !== undefined) chownSync(unfinished, folder.account.uid, folder.account.gid!);
  const args = ['-D', nameOfCluster(unfinished, folder.account), '-U', SUPERUSER, '--auth=trust', ...locale];
  const command = await lifeline('SIGKILL', binaries.initdb, args);
  const { ok, stderr } = await run(folder.account, command.program, command.args, { cwd: unfinished, signal });
  if (!ok) {
    discard(unfinished);
    signal?.throwIfAborted();
    throw initFailed(folder, stderr);
  }
  const record = join(unfinished, ENGINE_FILE);
  touch(record, folder.account);
  writeFileSync(record, engineRecord(binaries));
  putInPlace(folder, unfinished);
  return true;
}

/** Path for a cluster under construction. A start removes folders with such names. */
export function unfinishedName(dir: string): string {
  return join(dir, `.unfinished-${randomBytes(6).toString('hex')}`);
}

/** Flushes the finished cluster and renames it to its final name. */
export function putInPlace({ dir, cluster }: DatabaseFolder, unfinished: string): void {
  flush(join(unfinished, ENGINE_FILE));
  flush(unfinished);
  renameSync(unfinished, cluster);
  flush(dir);
}

/** Major version of PostgreSQL that created a cluster. */
export function clusterMajor(cluster: string): number {
  try {
    return Number.parseInt(readFileSync(join(cluster, 'PG_VERSION'), 'utf8'), 10);
  } catch (error) {
    throw dbProblems.database_engine_mismatch(`${cluster} is not a PostgreSQL database (it has no PG_VERSION).`, {
      cause: error,
    });
  }
}

function engineRecord({ version, major }: Binaries): string {
  return `${JSON.stringify({ engine: 'postgresql', major, version, platform: process.platform, arch: process.arch })}\n`;
}

function assertSameMajor({ cluster }: DatabaseFolder, { major, version }: Binaries): void {
  const made = clusterMajor(cluster);
  if (made === major) return;
  throw dbProblems.database_engine_mismatch(
    `The database in ${cluster} was made by PostgreSQL ${made}; this version of Sightline brings ${version}. Use the Sightline that made it, or move the data with that version's PostgreSQL tools.`,
  );
}

function removeUnfinished(dir: string): void {
  for (const name of readdirSync(dir)) {
    if (name.startsWith('.unfinished-')) discard(join(dir, name));
  }
}

function discard(unfinished: string): void {
  try {
    rmSync(unfinished, { recursive: true, force: true, maxRetries: 5 });
  } catch {
    // Children of initdb may still write there for a moment. The next start removes the folder.
  }
}

function initFailed({ dir, account }: DatabaseFolder, stderr: string) {
  const why = stderr.split('\n').find((line) => /error|could not|cannot/i.test(line)) ?? stderr.trim();
  if (/effective user ID/.test(stderr)) {
    return dbProblems.database_unsupported(
      `PostgreSQL needs an account with a name, and ${describeAccount(account)} has none in /etc/passwd. Add one, run as a user that has one, or set DATABASE_URL to a PostgreSQL (15 or later).`,
    );
  }
  return dbProblems.database_not_started(`The database could not be made in ${dir}: ${why.trim()}`);
}
