import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DatabaseFolder } from '../folder.ts';
import { inspectProcess, type ProcessState, processesIn } from './process-state.ts';

/** Content of `postmaster.pid` and the actual state of the process. `none`: there is no file. */
export type Claim = { pid: number; socketDir: string | null; state: 'none' | ProcessState };

/** Reads PostgreSQL's pid file and inspects the process it names. An empty or truncated file names none. */
export async function readClaim({ cluster, account }: DatabaseFolder): Promise<Claim> {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return { pid: 0, socketDir: null, state: 'none' };
  }
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (!(pid > 1)) return { pid: 0, socketDir: null, state: 'gone' };
  // Lines: pid, data directory, start time, port, socket directory, …
  return {
    pid,
    socketDir: lines[4] ? resolve(cluster, lines[4]) : null,
    state: await inspectProcess(pid, cluster, account),
  };
}

/** Processes that use the cluster without a postmaster: a start would damage the data. */
export function survivors({ cluster, account }: DatabaseFolder): Promise<number[]> {
  return processesIn(cluster, account);
}

/**
 * Removes files of a server that has ended. Requires the start lock and an unused cluster. PostgreSQL would refuse to
 * start over a zombie, a reused process id or an empty file.
 */
export function clearClaim({ cluster }: DatabaseFolder, socketDir: string): void {
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
  for (const name of readdirSync(socketDir)) {
    if (name.startsWith('.s.PGSQL.')) rmSync(join(socketDir, name), { force: true });
  }
}
