import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** Files of processes on other machines, whose state is unknown here, count as abandoned after this age. */
const FOREIGN_AGE_MS = 3600 * 1000;
const TAG = /([0-9a-f]{8})-(\d+)-[0-9a-f]{12}$/;

const host = () => createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/** Name for a temporary file of this process. `isAbandoned` reads host and process id from it. */
export const ownerTag = () => `${host()}-${process.pid}-${randomBytes(6).toString('hex')}`;

/** True if the process that named this file has terminated. `modified` is the file's modification time. */
export function isAbandoned(name: string, modified: Date): boolean {
  const match = TAG.exec(name);
  const isOld = Date.now() - modified.getTime() > FOREIGN_AGE_MS;
  if (!match || match[1] !== host()) return isOld;
  const pid = Number(match[2]);
  // An earlier process may have had this process's id; in containers it always has.
  if (pid === process.pid) return modified.getTime() < Date.now() - process.uptime() * 1000;
  return !isAlive(pid) || isOld;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
