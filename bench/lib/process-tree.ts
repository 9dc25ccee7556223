import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of /proc per second. */
const TICKS = 100;

export type ProcessUsage = {
  pid: number;
  command: string;
  /** Proportional set size in bytes: a page that n processes share counts for 1/n in each. */
  pssBytes: number;
  /** Processor time in seconds, with that of its children that have ended. */
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
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid, parent: Number(fields[1]), cpuS: ticks / TICKS };
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
