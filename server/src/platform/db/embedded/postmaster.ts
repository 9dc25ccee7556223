import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { dbProblems } from '../problems.ts';
import { SUPERUSER } from './cluster.ts';
import { type Folder, PORT } from './folder.ts';
import { lifeline } from './lifeline.ts';
import { processesIn, sight, signalProcess } from './processes.ts';
import { CHILD_ENV } from './run.ts';

/** Recovery after a crash may read a lot of log; a server that says it is starting is given this long. */
export const START_MS = 10 * 60_000;
const CANNOT_CONNECT_NOW = '57P03';
const LOG_BYTES = 10 << 20;

export type Launch = {
  program: string;
  args: string[];
  socketDir: string;
  /** Whether the server ends when this process dies. One that a sharer starts must not: others may have joined. */
  diesWithUs: boolean;
  signal?: AbortSignal | undefined;
};

/** Starts PostgreSQL in a process group of its own and waits until it answers. Returns its process id. */
export async function launch(
  folder: Folder,
  { program, args, socketDir, diesWithUs, signal }: Launch,
): Promise<number> {
  const command = diesWithUs ? await lifeline('SIGINT', program, args) : { program, args };
  if ((statSync(folder.logFile, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES) {
    renameSync(folder.logFile, `${folder.logFile}.old`);
  }
  // A file, not a pipe: the server may outlive us.
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

/** How the server receives a connection: it `answers`, is `starting` (recovering, perhaps), is `ending`, or says nothing (`silent`). */
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

/** Runs `work` on a connection of the superuser, whom only this folder's supervisor, backup and tests become. */
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
 * Stops the server: connections are cut, what is committed is written out. One that is busy recovering has nothing to write out, and
 * PostgreSQL 18 may not come to an end then when asked politely: it is told to leave at once, and recovers at its next start.
 */
export async function stopServer({ cluster, account }: Folder, pid: number, socketDir: string): Promise<void> {
  const busy = (await probe(socketDir)) === 'starting';
  const steps = [
    ['SIGINT', busy ? 1_000 : 30_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const;
  for (const [signal, patienceMs] of steps) {
    signalProcess(pid, signal);
    const end = performance.now() + patienceMs;
    while (performance.now() < end) {
      if ((await sight(pid, cluster, account)) !== 'ours' && (await processesIn(cluster, account)).length === 0) return;
      await sleep(15);
    }
  }
}

function startFailed(folder: Folder, how: string, from: number) {
  const said = readFileSync(folder.logFile).subarray(from).toString();
  const fatal = /^.*(?:FATAL|PANIC): +(.*)$/m.exec(said)?.[1];
  return dbProblems.database_not_started(
    `The database in ${folder.dir} did not start: ${fatal ?? how}. ${folder.logFile} has the details.`,
  );
}
