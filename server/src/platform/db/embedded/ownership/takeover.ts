import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '#platform/log';
import { dbProblems } from '../../problems.ts';
import type { Binaries } from '../binaries.ts';
import { type DatabaseFolder, socketFolder } from '../folder.ts';
import { launch, probe, START_MS } from '../postmaster.ts';
import { nameOfCluster } from '../processes/account.ts';
import { clearClaim, readClaim, survivors } from '../processes/pid-file.ts';
import { signalProcess } from '../processes/process-state.ts';
import { serverArguments } from '../settings.ts';

export type Running = { pid: number; socketDir: string; found: boolean };

/** Time for an earlier server to respond or to end. */
const CLAIM_MS = 60_000;
/** Time for a server to shut down before it is stopped at once. Nothing is lost: the next start recovers. */
const ENDING_MS = 5_000;

/**
 * Resolves the state that `postmaster.pid` describes and starts the server if needed: uses a running server, waits for
 * one that starts or stops, and removes files of one that has ended. Requires the start lock.
 */
export async function findOrLaunch(
  folder: DatabaseFolder,
  binaries: Binaries,
  options: { log: Log; durable: boolean; diesWithUs: boolean; signal?: AbortSignal | undefined },
): Promise<Running> {
  const { log, durable, diesWithUs, signal } = options;
  const began = performance.now();
  for (;;) {
    const claim = await readClaim(folder);
    const waited = performance.now() - began;
    let remainingMs = CLAIM_MS;
    if (claim.state === 'ours' && claim.socketDir) {
      const condition = await probe(claim.socketDir);
      if (condition === 'answers') {
        log.debug({ serverPid: claim.pid }, 'a database server runs on this folder already; using it');
        return { pid: claim.pid, socketDir: claim.socketDir, found: true };
      }
      if (condition === 'starting') remainingMs = START_MS;
      if (condition === 'ending' && waited > ENDING_MS) signalProcess(claim.pid, 'SIGQUIT');
    }
    if (claim.state !== 'ours' && (await survivors(folder)).length === 0) {
      if (claim.state !== 'none') log.info({ claim }, 'clearing away what a dead database server left behind');
      break;
    }
    if (waited > remainingMs) {
      const who = claim.state === 'ours' ? claim.pid : (await survivors(folder)).join(', ');
      throw dbProblems.database_not_started(
        `An earlier database server still uses ${folder.cluster} and does not respond (process ${who}). End it and start Sightline again.`,
      );
    }
    await sleep(25, undefined, { signal });
  }
  const socket = socketFolder(folder);
  clearClaim(folder, socket.path);
  const args = serverArguments(nameOfCluster(folder.cluster, folder.account), socket.name, durable);
  const pid = await launch(folder, { program: binaries.postgres, args, socketDir: socket.path, diesWithUs, signal });
  return { pid, socketDir: socket.path, found: false };
}
