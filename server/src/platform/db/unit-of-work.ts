import { AsyncLocalStorage } from 'node:async_hooks';
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely';
import { failureKind } from './retry.ts';
import type { UnitOfWork } from './types.ts';

/** The server ends a unit that is idle for longer: its handler hangs and holds locks. */
const IDLE_S = 60;

/** Statements that change data. A false match only opens the transaction earlier. */
const WRITE = /\b(insert\s+into|update|delete\s+from|merge\s+into|pg_notify|nextval)\b/i;

/** The connection of code inside a unit: its own until the unit has one, which all then share. */
type Lease = DatabaseConnection & { readonly own: DatabaseConnection | null };

const current = new AsyncLocalStorage<Unit | null>();

/** The unit of the calling code, until it is over. */
export function currentUnit(): Pick<Unit, 'failure'> | null {
  const unit = current.getStore();
  return unit && !unit.over ? unit : null;
}

/** Runs `work` outside the unit of the calling code: its changes are committed at once, whether or not the unit is. */
export const outsideUnit = <T>(work: () => T): T => current.run(null, work);

/** Creates units, and a driver whose connections join the unit of the calling code. */
export function createUnits(driver: Driver): { driver: Driver; begin: () => UnitOfWork } {
  const unitOf = (connection: DatabaseConnection) => (connection as { unit?: Unit }).unit;
  return {
    begin: () => new Unit(driver),
    driver: {
      init: (options) => driver.init(options),
      destroy: (options) => driver.destroy(options),
      async acquireConnection(options) {
        const unit = current.getStore();
        return unit && !unit.over ? unit.lease() : driver.acquireConnection(options);
      },
      async releaseConnection(connection, options) {
        const unit = unitOf(connection);
        if (!unit) return driver.releaseConnection(connection, options);
        const { own } = connection as Lease;
        if (own && !unit.adopted.has(own)) await driver.releaseConnection(own, options);
      },
      async beginTransaction(connection, settings) {
        await (unitOf(connection)?.enter(connection as Lease) ?? driver.beginTransaction(connection, settings));
      },
      async commitTransaction(connection) {
        await (unitOf(connection)?.leave('release') ?? driver.commitTransaction(connection));
      },
      async rollbackTransaction(connection) {
        await (unitOf(connection)?.leave('rollback to') ?? driver.rollbackTransaction(connection));
      },
    },
  };
}

/** One transaction around all changes in `run`. Transactions and single writes inside it are savepoints. */
class Unit implements UnitOfWork {
  readonly #driver: Driver;
  /** Connection of the unit's transaction, from its first write. */
  shared: DatabaseConnection | null = null;
  /** Connections that the unit took over from leases and releases itself. */
  readonly adopted = new WeakSet<DatabaseConnection>();
  over = false;
  /** Error that ended the transaction and discarded its changes. */
  failure: unknown = null;
  #opening: Promise<DatabaseConnection> | null = null;
  #inTransaction = false;
  #changed = false;
  /** Queue of statements, which share one connection. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(driver: Driver) {
    this.#driver = driver;
  }

  run<T>(work: () => T): T {
    return current.run(this, work);
  }

  async commit(): Promise<void> {
    await this.#end((connection) => this.#driver.commitTransaction(connection));
    if (this.failure) throw this.failure;
  }

  async rollback(): Promise<void> {
    // A lost connection has rolled back already.
    await this.#end((connection) => this.#driver.rollbackTransaction(connection)).catch(() => {});
  }

  async #end(how: (connection: DatabaseConnection) => Promise<void>): Promise<void> {
    await this.#last.catch(() => {});
    this.over = true;
    const { shared } = this;
    this.shared = null;
    if (!shared) return;
    try {
      await how(shared);
    } finally {
      await this.#driver.releaseConnection(shared);
    }
  }

  async lease(): Promise<Lease> {
    if (this.failure) throw this.failure;
    const own = this.shared ? null : await this.#driver.acquireConnection();
    const lease = {
      unit: this,
      own,
      executeQuery: <R>(query: CompiledQuery): Promise<QueryResult<R>> => this.#execute(lease, query),
      streamQuery: <R>(query: CompiledQuery, size: number) => (this.shared ?? own!).streamQuery<R>(query, size),
    };
    return lease;
  }

  /** Starts a transaction inside the unit. */
  async enter(lease: Lease): Promise<void> {
    if (this.#inTransaction) throw new Error('a unit of work runs one transaction at a time');
    this.#inTransaction = true;
    try {
      await this.#open(lease);
      await this.#queue(() => this.#raw('savepoint change'));
    } catch (error) {
      this.#inTransaction = false;
      throw error;
    }
  }

  async leave(how: 'release' | 'rollback to'): Promise<void> {
    this.#inTransaction = false;
    // A lost connection has rolled back already.
    if (how === 'rollback to' && !this.shared) return;
    await this.#queue(() => this.#raw(`${how} change`));
    if (how === 'release') this.#changed = true;
  }

  #execute<R>(lease: Lease, query: CompiledQuery): Promise<QueryResult<R>> {
    if (!this.#inTransaction && WRITE.test(query.sql)) return this.#write(lease, query);
    if (!this.#inTransaction && !this.shared && lease.own) return lease.own.executeQuery<R>(query);
    return this.#queue(() => this.#send<R>(query));
  }

  /** A write outside a transaction. If it fails, earlier changes of the unit remain. */
  async #write<R>(lease: Lease, query: CompiledQuery): Promise<QueryResult<R>> {
    await this.#open(lease);
    return this.#queue(async () => {
      await this.#raw('savepoint write');
      try {
        const result = await this.#send<R>(query);
        await this.#raw('release write');
        this.#changed = true;
        return result;
      } catch (error) {
        if (this.shared) await this.#raw('rollback to write');
        throw error;
      }
    });
  }

  async #open({ own }: Lease): Promise<void> {
    if (this.shared) return;
    this.#opening ??= (async () => {
      const connection = own;
      if (!connection) throw this.failure ?? new Error('Connection terminated');
      await this.#driver.beginTransaction(connection, {});
      await connection.executeQuery(CompiledQuery.raw(`set local idle_in_transaction_session_timeout = '${IDLE_S}s'`));
      this.shared = connection;
      this.adopted.add(connection);
      return connection;
    })().finally(() => {
      this.#opening = null;
    });
    await this.#opening;
  }

  #raw = (statement: string) => this.#send(CompiledQuery.raw(statement));

  /** A lost connection discards the unit's changes. Without changes, the unit starts again with another connection. */
  async #send<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { shared } = this;
    if (!shared) throw this.failure ?? new Error('Connection terminated');
    try {
      return await shared.executeQuery<R>(query);
    } catch (error) {
      if (failureKind(error) === 'connection') {
        this.shared = null;
        if (this.#changed) this.failure = error;
        await this.#driver.releaseConnection(shared);
      }
      throw error;
    }
  }

  #queue<T>(statement: () => Promise<T>): Promise<T> {
    const done = this.#last.then(statement, statement);
    this.#last = done.catch(() => {});
    return done;
  }
}
