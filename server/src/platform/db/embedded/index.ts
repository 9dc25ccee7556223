import type { Log } from '#platform/log';
import { findBinaries } from './binaries.ts';
import { ensureCluster, SUPERUSER } from './cluster.ts';
import { type Folder, openFolder, PORT } from './folder.ts';
import { type Lock, tryLock } from './lock.ts';
import { join, takeOwnership, takeStart } from './ownership.ts';
import { readClaim } from './pid-file.ts';
import { stopServer } from './postmaster.ts';
import { DATABASE, ensureDatabase, ROLE } from './prepare.ts';
import { isRunning } from './processes.ts';
import { findOrLaunch } from './takeover.ts';
import { watch } from './watch.ts';

/**
 * The PostgreSQL that npm brings, run by us in the data folder: made at first start, found again after any crash, reachable
 * through a socket that nobody else may open. The supervisor is our own because the one of the package leaves a folder that never opens
 * again when it is killed during its first start; `crash.test.ts` shows that this one does not.
 */
export type EmbeddedServer = {
  /** For the product: an ordinary role that owns the database, as behind DATABASE_URL. */
  connection: LocalConnection;
  /** For backup and tests: the superuser. */
  administration: LocalConnection;
  /** The data directory of PostgreSQL. */
  cluster: string;
  /** Version of the programs, such as `18.4`. */
  version: string;
  /** How the server came to be: `created` with a new cluster, `started` on the one there was, or `found` running. */
  origin: 'created' | 'started' | 'found';
  /** Ends the use. The owner stops the server; a sharer only when nobody else uses it. */
  stop(): Promise<void>;
};

export type LocalConnection = { host: string; port: number; user: string; database: string };

export type EmbeddedOptions = {
  /** Folder of the database, such as `<data>/db`. */
  dir: string;
  log: Log;
  /**
   * `own`: the server starts and ends with us; a second owner is refused.
   * `share`: use the server that runs, or start one for as long as somebody uses it (nodes that share a folder, commands).
   * In both modes a server that crashes is started again, by whichever of its users notices first.
   */
  mode: 'own' | 'share';
  /** False only in tests: writes are not flushed. */
  durable?: boolean;
  signal?: AbortSignal;
};

/** Brings the database of a folder up, whatever state the last process left it in, and answers when it takes connections. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { log, mode, durable = true, signal } = options;
  const folder = await openFolder(options.dir);
  const ownership = mode === 'own' ? takeOwnership(folder) : null;
  const held: Lock[] = ownership ? [ownership] : [];
  let starting: Lock | null = null;
  try {
    starting = await takeStart(folder, signal);
    const use = join(folder);
    held.push(use);
    const binaries = await findBinaries(folder);
    const created = await ensureCluster(folder, binaries, signal);
    const bringUp = (until?: AbortSignal) =>
      findOrLaunch(folder, binaries, { log, durable, diesWithUs: mode === 'own', signal: until });
    let running = await bringUp(signal);
    try {
      await ensureDatabase(folder, running.socketDir, durable);
    } catch (error) {
      if (!running.found) await stopServer(folder, running.pid, running.socketDir);
      throw error;
    }
    const restart = async (until: AbortSignal) => {
      const lock = await takeStart(folder, until);
      try {
        running = await bringUp(until);
      } finally {
        lock.release();
      }
    };
    const unwatch = watch(() => isRunning(running.pid), restart, log);
    const at = (user: string, database: string) => ({ host: running.socketDir, port: PORT, user, database });
    let stopping: Promise<void> | null = null;
    const stop = async () => {
      await unwatch();
      await end(folder, use, ownership);
    };
    return {
      connection: at(ROLE, DATABASE),
      administration: at(SUPERUSER, DATABASE),
      cluster: folder.cluster,
      version: binaries.version,
      origin: created ? 'created' : running.found ? 'found' : 'started',
      stop: () => (stopping ??= stop()),
    };
  } catch (error) {
    for (const lock of held) lock.release();
    throw error;
  } finally {
    starting?.release();
  }
}

/** The owner stops the server; a sharer does when it can have the use of it alone, which says that it was the last. */
async function end(folder: Folder, use: Lock, ownership: Lock | null): Promise<void> {
  const stopping = await takeStart(folder);
  try {
    use.release();
    const last = ownership ? null : tryLock(folder.useLock, 'exclusive');
    if (ownership || last) {
      const claim = await readClaim(folder);
      if (claim.state === 'ours') await stopServer(folder, claim.pid, claim.socketDir ?? folder.dir);
    }
    last?.release();
  } finally {
    ownership?.release();
    stopping.release();
  }
}
