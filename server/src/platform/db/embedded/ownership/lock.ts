import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** A lock that is held until `release`, or until the process ends in any way. */
export type Lock = { release(): void };

const BUSY = 5;

/**
 * Locks a file, or returns null if another process holds the lock. `shared` locks may coexist; `exclusive` ones may
 * not. Node has no flock(2). An open SQLite transaction takes the same fcntl lock on every system without a native
 * module, and the kernel releases it after SIGKILL. Nothing is written to the file.
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

/** Waits for a lock. Null if it is not available within `timeoutMs`. */
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
