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
import { chooseAccount, describeAccount } from './account.ts';
import { type Account, run } from './run.ts';

/** Longest path of a Unix socket, in bytes, that every system takes. */
const SOCKET_PATH_MAX = 100;
export const PORT = 5432;

/** The places of one embedded database. */
export type Folder = Readonly<{
  /** Holds all of it; belongs to the account, closed to others. */
  dir: string;
  /** PostgreSQL's own data directory. */
  cluster: string;
  /** Where PostgreSQL and its `initdb` say what went wrong. */
  logFile: string;
  /** Held shared by everyone who uses the server. */
  useLock: string;
  /** Held exclusively by the one process the server belongs to. */
  ownLock: string;
  /** Held exclusively while the server is being started or stopped. */
  startLock: string;
  account: Account;
}>;

/** Makes the folder if need be, closed to others, and makes sure that the account can reach it. */
export async function openFolder(path: string): Promise<Folder> {
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

/** The places of a database folder, made or not. */
export function places(dir: string): Omit<Folder, 'account'> {
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
 * Where the socket goes: the database folder, or a folder with a short name when that path is too long for a socket.
 * `name` is what PostgreSQL calls it, from within its cluster.
 */
export function socketFolder({ dir, account }: Folder): { path: string; name: string } {
  if (Buffer.byteLength(join(dir, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_MAX) return { path: dir, name: '..' };
  const short = join(tmpdir(), `sightline-${createHash('sha256').update(dir).digest('hex').slice(0, 16)}`);
  try {
    mkdirSync(short, { mode: 0o700 });
    own(short, account);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  // The name can be guessed, so somebody else may have made it first.
  const found = lstatSync(short);
  if (!found.isDirectory() || found.uid !== (account.uid ?? process.getuid?.()) || (found.mode & 0o077) !== 0) {
    throw dbProblems.database_folder_unreachable(
      `The folder for the database's socket, ${short}, belongs to somebody else. Remove it, or set SIGHTLINE_DATA_DIR to a folder with a shorter path.`,
    );
  }
  return { path: short, name: short };
}

/** Writes a file's or a folder's entries through to the disk. */
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

/** Makes the file if need be and gives it to the account, so that the folder works the same when root and its owner take turns. */
export function touch(file: string, account: Account): void {
  closeSync(openSync(file, 'a', 0o600));
  if (account.uid !== undefined) chownSync(file, account.uid, account.gid!);
}

async function assertReachable(dir: string, account: Account): Promise<void> {
  // Linux lets us place a process in a folder whose way is closed to it (see `nameOfCluster`); elsewhere it must find the way itself.
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
