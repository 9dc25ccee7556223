import { readdirSync, readFileSync } from 'node:fs';

const shared = new Set<number>();

/**
 * Process ids of the children of this process, without those that files share. None where the system is not Linux.
 * From the parents of all processes: the kernel's lists of children omit some while others end.
 */
export function childProcesses(): number[] {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return pids.map(Number).filter((pid) => !shared.has(pid) && parentOf(pid) === process.pid);
  } catch {
    return [];
  }
}

/** Process id of the parent; null if the process has ended. */
function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

/** Starts processes that the test files of a worker share, and that may run until the worker ends. */
export async function startShared<T>(start: () => Promise<T>): Promise<T> {
  const before = childProcesses();
  const started = await start();
  for (const pid of childProcesses()) if (!before.includes(pid)) shared.add(pid);
  return started;
}
