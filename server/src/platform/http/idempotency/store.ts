import { sql } from 'kysely';
import type { Database, Queryable, UnitOfWork } from '#platform/db/index';

/** Hours for which a response is replayed. */
export const KEEP_HOURS = 24;
/** Seconds after which a claim without a heartbeat expires. */
export const LOCK_S = 15;

/** A stored response. `contentType` is null if it is the saved reference of a resumable route. */
export type StoredResponse = { status: number; contentType: string | null; body: Buffer };

export type IdempotencyClaim =
  /** `reference` is the value that an earlier, interrupted handling of the request stored with `refer`. */
  | { state: 'mine'; reference: string | null }
  | { state: 'running' }
  | { state: 'conflict' }
  | { state: 'answered'; answer: StoredResponse };

/** Identifies a request: credential, `Idempotency-Key`, and the handling of it by one node (`holder`). */
export type IdempotencyTicket = Readonly<{ scope: string; key: string; fingerprint: string; holder: string }>;

export interface IdempotencyStore {
  /** Claims the key for this request, or returns its state. Takes over the claim of a dead holder. */
  claim(ticket: IdempotencyTicket): Promise<IdempotencyClaim>;
  /** Heartbeat: extends the claim by `LOCK_S` seconds. */
  extend(ticket: IdempotencyTicket): Promise<void>;
  /** Stores a reference to what the request has created. False if another holder took over the claim. */
  refer(ticket: IdempotencyTicket, reference: string, trx: Queryable): Promise<boolean>;
  /** Stores the response for repeats. False if another holder took over the claim. */
  complete(ticket: IdempotencyTicket, answer: StoredResponse, trx?: Queryable): Promise<boolean>;
  /** Releases the key as if the request had never been made; a stored reference is retained for a repeat. */
  release(ticket: IdempotencyTicket): Promise<void>;
  /** Removes claims from before `before`. Returns their number. */
  purge(before: Date): Promise<number>;
  /** Starts a transaction for all changes of a request and its response. */
  unit(): UnitOfWork;
}

export function createIdempotencyStore({ db, unit }: Pick<Database, 'db' | 'unit'>): IdempotencyStore {
  const mine = (queryable: Queryable, { scope, key, holder }: IdempotencyTicket) =>
    queryable
      .updateTable('idempotencyKeys')
      .where('scope', '=', scope)
      .where('key', '=', key)
      .where('holder', '=', holder)
      .where('status', 'is', null);
  const isOld = sql<boolean>`idempotency_keys.created_at < now() - make_interval(hours => ${KEEP_HOURS})`;
  const lockedUntil = sql<Date>`now() + make_interval(secs => ${LOCK_S})`;

  return {
    unit,
    async claim({ scope, key, fingerprint, holder }) {
      // One statement decides between concurrent requests: a new row, the row of a dead holder, or an expired one.
      const claimed = await db
        .insertInto('idempotencyKeys')
        .values({ scope, key, fingerprint, holder, lockedUntil })
        .onConflict((conflict) =>
          conflict
            .columns(['scope', 'key'])
            .doUpdateSet({
              fingerprint,
              holder,
              lockedUntil,
              status: null,
              contentType: null,
              body: null,
              reference: sql`case when ${isOld} then null else idempotency_keys.reference end`,
              createdAt: sql`now()`,
            })
            .where(
              sql<boolean>`${isOld}
                and (idempotency_keys.status is not null or idempotency_keys.locked_until < now())
              or idempotency_keys.status is null and idempotency_keys.locked_until < now()
                and idempotency_keys.fingerprint = ${fingerprint}`,
            ),
        )
        .returning('reference')
        .executeTakeFirst();
      if (claimed) return { state: 'mine', reference: claimed.reference };
      const row = await db
        .selectFrom('idempotencyKeys')
        .select(['fingerprint', 'status', 'contentType', 'body'])
        .where('scope', '=', scope)
        .where('key', '=', key)
        .executeTakeFirst();
      if (!row) return { state: 'running' }; // released between the two statements: ask again
      if (row.fingerprint !== fingerprint) return { state: 'conflict' };
      if (row.status === null) return { state: 'running' };
      return {
        state: 'answered',
        answer: { status: row.status, contentType: row.contentType, body: row.body ?? Buffer.alloc(0) },
      };
    },
    async extend(ticket) {
      await mine(db, ticket).set({ lockedUntil }).execute();
    },
    async refer(ticket, reference, trx) {
      const result = await mine(trx, ticket).set({ reference }).executeTakeFirst();
      return result.numUpdatedRows === 1n;
    },
    async complete(ticket, { status, contentType, body }, trx = db) {
      const result = await mine(trx, ticket).set({ status, contentType, body }).executeTakeFirst();
      return result.numUpdatedRows === 1n;
    },
    async release(ticket) {
      const { scope, key, holder } = ticket;
      await mine(db, ticket).set({ lockedUntil: sql<Date>`now()` }).where('reference', 'is not', null).execute();
      await db
        .deleteFrom('idempotencyKeys')
        .where('scope', '=', scope)
        .where('key', '=', key)
        .where('holder', '=', holder)
        .where('status', 'is', null)
        .where('reference', 'is', null)
        .execute();
    },
    async purge(before) {
      const result = await db.deleteFrom('idempotencyKeys').where('createdAt', '<', before).executeTakeFirst();
      return Number(result.numDeletedRows);
    },
  };
}
