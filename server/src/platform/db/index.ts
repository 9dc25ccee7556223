import type { Kysely, Transaction as KyselyTransaction } from 'kysely';
import type { DB } from './schema.generated.ts';

/**
 * The database: PostgreSQL, the one that DATABASE_URL names or the embedded one that this room runs itself; nobody above can tell
 * which. `openConfiguredDatabase` opens it, brought to this version and checked.
 */
export { openConfiguredDatabase } from './connect.ts';
export { openDatabase } from './database.ts';
export { migrate } from './migrate.ts';
export { isDiskFull } from './retry.ts';
export type { DB } from './schema.generated.ts';
export { createSockets } from './sockets.ts';
export { PLANNED_BY_VALUES } from './statements.ts';

/** Pool-wide query builder; use only in `store.ts` files. */
export type Db = Kysely<DB>;
export type Transaction = KyselyTransaction<DB>;

/** What stores take as first argument: the pool or a transaction; the caller owns the transaction. */
export type Queryable = Db | Transaction;

export interface Database {
  db: Db;
  /**
   * Runs `work` in one transaction. After a deadlock, a serialisation failure or the loss of the server it is run again (bounded), so it
   * must do nothing outside the transaction. A connection lost during the commit itself is thrown: nobody knows what became of it.
   */
  transaction<T>(work: (trx: Transaction) => Promise<T>): Promise<T>;
  /** Begins a unit of work. End it with `commit` or `rollback`. */
  unit(): UnitOfWork;
  /** Runs `work` outside the unit of the calling code: what it writes is committed at once, whatever becomes of the unit. */
  outsideUnit<T>(work: () => T): T;
  /** Sends a notification when the transaction commits. Payload at most 7,900 bytes. */
  notify(trx: Queryable, channel: string, payload: string): Promise<void>;
  /**
   * Calls `onPayload` for each notification on `channel`, over one shared connection that reconnects by itself; after a
   * reconnect `onPayload(null)` says that some may have been missed: look at the rows. Returns the unsubscribe function.
   */
  listen(channel: string, onPayload: (payload: string | null) => void): Promise<() => void>;
  /** How to reach the same database from another driver (the job queue, backup). */
  connection: ConnectionOptions;
  /** Whether the database answers within three seconds. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * One transaction around all that `run` changes, by `transaction` and by `db` alike: nobody else sees any of it before `commit`. What runs
 * inside must not wait for others to act on its changes, and must not start a transaction inside another one.
 */
export interface UnitOfWork {
  run<T>(work: () => T): T;
  /** Throws when the transaction was lost; after a loss during the commit itself nobody knows what became of it. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

export type ConnectionOptions =
  | { connectionString: string }
  | { host: string; port: number; user: string; password?: string; database: string };
