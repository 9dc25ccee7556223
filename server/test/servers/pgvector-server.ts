import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import type { TestServer } from '../database/test-database.ts';

const ADMIN = 'admin';
const WAIT_MS = 60_000;

export type PgvectorServer = TestServer & {
  /** Runs statements in a database as the superuser. */
  run(database: string, ...statements: string[]): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts a PostgreSQL server that has pgvector, on a socket in a temporary folder. `programs` is the folder of its
 * programs. `persistent`: a folder that retains its databases when it stops, for the next start. Stop it.
 */
export async function startPgvectorServer(
  programs: string,
  settings: readonly string[] = [],
  persistent?: string,
): Promise<PgvectorServer> {
  const folder = persistent ?? (await mkdtemp(join(tmpdir(), 'sightline-pgvector-server-')));
  await mkdir(folder, { recursive: true });
  const isRoot = process.getuid?.() === 0;
  // The server refuses to run as root.
  const command = (program: string, args: string[]): [string, string[]] =>
    isRoot
      ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', join(programs, program), ...args]]
      : [join(programs, program), args];
  const run = promisify(execFile);
  if (isRoot) await run('chown', ['postgres', folder]);
  const data = join(folder, 'db');
  if (!(await answers(() => access(data))))
    await run(...command('initdb', [`--pgdata=${data}`, `--username=${ADMIN}`, '--auth=trust', '--no-sync']), {
      cwd: folder,
    });
  const options = [`unix_socket_directories=${folder}`, 'listen_addresses=', 'fsync=off', ...settings];
  const child = spawn(...command('postgres', ['-D', data, ...options.flatMap((option) => ['-c', option])]), {
    cwd: folder,
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const server = { host: folder, port: 5432, user: ADMIN };

  async function runIn(database: string, ...statements: string[]): Promise<void> {
    const client = new pg.Client({ ...server, database });
    client.on('error', () => {});
    try {
      await client.connect();
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end().catch(() => {});
    }
  }

  async function stop(): Promise<void> {
    // An immediate shutdown if nothing of it is needed again, otherwise one that writes everything.
    child.kill(persistent === undefined ? 'SIGQUIT' : 'SIGINT');
    await ended;
    if (persistent === undefined) await rm(folder, { recursive: true, force: true });
  }

  const deadline = performance.now() + WAIT_MS;
  while (!(await answers(() => runIn('postgres')))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error('the PostgreSQL server with pgvector did not start');
    }
    await sleep(100);
  }
  return { ...server, run: runIn, stop };
}

const answers = (work: () => Promise<void>): Promise<boolean> =>
  work().then(
    () => true,
    () => false,
  );
