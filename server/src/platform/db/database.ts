import { setTimeout as sleep } from 'node:timers/promises';
import { type Dialect, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Log } from '#platform/log';
import type { ConnectionOptions, Database, Db } from './index.ts';
import { createListener } from './listener.ts';
import { failureKind } from './retry.ts';
import type { DB } from './schema.generated.ts';
import { createSockets } from './sockets.ts';
import { preparingClient } from './statements.ts';
import { createUnits, currentUnit, outsideUnit } from './unit.ts';

/** Conflicts are over at once; a server that restarts is back within seconds. */
const PATIENCE_MS = { conflict: 2_000, connection: 15_000, fault: 0 };
const PING_MS = 3_000;
/** Longer than any honest statement: backups and migrations have connections of their own. */
const STATEMENT_MS = 300_000;
/** So long statements under way have to end when the pool is closed. */
const CLOSE_GRACE_MS = 2_000;

// int8 columns are counters and sizes, far below 2^53; `json` columns are documents we pass on without reading.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.JSON, (text) => text);

/** Opens a pool on a database that is already migrated (see `migrate`). */
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
  // Without a listener a broken connection would end the process: an idle one tells the pool, one that is lent out only itself.
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
  const db: Db = new Kysely<DB>({ dialect });
  const listener = createListener(connection, log);

  return {
    db,
    connection,
    async transaction(work) {
      const started = performance.now();
      for (let attempt = 0; ; attempt++) {
        let committing = false;
        try {
          return await db.transaction().execute(async (trx) => {
            const result = await work(trx);
            committing = true;
            return result;
          });
        } catch (error) {
          const kind = failureKind(error);
          // A connection lost while committing: it may have happened, so doing it again may do it twice.
          const unknown = committing && kind === 'connection';
          const lost = currentUnit()?.failure;
          if (unknown || lost || performance.now() - started >= PATIENCE_MS[kind]) throw error;
          await sleep(Math.min(1_000, 20 * 2 ** attempt) * (0.5 + Math.random()));
        }
      }
    },
    unit: units.begin,
    outsideUnit,
    async notify(trx, channel, payload) {
      await sql`select pg_notify(${channel}, ${payload})`.execute(trx);
    },
    listen: listener.listen,
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
