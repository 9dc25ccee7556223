import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Log } from '#platform/log';
import type { ConnectionOptions, Database, Db, Transaction } from './index.ts';
import { createListener } from './listener.ts';
import type { DB } from './schema.generated.ts';

/** SQLSTATEs after which the same transaction may succeed: conflicts, and a server that is restarting. */
const RETRYABLE = new Set(['40001', '40P01', '57P01', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT']);
const RETRIES = 5;

// int8 columns are counters and sizes, far below 2^53; `json` columns are documents we pass on without reading.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.JSON, (text) => text);

/** Opens a pool on a database that is already migrated (see `migrate`). */
export function openDatabase(connection: ConnectionOptions, log: Log, poolSize = 10): Database {
  const pool = new pg.Pool({
    ...connection,
    types,
    max: poolSize,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 15_000,
  });
  // Without a listener a broken idle connection would end the process.
  pool.on('error', (error) => log.warn({ err: error }, 'database connection lost'));
  const db: Db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  const listener = createListener(connection, log);

  return {
    db,
    connection,
    async transaction(work) {
      for (let attempt = 0; ; attempt++) {
        try {
          return await db.transaction().execute(work as (trx: Transaction) => ReturnType<typeof work>);
        } catch (error) {
          if (attempt >= RETRIES || !RETRYABLE.has((error as { code?: string }).code ?? '')) throw error;
          await sleep(20 * 2 ** attempt * (0.5 + Math.random()));
        }
      }
    },
    async notify(trx, channel, payload) {
      await sql`select pg_notify(${channel}, ${payload})`.execute(trx);
    },
    listen: listener.listen,
    async ping() {
      try {
        await sql`select 1`.execute(db);
        return true;
      } catch {
        return false;
      }
    },
    async close() {
      await listener.close();
      await db.destroy();
    },
  };
}
