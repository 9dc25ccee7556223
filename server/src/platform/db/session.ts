import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import type { ConnectionOptions, Session } from './types.ts';

const APPLICATION = 'sightline session';
const CANCEL_MS = 5_000;

/**
 * Runs `work` on a connection outside the pool, which is closed at its end. If the signal aborts, the running statement
 * is canceled on the server as well, and `work` fails.
 */
export async function runSession<T>(
  connection: ConnectionOptions,
  work: (session: Session) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  signal.throwIfAborted();
  const client = new pg.Client({ ...connection, application_name: APPLICATION });
  client.on('error', () => {}); // fails the query under way
  let onAbort = () => {};
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    onAbort = () => void cancelStatement(connection, rows[0]!.pid);
    signal.addEventListener('abort', onAbort, { once: true });
    return await work(createSession(client, signal));
  } finally {
    signal.removeEventListener('abort', onAbort);
    await client.end().catch(() => {});
  }
}

/** Another connection has to request it. Without one, the statement continues to its end. */
async function cancelStatement(connection: ConnectionOptions, pid: number): Promise<void> {
  const client = new pg.Client({ ...connection, application_name: APPLICATION, connectionTimeoutMillis: CANCEL_MS });
  client.on('error', () => {});
  await client
    .connect()
    .then(() => client.query('select pg_cancel_backend($1)', [pid]))
    .catch(() => {});
  await client.end().catch(() => {});
}

function createSession(client: pg.Client, signal: AbortSignal): Session {
  return {
    async query(text, values = []) {
      signal.throwIfAborted();
      const { rows } = await client.query(text, [...values]);
      return rows;
    },
    async transaction(work) {
      signal.throwIfAborted();
      await client.query('begin');
      try {
        const result = await work();
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch(() => {});
        throw error;
      }
    },
    async copy(statement, bytes) {
      signal.throwIfAborted();
      const { from: copyFrom } = await import('pg-copy-streams');
      await pipeline(Readable.from(bytes, { objectMode: false }), client.query(copyFrom(statement)));
    },
  };
}
