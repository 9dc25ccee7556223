import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of /proc per second. */
const TICKS = 100;

export type ProcessUsage = {
  pid: number;
  command: string;
  /** Proportional set size in bytes: a page that n processes share counts for 1/n in each. */
  pssBytes: number;
  cpuS: number;
};

/** A process and all its descendants, from /proc. Throws where there is none. */
export function readProcessTree(root: number): ProcessUsage[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []));
  const pids = [root];
  // The list grows while it is walked.
  for (const pid of pids) pids.push(...all.filter(({ parent }) => parent === pid).map((each) => each.pid));
  return pids.flatMap((pid) => {
    const stat = all.find((each) => each.pid === pid);
    const memory = read(`/proc/${pid}/smaps_rollup`);
    const command = read(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim();
    if (!stat || memory === null || !command) return [];
    return { pid, command, cpuS: stat.cpuS, pssBytes: 1024 * Number(/^Pss:\s+(\d+)/m.exec(memory)![1]) };
  });
}

function statOf(pid: number) {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The name of the program, in parentheses, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { pid, parent: Number(fields[1]), cpuS: (Number(fields[11]) + Number(fields[12])) / TICKS };
}

/** Null if the process has ended. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
