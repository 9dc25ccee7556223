import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { dbProblems } from '../problems.ts';
import { chooseAccount, describeAccount } from './processes/account.ts';
import { type Account, run } from './processes/run.ts';

/** Longest path of a Unix socket, in bytes, that all systems accept. */
const SOCKET_PATH_MAX = 100;
export const PORT = 5432;

/** Paths of one embedded database. */
export type DatabaseFolder = Readonly<{
  /** Contains everything; owned by the account, closed to others. */
  dir: string;
  /** PostgreSQL's data directory. */
  cluster: string;
  /** Log of PostgreSQL and `initdb`. */
  logFile: string;
  /** Held shared by every process that uses the server. */
  useLock: string;
  /** Held exclusively by the process that owns the server. */
  ownLock: string;
  /** Held exclusively while the server is started or stopped. */
  startLock: string;
  account: Account;
}>;

/** Creates the folder if needed, closed to others, and checks that the account can reach it. */
export async function openFolder(path: string): Promise<DatabaseFolder> {
  const wanted = resolve(path);
  try {
    mkdirSync(wanted, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw dbProblems.database_folder_unreachable(
      `The database folder ${wanted} cannot be made (${(error as Error).message}). Set SIGHTLINE_DATA_DIR to a folder this user may write to, or DATABASE_URL to a PostgreSQL.`,
      { cause: error },
    );
  }
  const dir = realpathSync(wanted);
  const folder = { ...places(dir), account: chooseAccount(join(dir, 'pg')) };
  try {
    own(dir, folder.account);
    for (const file of [folder.useLock, folder.ownLock, folder.startLock, folder.logFile]) touch(file, folder.account);
  } catch (error) {
    throw unreachable(dir, folder.account, error);
  }
  await assertReachable(dir, folder.account);
  return folder;
}

/** Paths of a database folder, which need not exist. */
export function places(dir: string): Omit<DatabaseFolder, 'account'> {
  return {
    dir,
    cluster: join(dir, 'pg'),
    logFile: join(dir, 'postgres.log'),
    useLock: join(dir, 'use.lock'),
    ownLock: join(dir, 'own.lock'),
    startLock: join(dir, 'start.lock'),
  };
}

/**
 * Folder of the socket: the database folder, or a folder with a short name if that path is too long for a socket.
 * `name` is the path as PostgreSQL sees it from its cluster.
 */
export function socketFolder({ dir, account }: DatabaseFolder): { path: string; name: string } {
  if (Buffer.byteLength(join(dir, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_MAX) return { path: dir, name: '..' };
  const short = join(tmpdir(), `sightline-${createHash('sha256').update(dir).digest('hex').slice(0, 16)}`);
  try {
    mkdirSync(short, { mode: 0o700 });
    own(short, account);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  // The name is predictable, so another user may have created it first.
  const found = lstatSync(short);
  if (!found.isDirectory() || found.uid !== (account.uid ?? process.getuid?.()) || (found.mode & 0o077) !== 0) {
    throw dbProblems.database_folder_unreachable(
      `The folder for the database's socket, ${short}, belongs to somebody else. Remove it, or set SIGHTLINE_DATA_DIR to a folder with a shorter path.`,
    );
  }
  return { path: short, name: short };
}

/** Flushes a file or a folder to disk. */
export function flush(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function own(dir: string, account: Account): void {
  if (account.uid !== undefined) chownSync(dir, account.uid, account.gid!);
  if ((statSync(dir).mode & 0o077) !== 0) chmodSync(dir, 0o700);
}

/** Creates the file if needed and assigns it to the account, so that root and its owner can take turns. */
export function touch(file: string, account: Account): void {
  closeSync(openSync(file, 'a', 0o600));
  if (account.uid !== undefined) chownSync(file, account.uid, account.gid!);
}

async function assertReachable(dir: string, account: Account): Promise<void> {
  // Linux can start a process in a folder that it cannot reach by path. On other systems it needs that access.
  const { ok } =
    process.platform === 'linux'
      ? await run(account, '/bin/sh', ['-c', 'test -w .'], { cwd: dir })
      : await run(account, '/bin/sh', ['-c', 'cd "$0" && test -w .', dir]);
  if (!ok) throw unreachable(dir, account);
}

function unreachable(dir: string, account: Account, cause?: unknown) {
  return dbProblems.database_folder_unreachable(
    `The database folder ${dir} cannot be used by ${describeAccount(account)}. Set SIGHTLINE_DATA_DIR to a folder that this user may write to and pass through to (such as /var/lib/sightline), or DATABASE_URL to a PostgreSQL.`,
    { cause },
  );
}
