import { readdirSync, readFileSync } from 'node:fs';

const shared = new Set<number>();

/** Process ids of the children of this process, without those that files share. None where the system is not Linux. */
export function childProcesses(): number[] {
  const tasks = '/proc/self/task';
  try {
    const lists = readdirSync(tasks).map((task) => readFileSync(`${tasks}/${task}/children`, 'utf8'));
    const pids = lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
    return pids.filter((pid) => !shared.has(pid));
  } catch {
    return [];
  }
}

/** Starts processes that the test files of a worker share, and that may run until the worker ends. */
export async function startShared<T>(start: () => Promise<T>): Promise<T> {
  const before = childProcesses();
  const started = await start();
  for (const pid of childProcesses()) if (!before.includes(pid)) shared.add(pid);
  return started;
}
