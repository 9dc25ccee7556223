import type { Log } from '#platform/log';
import { findBinaries } from './binaries.ts';
import { ensureCluster, SUPERUSER } from './cluster.ts';
import { type DatabaseFolder, openFolder, PORT } from './folder.ts';
import { type Lock, tryLock } from './ownership/lock.ts';
import { join, takeOwnership, takeStart } from './ownership/ownership.ts';
import { findOrLaunch } from './ownership/takeover.ts';
import { stopServer } from './postmaster.ts';
import { DATABASE, ensureDatabase, ROLE } from './prepare.ts';
import { readClaim } from './processes/pid-file.ts';
import { isRunning } from './processes/process-state.ts';
import { watch } from './watch.ts';

/**
 * The PostgreSQL that npm installs, run by this process in the data folder. It is created at the first start, recovered
 * after any crash, and reachable through a private socket only. The supervisor of the npm package is not used: if it is
 * killed during its first start, the folder cannot be opened again.
 */
export type EmbeddedServer = {
  /** For the product: an ordinary role that owns the database, as with DATABASE_URL. */
  connection: LocalConnection;
  /** For backup and tests: the superuser. */
  administration: LocalConnection;
  /** PostgreSQL's data directory. */
  cluster: string;
  /** Version of the programs, such as `18.4`. */
  version: string;
  /** `created` with a new cluster, `started` on an existing one, or `found` running. */
  origin: 'created' | 'started' | 'found';
  /** Releases the server. The owner stops it; the last process that shares it does too. */
  stop(): Promise<void>;
};

export type LocalConnection = { host: string; port: number; user: string; database: string };

export type EmbeddedOptions = {
  /** Folder of the database, such as `<data>/db`. */
  dir: string;
  log: Log;
  /**
   * `own`: the server starts and stops with this process; a second owner is refused. `share`: uses the running server,
   * or starts one until its last user releases it. In both modes, the first user that notices a crash restarts the
   * server.
   */
  mode: 'own' | 'share';
  /** False in tests only: writes are not flushed. */
  durable?: boolean;
  signal?: AbortSignal;
};

/**
 * Starts the database of a folder in whatever state the last process left it, and resolves when it accepts connections.
 */
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

/**
 * The owner stops the server. A process that shares it stops it if it can lock the use exclusively, as the last user.
 */
async function end(folder: DatabaseFolder, use: Lock, ownership: Lock | null): Promise<void> {
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
