import { readdirSync, readFileSync } from 'node:fs';

const ENTRY = /media\/process\/main\.[jt]s/;

/** Media processes of tasks below this process, without the programs that confine them and the compiler of modules. */
export function mediaProcesses(): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const stat = readOrEmpty(`/proc/${name}/stat`);
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state !== 'Z' && parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === process.pid || isBelow(parent));
  };
  return [...parents.keys()].filter((pid) => {
    const [program, ...args] = readOrEmpty(`/proc/${pid}/cmdline`).split('\0');
    const isOfTasks = args.some((each) => ENTRY.test(each)) && !args.includes('compiles');
    return program === process.execPath && isOfTasks && isBelow(pid);
  });
}

/**
 * Kills media processes as the system does when memory is short: each one that is found, until `times` were killed.
 * Resolves when that many were. Processes in `spared` are left alone.
 */
export async function sweepMediaProcesses(
  times: number,
  { signal = 'SIGKILL', spared = [] }: { signal?: NodeJS.Signals; spared?: readonly number[] } = {},
): Promise<void> {
  const killed = new Set<number>();
  while (killed.size < times) {
    for (const pid of mediaProcesses()) {
      if (killed.has(pid) || spared.includes(pid) || killed.size === times) continue;
      killed.add(pid);
      process.kill(pid, signal);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
