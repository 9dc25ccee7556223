import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { dbProblems } from '../problems.ts';
import { SUPERUSER } from './cluster.ts';
import { type DatabaseFolder, PORT } from './folder.ts';
import { lifeline } from './processes/lifeline.ts';
import { inspectProcess, processesIn, signalProcess } from './processes/process-state.ts';
import { CHILD_ENV } from './processes/run.ts';

/** Crash recovery may read a lot of WAL, so a server that reports that it is starting gets this long. */
export const START_MS = 10 * 60_000;
const CANNOT_CONNECT_NOW = '57P03';
const LOG_BYTES = 10 << 20;

export type Launch = {
  program: string;
  args: string[];
  socketDir: string;
  /** True if the server ends with this process. A server that is shared must not: others may use it. */
  diesWithUs: boolean;
  signal?: AbortSignal | undefined;
};

/** Starts PostgreSQL in its own process group and waits until it accepts connections. Returns its process id. */
export async function launch(
  folder: DatabaseFolder,
  { program, args, socketDir, diesWithUs, signal }: Launch,
): Promise<number> {
  const command = diesWithUs ? await lifeline('SIGINT', program, args) : { program, args };
  if ((statSync(folder.logFile, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES) {
    renameSync(folder.logFile, `${folder.logFile}.old`);
  }
  // A file instead of a pipe: the server may outlive this process.
  const output = openSync(folder.logFile, 'a', 0o600);
  const from = statSync(folder.logFile).size;
  const child = spawn(command.program, command.args, {
    ...folder.account,
    cwd: folder.cluster,
    env: CHILD_ENV,
    stdio: ['ignore', output, output],
    detached: true,
  });
  closeSync(output);
  let ended: string | null = null;
  child.once('error', (error) => (ended = error.message));
  child.once('exit', (code, by) => (ended ??= `it ended with ${by ?? `code ${code}`}`));
  child.unref();

  const end = performance.now() + START_MS;
  while (!ended && performance.now() < end) {
    if ((await probe(socketDir)) === 'answers') return child.pid!;
    if (signal?.aborted) {
      await stopServer(folder, child.pid!, socketDir);
      signal.throwIfAborted();
    }
    await sleep(15);
  }
  if (!ended) await stopServer(folder, child.pid!, socketDir);
  throw startFailed(folder, ended ?? 'it did not answer within ten minutes', from);
}

/** State of the server: `answers`, `starting` (or recovering), `ending`, or `silent` (no response). */
export async function probe(socketDir: string): Promise<'answers' | 'starting' | 'ending' | 'silent'> {
  try {
    await withSuperuser(socketDir, 'postgres', (client) => client.query('select 1'));
    return 'answers';
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code !== CANNOT_CONNECT_NOW) return 'silent';
    return message.includes('shutting down') ? 'ending' : 'starting';
  }
}

/** Runs `work` as the superuser, which only the supervisor, backup and tests use. */
export function withSuperuser<T>(
  socketDir: string,
  database: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return withClient({ host: socketDir, user: SUPERUSER, database }, work);
}

export async function withClient<T>(
  to: { host: string; user: string; database: string },
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...to, port: PORT, connectionTimeoutMillis: 5_000 });
  client.on('error', () => {}); // a lost connection fails the query under way
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Stops the server: closes connections and flushes committed data. PostgreSQL 18 may ignore a polite request during
 * recovery. It has nothing to flush then, so it is stopped at once and recovers at its next start.
 */
export async function stopServer({ cluster, account }: DatabaseFolder, pid: number, socketDir: string): Promise<void> {
  const busy = (await probe(socketDir)) === 'starting';
  const steps = [
    ['SIGINT', busy ? 1_000 : 30_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const;
  for (const [signal, timeoutMs] of steps) {
    signalProcess(pid, signal);
    const end = performance.now() + timeoutMs;
    while (performance.now() < end) {
      if (
        (await inspectProcess(pid, cluster, account)) !== 'ours' &&
        (await processesIn(cluster, account)).length === 0
      )
        return;
      await sleep(15);
    }
  }
}

function startFailed(folder: DatabaseFolder, how: string, from: number) {
  const output = readFileSync(folder.logFile).subarray(from).toString();
  const fatal = /^.*(?:FATAL|PANIC): +(.*)$/m.exec(output)?.[1];
  return dbProblems.database_not_started(
    `The database in ${folder.dir} did not start: ${fatal ?? how}. ${folder.logFile} has the details.`,
  );
}
