import { existsSync } from 'node:fs';
import pg from 'pg';
import type { Config } from '#platform/config/index';
import type { Log } from '#platform/log';
import { embeddedFolder } from './connect.ts';
import { startEmbedded } from './embedded/index.ts';
import { awaitServer } from './server-check.ts';
import type { ConnectionOptions } from './types.ts';

const TIMEOUT_MS = 5_000;

export type DatabaseReport = {
  kind: 'embedded' | 'external';
  /** Version of the server, such as `18.4`. */
  version: string;
  /** Names of the settings that must be on, or the server loses acknowledged writes, and are not. */
  unsafe: string[];
  /** Connections that roles without privileges may open, on the whole server. */
  allowedConnections: number;
  /** Connections of others that are open now. */
  usedConnections: number;
  /** Milliseconds that the clock of the server is ahead of that of this machine. */
  clockAheadMs: number;
};

/**
 * Describes the database without changing it; null if the embedded one is not created yet. Throws
 * `database_unreachable`, or why the embedded one does not start.
 */
export async function reportDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: Log,
  signal: AbortSignal,
): Promise<DatabaseReport | null> {
  if (databaseUrl) {
    const connection = { connectionString: databaseUrl };
    const version = await awaitServer(connection, signal, TIMEOUT_MS);
    return { kind: 'external', version, ...(await readReport(connection)) };
  }
  const dir = embeddedFolder(dataDir);
  if (!existsSync(dir)) return null;
  const server = await startEmbedded({ dir, log, mode: 'share', signal });
  try {
    return { kind: 'embedded', version: server.version, ...(await readReport(server.connection)) };
  } finally {
    await server.stop();
  }
}

async function readReport(connection: ConnectionOptions): Promise<Omit<DatabaseReport, 'kind' | 'version'>> {
  const client = new pg.Client({ ...connection, application_name: 'sightline doctor', query_timeout: TIMEOUT_MS });
  client.on('error', () => {}); // fails the query under way
  await client.connect();
  try {
    const before = Date.now();
    const { rows: clocks } = await client.query<{ ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
    );
    const clockAheadMs = Math.round(clocks[0]!.ms - (before + Date.now()) / 2);
    const { rows } = await client.query<{ unsafe: string[]; allowed: number; used: number }>(
      `select
         (select coalesce(array_agg(name order by name), '{}') from pg_settings
          where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off') as unsafe,
         current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
           - coalesce(current_setting('reserved_connections', true)::integer, 0) as allowed,
         (select count(*)::integer from pg_stat_activity
          where backend_type = 'client backend' and pid <> pg_backend_pid()) as used`,
    );
    const { unsafe, allowed, used } = rows[0]!;
    return { unsafe, allowedConnections: allowed, usedConnections: used, clockAheadMs };
  } finally {
    await client.end().catch(() => {});
  }
}
