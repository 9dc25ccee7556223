import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { dbProblems } from '../../problems.ts';
import { type DatabaseFolder, touch } from '../folder.ts';
import { type Lock, tryLock, waitForLock } from './lock.ts';

const MAX_START_WAIT_MS = 120_000;

/** Makes this process the owner of the database folder. Throws a Problem that names the present owner. */
export function takeOwnership(folder: DatabaseFolder): Lock {
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

/** Waits for the lock to start or stop the server. */
export async function takeStart(folder: DatabaseFolder, signal?: AbortSignal): Promise<Lock> {
  const lock = await waitForLock(folder.startLock, 'exclusive', MAX_START_WAIT_MS, signal);
  if (lock) return lock;
  throw dbProblems.database_starting(
    `Another process has been starting or stopping the database in ${folder.dir} for two minutes. Wait for it, or end it, and try again.`,
  );
}

/**
 * Registers this process as a user of the server. Requires the start lock, so that no other process can be the last
 * user meanwhile.
 */
export function join(folder: DatabaseFolder): Lock {
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
