import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { dbProblems } from '../problems.ts';
import { type Folder, touch } from './folder.ts';
import { type Lock, tryLock, waitForLock } from './lock.ts';

const START_PATIENCE_MS = 120_000;

/** Makes this process the owner of the database folder, or refuses with a sentence that names the one there is. */
export function takeOwnership(folder: Folder): Lock {
  const note = `${folder.ownLock}.pid`;
  const lock = tryLock(folder.ownLock, 'exclusive');
  if (!lock) {
    throw dbProblems.data_folder_in_use(
      `Sightline is already running on ${dirname(folder.dir)}${noted(note)}. Stop it first, or set SIGHTLINE_DATA_DIR to another folder.`,
    );
  }
  touch(note, folder.account);
  writeFileSync(note, `${process.pid}\n`);
  return lock;
}

/** Waits for the right to start or stop the server: one process at a time. */
export async function takeStart(folder: Folder, signal?: AbortSignal): Promise<Lock> {
  const lock = await waitForLock(folder.startLock, 'exclusive', START_PATIENCE_MS, signal);
  if (lock) return lock;
  throw dbProblems.database_starting(
    `Another process has been starting or stopping the database in ${folder.dir} for two minutes. Wait for it, or end it, and try again.`,
  );
}

/** Counts this process among the users of the server. Only while holding the start lock, so that nobody can be the last one meanwhile. */
export function join(folder: Folder): Lock {
  const lock = tryLock(folder.useLock, 'shared');
  if (lock) return lock;
  throw dbProblems.database_starting(`Something else than Sightline holds ${folder.useLock}. End it and try again.`);
}

function noted(file: string): string {
  try {
    return ` (process ${readFileSync(file, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
