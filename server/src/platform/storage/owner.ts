import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** Another machine's process cannot be asked whether it lives: what it left is abandoned after this long without a change. */
const FOREIGN_AGE_MS = 3600 * 1000;
const TAG = /([0-9a-f]{8})-(\d+)-[0-9a-f]{12}$/;

const host = () => createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/** A name for a temporary file of this process: `isAbandoned` tells from it whether the process still lives. */
export const ownerTag = () => `${host()}-${process.pid}-${randomBytes(6).toString('hex')}`;

/** Whether the process that named this file is gone. `modified` is when the file last changed. */
export function isAbandoned(name: string, modified: Date): boolean {
  const match = TAG.exec(name);
  const foreign = Date.now() - modified.getTime() > FOREIGN_AGE_MS;
  if (!match || match[1] !== host()) return foreign;
  const pid = Number(match[2]);
  // Our own number may have been another process's before us, as it always was in a container.
  if (pid === process.pid) return modified.getTime() < Date.now() - process.uptime() * 1000;
  return !isAlive(pid) || foreign;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
