import type pg from 'pg';
import { dbProblems } from '../problems.ts';
import { PORT } from './folder.ts';

/** What makes an acknowledged write survive a crash and a power cut. Asserted at every start; nobody "optimises" these. */
const DURABLE = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };

/**
 * The server's settings for a cluster and a socket folder as the server calls them, given on its command line, where neither postgresql.conf nor ALTER SYSTEM can overrule them.
 * `durable: false` is for tests, whose data nobody misses.
 */
export function serverArguments(cluster: string, socketFolder: string, durable: boolean): string[] {
  const settings: Record<string, string> = {
    // No network: the socket in a closed folder is the only door.
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
    port: String(PORT),
    cluster_name: 'sightline',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // What a statement did wrong is told to its sender, and logged there; the server's own log is for the server's own troubles.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    max_connections: '100',
    shared_buffers: '64MB',
    // One machine, small data: parallel plans and just-in-time compilation cost more than they bring, and need /dev/shm.
    max_parallel_workers_per_gather: '0',
    jit: 'off',
    ...DURABLE,
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
  };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** Throws when the running server (ours, or one found running) might lose acknowledged data. */
export async function assertDurable(client: pg.Client, cluster: string): Promise<void> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [Object.keys(DURABLE)],
  );
  const found = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  for (const [name, wanted] of Object.entries(DURABLE)) {
    if (found[name] === wanted) continue;
    throw dbProblems.database_not_durable(
      `The database server in ${cluster} runs with ${name} = ${found[name]}, and Sightline needs ${wanted}: with less, it could lose data it has acknowledged. Stop that server and start Sightline again.`,
    );
  }
}
