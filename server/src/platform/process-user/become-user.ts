import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { Config } from '#platform/config/index';
import { Problem } from '#platform/problem';
import { findSystemAccount, listSystemAccounts, type SystemAccount } from './accounts.ts';
import { giveFolder } from './ownership.ts';

/** File in the data folder that names the user to which it was given as a whole. */
const MARK = 'owner.json';

/** Folders of the system, which no user of a service may own. */
const SYSTEM_FOLDERS =
  '/ /bin /boot /dev /etc /home /lib /lib64 /media /mnt /opt /proc /root /run /sbin /srv /sys /tmp /usr /usr/local /var /var/lib /var/tmp';

export type BecomeUserOptions = {
  signal: AbortSignal;
  /** Receives lines about a longer migration. */
  print: (line: string) => void;
  /** Environment in which HOME is set, since libraries write there. */
  env: NodeJS.ProcessEnv;
};

const fault = (rule: string, cause?: unknown) =>
  new Problem({ status: 500, code: 'configuration_invalid', message: `SIGHTLINE_USER ${rule}`, cause });

/**
 * Makes the whole process run as the configured user, if root started it: gives the data folder and the stored files to
 * that user, then drops all groups and privileges. Does nothing without a configured user, or where that one runs it
 * already. Call it before anything else opens files. Throws a Problem that states what to change.
 */
export async function becomeUser(
  { user, dataDir, storage }: Pick<Config, 'user' | 'dataDir' | 'storage'>,
  { signal, print, env }: BecomeUserOptions,
): Promise<void> {
  if (user === null) return;
  const account = findSystemAccount(user);
  if (!account) throw fault(`names ${user}, which is no account of this machine (/etc/passwd): create it first.`);
  if (account.uid === 0) throw fault('must name another user than root.');
  const current = process.getuid?.();
  if (current === account.uid) return;
  if (current !== 0) throw fault(`names ${user}, which only root can become: start as ${user}, or as root.`);
  if (process.platform !== 'linux') throw fault('has an effect on Linux only: start the service as that user.');

  const folders = [dataDir];
  if (storage.kind === 'file' && !isWithin(storage.dir, dataDir)) folders.push(storage.dir);
  for (const folder of folders) refuseSystemFolder(folder, account);
  refuseRunningDatabase(dataDir, account);
  setGroups(account);
  if (!canAs(account, () => closeSync(openSync(import.meta.filename, 'r')))) {
    throw fault(
      `names ${user}, who cannot read the installation in ${import.meta.dirname}: install it in a folder that others can read, such as /opt/sightline.`,
    );
  }
  const mark = JSON.stringify({ uid: account.uid, gid: account.gid, folders });
  const isGiven = readMark(dataDir) === mark && folders.every((folder) => ownerOf(folder) === account.uid);
  for (const folder of folders) {
    if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isGiven) await give(folder, account, { signal, print });
    if (!canAs(account, () => closeSync(openSync(folder, 'r')))) {
      throw fault(
        `names ${user}, who cannot reach ${folder}: a folder above it is closed to others. Move it to one such as /var/lib/sightline (SIGHTLINE_DATA_DIR, SIGHTLINE_STORAGE).`,
      );
    }
  }
  // As the user, who can have put a link there.
  if (!isGiven) canAs(account, () => writeFileSync(join(dataDir, MARK), mark, { mode: 0o600 }));
  process.setgid!(account.gid);
  process.setuid!(account.uid);
  env.HOME = account.home;
}

/** Replaces the groups of root by those of the account. */
function setGroups({ name, gid }: SystemAccount): void {
  // The types of Node lack it.
  (process as unknown as { initgroups(user: string, group: number): void }).initgroups(name, gid);
}

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(folder + sep);

async function give(
  folder: string,
  account: SystemAccount,
  { signal, print }: Pick<BecomeUserOptions, 'signal' | 'print'>,
): Promise<void> {
  const changed = await giveFolder(folder, account, {
    signal,
    onProgress: (seen) => print(`Giving ${folder} to ${account.name}: ${seen} files so far.`),
  }).catch((cause) => {
    if (signal.aborted) throw cause;
    throw fault(`could not be carried out in ${folder}: ${(cause as Error).message}`, cause);
  });
  if (changed > 1) print(`${folder} belongs to ${account.name} now (${changed} files and folders).`);
}

function readMark(dataDir: string): string | null {
  try {
    return readFileSync(join(dataDir, MARK), 'utf8');
  } catch {
    return null;
  }
}

/** The user that the file or folder belongs to; null if it does not exist. */
const ownerOf = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.uid ?? null;

/** True if `work` succeeds with the rights of the account. */
function canAs({ uid, gid }: SystemAccount, work: () => void): boolean {
  process.setegid!(gid);
  process.seteuid!(uid);
  try {
    work();
    return true;
  } catch {
    return false;
  } finally {
    process.seteuid!(0);
    process.setegid!(0);
  }
}

/** Keeps a wrong path from giving the system, or the files of a person, to the user. */
function refuseSystemFolder(folder: string, account: SystemAccount): void {
  const homes = listSystemAccounts().flatMap(({ name, home }) => (name === account.name ? [] : [resolve(home)]));
  if (![...homes, ...SYSTEM_FOLDERS.split(' ')].includes(folder) && !isWithin(import.meta.dirname, folder)) return;
  throw fault(
    `would give ${folder} to ${account.name}, which is not a folder for the data of a service alone: set SIGHTLINE_DATA_DIR and SIGHTLINE_STORAGE to folders of its own.`,
  );
}

/** PostgreSQL reads its files as the user that started it. */
function refuseRunningDatabase(dataDir: string, account: SystemAccount): void {
  const cluster = join(dataDir, 'db', 'pg');
  const pidFile = join(cluster, 'postmaster.pid');
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : 0;
  const runner = pid > 0 ? ownerOf(`/proc/${pid}`) : null;
  if (runner === null || runner === account.uid || runner !== ownerOf(cluster)) return;
  throw fault(
    `cannot take over ${dataDir} while its database runs (process ${pid}): stop the service that uses it, then start again.`,
  );
}
