import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Folder } from './folder.ts';
import { processesIn, type Sighting, sight } from './processes.ts';

/** What `postmaster.pid` claims, and what is true of it. `none`: no file. */
export type Claim = { pid: number; socketDir: string | null; state: 'none' | Sighting };

/** Reads the file PostgreSQL leaves beside its data, and looks at the process it names. An empty or torn file names nobody. */
export async function readClaim({ cluster, account }: Folder): Promise<Claim> {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return { pid: 0, socketDir: null, state: 'none' };
  }
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (!(pid > 1)) return { pid: 0, socketDir: null, state: 'gone' };
  // Lines: pid, data directory, start time, port, socket directory, …
  return { pid, socketDir: lines[4] ? resolve(cluster, lines[4]) : null, state: await sight(pid, cluster, account) };
}

/** Processes that use the cluster although no postmaster claims it: starting now would damage the data. */
export function survivors({ cluster, account }: Folder): Promise<number[]> {
  return processesIn(cluster, account);
}

/**
 * Removes what a server that is no more left behind. Only while holding the start lock, and only when nobody uses the cluster:
 * PostgreSQL itself would refuse to start over a zombie, a reused process id or an empty file.
 */
export function clearClaim({ cluster }: Folder, socketDir: string): void {
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
  for (const name of readdirSync(socketDir)) {
    if (name.startsWith('.s.PGSQL.')) rmSync(join(socketDir, name), { force: true });
  }
}
