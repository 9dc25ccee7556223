import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { type Account, run } from './run.ts';

/** State of a process id that was recorded earlier. */
export type ProcessState = 'gone' | 'zombie' | 'ours' | 'other';

/**
 * Checks whether `pid` is a PostgreSQL process of the cluster. PostgreSQL works in its cluster's folder, which
 * distinguishes it from another process with a reused id (common after a container restart), including another
 * PostgreSQL.
 */
export async function inspectProcess(pid: number, cluster: string, account: Account): Promise<ProcessState> {
  if (process.platform !== 'linux') return inspectWithoutProc(pid, account);
  const state = processState(pid);
  if (state === 'gone') return 'gone';
  if (state === 'Z') return 'zombie';
  return (await workingFolder(pid, account)) === cluster ? 'ours' : 'other';
}

/**
 * Processes that work in the cluster's folder, such as backends that outlived their postmaster. Linux only; otherwise
 * empty.
 */
export async function processesIn(cluster: string, account: Account): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const uid = account.uid ?? process.getuid?.();
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statSync(`/proc/${name}`, { throwIfNoEntry: false })?.uid === uid)
    .map(Number);
  const folders = await Promise.all(pids.map(async (pid) => ({ pid, folder: await workingFolder(pid, account) })));
  return folders.filter(({ folder }) => folder === cluster).map(({ pid }) => pid);
}

/** Sends a signal. Returns false if the process does not exist. */
export function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** True if the process runs. A zombie does not. */
export function isRunning(pid: number): boolean {
  if (!signalProcess(pid, 0)) return false;
  return process.platform !== 'linux' || !['gone', 'Z'].includes(processState(pid));
}

/** One letter as in ps(1), or `gone`. */
function processState(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // "pid (command) state …", where the command may contain parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2)[0] ?? 'gone';
  } catch {
    return 'gone';
  }
}

async function workingFolder(pid: number, account: Account): Promise<string | null> {
  const link = `/proc/${pid}/cwd`;
  try {
    return readlinkSync(link);
  } catch (error) {
    // Root in a container may be unable to inspect other users' processes, but can switch to that user.
    if ((error as NodeJS.ErrnoException).code !== 'EACCES' || account.uid === undefined) return null;
    const { ok, stdout } = await run(account, 'readlink', [link]);
    return ok ? stdout.trimEnd() : null;
  }
}

async function inspectWithoutProc(pid: number, account: Account): Promise<ProcessState> {
  const { ok, stdout } = await run(account, 'ps', ['-o', 'stat=,comm=', '-p', String(pid)]);
  if (!ok || !stdout.trim()) return 'gone';
  if (stdout.trimStart().startsWith('Z')) return 'zombie';
  return /postgres\s*$/.test(stdout) ? 'ours' : 'other';
}
