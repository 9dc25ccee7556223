import pRetry from 'p-retry';
import pg from 'pg';
import { dbProblems } from './problems.ts';

const OLDEST = 15;
/** A database on the same machine or in the same Compose project may start later than this process. */
const TIMEOUT_MS = 30_000;
const RETRY_MS = 250;
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
 * Waits for the server that DATABASE_URL names (30 s) and checks that its version is supported. Returns that version,
 * such as `15.18`. Its Problems name host, port and database, never the password.
 */
export async function awaitServer(
  connection: { connectionString: string },
  signal?: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<string> {
  const { host, port, database } = createClient(connection.connectionString);
  const shouldRetry = ({ error }: { error: Error }) => MAY_COME_UP.has((error as { code?: string }).code ?? '');
  const found = await pRetry(() => readVersion(connection.connectionString), {
    retries: Number.POSITIVE_INFINITY,
    minTimeout: RETRY_MS,
    factor: 1,
    maxRetryTime: timeoutMs,
    shouldRetry,
    signal,
  }).catch((error: Error) => {
    signal?.throwIfAborted();
    throw dbProblems.database_unreachable(
      `The database ${database} at ${host}:${port}, which DATABASE_URL names, cannot be reached: ${error.message}.`,
      { cause: error },
    );
  });
  if (Math.floor(found.number / 10_000) >= OLDEST) return found.name;
  throw dbProblems.database_too_old(
    `The database that DATABASE_URL names is PostgreSQL ${found.name}; Sightline needs ${OLDEST} or later. Upgrade it, or unset DATABASE_URL to use the embedded one.`,
  );
}

async function readVersion(connectionString: string): Promise<{ number: number; name: string }> {
  const client = createClient(connectionString);
  client.on('error', () => {}); // fails the query under way
  try {
    await client.connect();
    const { rows } = await client.query<{ number: string; name: string }>(
      `select current_setting('server_version_num') as number, split_part(current_setting('server_version'), ' ', 1) as name`,
    );
    return { number: Number(rows[0]!.number), name: rows[0]!.name };
  } finally {
    await client.end().catch(() => {});
  }
}

function createClient(connectionString: string): pg.Client {
  try {
    return new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  } catch {
    // The reason would repeat the URL with its password.
    throw dbProblems.database_unreachable(
      'DATABASE_URL is not a URL such as postgres://user:password@host:5432/database.',
    );
  }
}
