import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { dbProblems } from './problems.ts';

const OLDEST = 15;
/** A database beside us (compose, a restarting node) may come up after us. */
const PATIENCE_MS = 30_000;
const MAY_COME_UP = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'ETIMEDOUT',
  '57P01',
  '57P03',
]);

/**
 * Waits (30 s) for the server that DATABASE_URL names, checks that it is new enough, and returns its version, such as `15.18`.
 * Its Problems name host, port and database, never the password.
 */
export async function awaitServer(
  connection: { connectionString: string },
  signal?: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<string> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const client = clientFor(connection.connectionString);
    client.on('error', () => {}); // fails the query under way
    try {
      await client.connect();
      const { rows } = await client.query<{ number: string; name: string }>(
        `select current_setting('server_version_num') as number, split_part(current_setting('server_version'), ' ', 1) as name`,
      );
      return assertNewEnough(Number(rows[0]!.number), rows[0]!.name);
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (code === 'database_too_old') throw error;
      if (!MAY_COME_UP.has(code) || performance.now() > end) throw unreachable(client, error as Error);
    } finally {
      await client.end().catch(() => {});
    }
    await sleep(250, undefined, { signal });
  }
}

function clientFor(connectionString: string): pg.Client {
  try {
    return new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  } catch {
    // The reason would repeat the URL, password and all.
    throw dbProblems.database_unreachable(
      'DATABASE_URL is not a URL such as postgres://user:password@host:5432/database.',
    );
  }
}

function assertNewEnough(number: number, name: string): string {
  if (Math.floor(number / 10_000) >= OLDEST) return name;
  throw dbProblems.database_too_old(
    `The database that DATABASE_URL names is PostgreSQL ${name}; Sightline needs ${OLDEST} or later. Upgrade it, or unset DATABASE_URL to use the embedded one.`,
  );
}

function unreachable({ host, port, database }: pg.Client, error: Error) {
  return dbProblems.database_unreachable(
    `The database ${database} at ${host}:${port}, which DATABASE_URL names, cannot be reached: ${error.message}.`,
    { cause: error },
  );
}
