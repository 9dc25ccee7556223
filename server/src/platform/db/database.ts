import { setTimeout as sleep } from 'node:timers/promises';
import { CamelCasePlugin, type Dialect, Kysely, PostgresDialect, sql } from 'kysely';
import pRetry from 'p-retry';
import pg from 'pg';
import type { Log } from '#platform/log';
import { createListener } from './listener.ts';
import { failureKind } from './retry.ts';
import type { DB } from './schema.generated.ts';
import { runSession } from './session.ts';
import { createSockets } from './sockets.ts';
import { preparingClient } from './statements.ts';
import type { ConnectionOptions, Database, Db } from './types.ts';
import { createUnits, currentUnit, outsideUnit } from './unit-of-work.ts';

/** PostgreSQL takes a second to find a deadlock, so several may end one transaction; a server restarts in seconds. */
const RETRY_FOR_MS = { conflict: 10_000, connection: 15_000, fault: 0 };
const BACKOFF = { retries: Number.POSITIVE_INFINITY, minTimeout: 20, maxTimeout: 1_000, randomize: true };
const PING_MS = 3_000;
/** Longer than any regular statement. Backups and migrations use their own connections. */
const STATEMENT_MS = 300_000;
/** Time for running statements to end when the pool is closed. */
const CLOSE_GRACE_MS = 2_000;

// int8 columns are counters and sizes far below 2^53. `json` columns are documents that are passed on as text.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.JSON, (text) => text);

/** Opens a pool on a migrated database. */
export function openDatabase(connection: ConnectionOptions, log: Log, poolSize = 10): Database {
  const sockets = createSockets();
  const pool = new pg.Pool({
    Client: preparingClient(),
    query_timeout: STATEMENT_MS,
    ...connection,
    ...sockets.options,
    types,
    application_name: 'sightline',
    max: poolSize,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 15_000,
  });
  // Without these listeners a lost connection would end the process. An idle one reports to the pool, a used one to
  // itself.
  pool.on('error', (error) => log.warn({ err: error }, 'database connection lost'));
  pool.on('connect', (client) => client.on('error', () => {}));
  const postgres = new PostgresDialect({ pool });
  const units = createUnits(postgres.createDriver());
  const dialect: Dialect = {
    createDriver: () => units.driver,
    createAdapter: () => postgres.createAdapter(),
    createIntrospector: (on) => postgres.createIntrospector(on),
    createQueryCompiler: () => postgres.createQueryCompiler(),
  };
  // Columns are camelCase in code; keys inside JSON values stay as stored.
  const db: Db = new Kysely<DB>({ dialect, plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })] });
  const listener = createListener(connection, log);

  return {
    db,
    connection,
    async transaction(work) {
      const started = performance.now();
      let committing = false;
      const attempt = () => {
        committing = false;
        return db.transaction().execute(async (trx) => {
          const result = await work(trx);
          committing = true;
          return result;
        });
      };
      const shouldRetry = ({ error }: { error: Error }) => {
        const kind = failureKind(error);
        // If the connection was lost during the commit, the changes may be stored: a second run could apply them twice.
        const unknown = committing && kind === 'connection';
        return !unknown && !currentUnit()?.failure && performance.now() - started < RETRY_FOR_MS[kind];
      };
      return pRetry(attempt, { ...BACKOFF, shouldRetry });
    },
    unit: units.begin,
    outsideUnit,
    async notify(trx, channel, payload) {
      await sql`select pg_notify(${channel}, ${payload})`.execute(trx);
    },
    listen: listener.listen,
    session: (work, signal) => runSession(connection, work, signal),
    connections: () => ({
      max: poolSize,
      total: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async ping() {
      const answer = sql`select 1`.execute(db).then(
        () => true,
        () => false,
      );
      return Promise.race([answer, sleep(PING_MS, false, { ref: false })]);
    },
    async close() {
      await listener.close();
      const ended = db.destroy();
      await Promise.race([ended, sleep(CLOSE_GRACE_MS, undefined, { ref: false })]);
      sockets.destroy();
      await ended;
    },
  };
}
