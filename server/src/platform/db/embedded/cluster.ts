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
import { describeAccount, nameOfCluster } from './account.ts';
import type { Binaries } from './binaries.ts';
import { type Folder, flush, touch } from './folder.ts';
import { lifeline } from './lifeline.ts';
import { run } from './run.ts';

/** Our record inside the cluster: which engine made it. */
export const ENGINE_FILE = 'sightline-engine.json';
export const SUPERUSER = 'postgres';

/** Makes the cluster if there is none, all or nothing, or checks that this engine can open the one there is. Returns whether it was made now. */
export async function ensureCluster(folder: Folder, binaries: Binaries, signal?: AbortSignal): Promise<boolean> {
  removeUnfinished(folder.dir);
  if (existsSync(folder.cluster)) {
    assertSameMajor(folder, binaries);
    return false;
  }
  const unfinished = unfinishedName(folder.dir);
  // The builtin locale sorts and folds the same on every system, so a backup can be restored on another one.
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

/** A name for a cluster that is being made; whatever has such a name later was never finished. */
export function unfinishedName(dir: string): string {
  return join(dir, `.unfinished-${randomBytes(6).toString('hex')}`);
}

/** Flushes the finished cluster and gives it its name: from here on it exists, before it did not. */
export function putInPlace({ dir, cluster }: Folder, unfinished: string): void {
  flush(join(unfinished, ENGINE_FILE));
  flush(unfinished);
  renameSync(unfinished, cluster);
  flush(dir);
}

/** The major version that made a cluster, from PostgreSQL's own file. */
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

function assertSameMajor({ cluster }: Folder, { major, version }: Binaries): void {
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
    // What initdb had started may outlive it for a moment and still write there; the next start removes it.
  }
}

function initFailed({ dir, account }: Folder, stderr: string) {
  const why = stderr.split('\n').find((line) => /error|could not|cannot/i.test(line)) ?? stderr.trim();
  if (/effective user ID/.test(stderr)) {
    return dbProblems.database_unsupported(
      `PostgreSQL needs an account with a name, and ${describeAccount(account)} has none in /etc/passwd. Add one, run as a user that has one, or set DATABASE_URL to a PostgreSQL (15 or later).`,
    );
  }
  return dbProblems.database_not_started(`The database could not be made in ${dir}: ${why.trim()}`);
}
