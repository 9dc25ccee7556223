import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { DATABASE, ROLE } from '#platform/db/embedded/prepare';
import type { ConnectionOptions } from '#platform/db/index';

/** The embedded PostgreSQL that runs for a data folder, as its own pid file describes it. */
function readPidFile(dataDir: string) {
  const cluster = join(dataDir, 'db', 'pg');
  const [pid, , , port, socketDir] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  return { pid: Number(pid), port: Number(port), host: resolve(cluster, socketDir!) };
}

/** Process id of the postmaster; throws where none is running. */
export const postmasterPid = (dataDir: string): number => readPidFile(dataDir).pid;

/** Connects as the product's own role to the database of a running service. */
export function embeddedConnection(dataDir: string): ConnectionOptions {
  const { host, port } = readPidFile(dataDir);
  return { host, port, user: ROLE, database: DATABASE };
}

/** Runs `work` with a connection to the database of a running service. */
export async function withEmbeddedDatabase<T>(dataDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(embeddedConnection(dataDir));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
