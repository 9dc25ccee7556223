import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** A lock held until `release`, or until the process ends in whatever way: the kernel gives it back. */
export type Lock = { release(): void };

const BUSY = 5;

/**
 * Takes a lock on a file, or answers null when others hold it. Many may hold it `shared`, one `exclusive`.
 * Node has no flock(2); an open SQLite transaction is the same thing (an fcntl lock) on every system, needs no
 * native module, and survives neither SIGKILL nor a crash. Nothing is ever written to the file.
 */
export function tryLock(file: string, kind: 'shared' | 'exclusive'): Lock | null {
  const database = new DatabaseSync(file);
  try {
    database.exec(kind === 'exclusive' ? 'begin exclusive' : 'begin; select * from sqlite_schema');
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === BUSY) return null;
    throw error;
  }
}

/** Waits for a lock; null when it is not to be had within `timeoutMs`. */
export async function waitForLock(
  file: string,
  kind: 'shared' | 'exclusive',
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Lock | null> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const lock = tryLock(file, kind);
    if (lock || performance.now() > end) return lock;
    await sleep(25, undefined, { signal });
  }
}
