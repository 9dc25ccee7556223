import type { Kysely, Transaction as KyselyTransaction } from 'kysely';
import type { DB } from './schema.generated.ts';

/** Query builder on the pool; use it only in `store.ts` files. */
export type Db = Kysely<DB>;
export type Transaction = KyselyTransaction<DB>;

/** First argument of store functions: the pool, or a transaction that the caller owns. */
export type Queryable = Db | Transaction;

export interface Database {
  db: Db;
  /**
   * Runs `work` in one transaction. Retries it for a limited time after a deadlock, a serialization failure or the loss
   * of the server, so `work` must have no effects outside the transaction. Throws if the connection is lost during the
   * commit: its outcome is then unknown.
   */
  transaction<T>(work: (trx: Transaction) => Promise<T>): Promise<T>;
  /** Starts a unit of work. End it with `commit` or `rollback`. */
  unit(): UnitOfWork;
  /**
   * Runs `work` outside the unit of the calling code: its changes are committed at once, whether or not the unit is.
   */
  outsideUnit<T>(work: () => T): T;
  /** Sends a notification when the transaction commits. The payload may have 7,900 bytes. */
  notify(trx: Queryable, channel: string, payload: string): Promise<void>;
  /**
   * Calls `onPayload` for each notification on `channel`. All channels share one connection, which reconnects by
   * itself. `onPayload(null)` after a reconnect means that notifications may have been missed. Returns the function
   * that unsubscribes.
   */
  listen(channel: string, onPayload: (payload: string | null) => void): Promise<() => void>;
  /** Connects another driver (the job queue, backup) to the same database. */
  connection: ConnectionOptions;
  /**
   * Runs `work` on a connection of its own: for COPY, locks of a session, and statements that take longer than those of
   * the pool may. If the signal aborts, the running statement is canceled.
   */
  session<T>(work: (session: Session) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Connections of the pool now, and statements that wait for one. */
  connections(): { max: number; total: number; idle: number; waiting: number };
  /** True if the database responds within three seconds. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

/** A connection outside the pool. Columns have the names that statements give them. */
export interface Session {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /** Sends bytes to a statement `copy … from stdin`. */
  copy(statement: string, bytes: Iterable<Buffer>): Promise<void>;
}

/**
 * One transaction around all changes made in `run`, through `transaction` and through `db`. They become visible with
 * `commit`. Code in the unit must not wait for others to see its changes, and must not nest transactions.
 */
export interface UnitOfWork {
  run<T>(work: () => T): T;
  /** Throws if the transaction was lost. If it was lost during the commit, its outcome is unknown. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

export type ConnectionOptions =
  | { connectionString: string }
  | { host: string; port: number; user: string; password?: string; database: string };
