import type pg from 'pg';
import { dbProblems } from '../problems.ts';
import { PORT } from './folder.ts';

/** Settings that make acknowledged writes survive crashes and power cuts. Checked at every start. */
const DURABLE = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };

/**
 * Settings of the server on its command line, where neither postgresql.conf nor ALTER SYSTEM can override them. Paths
 * are as the server sees them. `durable: false` is for tests with disposable data.
 */
export function serverArguments(cluster: string, socketFolder: string, durable: boolean): string[] {
  const settings: Record<string, string> = {
    // No network: the socket in a private folder is the only entry point.
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
    port: String(PORT),
    cluster_name: 'sightline',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Errors of statements are returned to the client and logged there. This log is for errors of the server.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    max_connections: '100',
    shared_buffers: '64MB',
    // With small data on one machine, parallel plans and JIT cost more than they save, and need /dev/shm.
    max_parallel_workers_per_gather: '0',
    jit: 'off',
    ...DURABLE,
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
  };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** Throws if the running server might lose acknowledged data. */
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
