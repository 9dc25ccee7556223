import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { descendants } from '../../server/test/database/crash.ts';

/** Part of the command line of every media process of the bundled service. */
export const MEDIA_PROCESS = 'media.process.main';

/** Processes and all their descendants. */
export const treeOf = (...pids: number[]): number[] => [...pids, ...descendants(...pids)];

/** Those of the processes that still run; zombies do not. */
export const running = (pids: readonly number[]): number[] => pids.filter(isRunning);

/** Kills processes at once, as a power cut or the out-of-memory killer does. Resolves when none runs. */
export async function killAll(pids: readonly number[]): Promise<void> {
  for (const pid of pids) send(pid, 'SIGKILL');
  await until(() => running(pids).length === 0, 'the killed processes to be gone');
}

/** Kills a process with all its descendants. They are stopped first, so that none starts another meanwhile. */
export async function killTree(pid: number): Promise<void> {
  let tree: number[] = [];
  for (let next = treeOf(pid); next.length > tree.length; next = treeOf(pid)) {
    tree = next;
    for (const each of tree) send(each, 'SIGSTOP');
  }
  await killAll(tree);
}

/** Ends a process as a service manager does, with all its descendants. Kills what still runs after 30 s. */
export async function endTree(pid: number): Promise<void> {
  const tree = treeOf(pid);
  send(pid, 'SIGTERM');
  const late = setTimeout(() => void killAll(tree), 30_000);
  try {
    await until(() => running(tree).length === 0, 'its processes to end', 60_000);
  } finally {
    clearTimeout(late);
  }
}

/** Sends a signal; ignores processes that have ended. A negative number means a process group. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Polls until a condition holds. Throws after `timeoutMs`, naming the condition. */
export async function until<T>(
  condition: () => T | Promise<T>,
  what: string,
  timeoutMs = 60_000,
): Promise<NonNullable<T>> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`);
    await sleep(50);
  }
}

function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !['Z', 'X'].includes(stat.slice(stat.lastIndexOf(')') + 2)[0]!);
  } catch {
    return false;
  }
}

/** Kernels count processor time in hundredths of a second. */
const TICK_MS = 10;

/** Processor time of running processes and of their children that have ended, in milliseconds. */
export function cpuMsOf(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids.filter(isRunning)) {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name in parentheses: utime, stime, cutime and cstime.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    for (const field of fields.slice(11, 15)) ticks += Number(field);
  }
  return ticks * TICK_MS;
}
