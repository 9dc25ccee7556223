import { sql } from 'kysely';
import type { Database, Queryable, UnitOfWork } from '#platform/db/index';

/** How long an answer is replayed. */
export const KEEP_HOURS = 24;
/** How long a claim holds without a sign of life from its holder. */
export const LOCK_S = 15;

/** A stored answer; `contentType` is null when it is not an answer but what a resumable route remembered. */
export type StoredAnswer = { status: number; contentType: string | null; body: Buffer };

export type Claim =
  /** `reference` is what an earlier handling of the request, which did not finish, left with `refer`. */
  | { state: 'mine'; reference: string | null }
  | { state: 'running' }
  | { state: 'conflict' }
  | { state: 'answered'; answer: StoredAnswer };

/** Names one request: who sent it, under which key, and (as `holder`) which node's handling of it this is. */
export type Ticket = Readonly<{ scope: string; key: string; fingerprint: string; holder: string }>;

export interface IdempotencyStore {
  /** Claims the key for this request, or says what stands in the way. A claim whose holder died is taken over. */
  claim(ticket: Ticket): Promise<Claim>;
  /** A sign of life: the claim holds for another `LOCK_S` seconds. */
  extend(ticket: Ticket): Promise<void>;
  /** Notes what the request has created so far. False when the claim was lost to another holder. */
  refer(ticket: Ticket, reference: string, trx: Queryable): Promise<boolean>;
  /** Keeps the answer for whoever repeats the request. False when the claim was lost to another holder. */
  complete(ticket: Ticket, answer: StoredAnswer, trx?: Queryable): Promise<boolean>;
  /** Gives the key back, as if the request had never been made; where it has left a reference, a repeat gets that. */
  release(ticket: Ticket): Promise<void>;
  /** Removes what was claimed before `before`; returns how many. */
  purge(before: Date): Promise<number>;
  /** Begins a transaction around all that a request changes, for its answer to be recorded in. */
  unit(): UnitOfWork;
}

export function createIdempotencyStore({ db, unit }: Pick<Database, 'db' | 'unit'>): IdempotencyStore {
  const mine = (queryable: Queryable, { scope, key, holder }: Ticket) =>
    queryable
      .updateTable('idempotency_keys')
      .where('scope', '=', scope)
      .where('key', '=', key)
      .where('holder', '=', holder)
      .where('status', 'is', null);
  const isOld = sql<boolean>`idempotency_keys.created_at < now() - make_interval(hours => ${KEEP_HOURS})`;
  const lockedUntil = sql<Date>`now() + make_interval(secs => ${LOCK_S})`;

  return {
    unit,
    async claim({ scope, key, fingerprint, holder }) {
      // One statement decides, whatever arrives at the same time: a new row, a dead holder's row, or one that is too old to count.
      const claimed = await db
        .insertInto('idempotency_keys')
        .values({ scope, key, fingerprint, holder, locked_until: lockedUntil })
        .onConflict((conflict) =>
          conflict
            .columns(['scope', 'key'])
            .doUpdateSet({
              fingerprint,
              holder,
              locked_until: lockedUntil,
              status: null,
              content_type: null,
              body: null,
              reference: sql`case when ${isOld} then null else idempotency_keys.reference end`,
              created_at: sql`now()`,
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
        .selectFrom('idempotency_keys')
        .select(['fingerprint', 'status', 'content_type', 'body'])
        .where('scope', '=', scope)
        .where('key', '=', key)
        .executeTakeFirst();
      if (!row) return { state: 'running' }; // released between the two statements: ask again
      if (row.fingerprint !== fingerprint) return { state: 'conflict' };
      if (row.status === null) return { state: 'running' };
      return {
        state: 'answered',
        answer: { status: row.status, contentType: row.content_type, body: row.body ?? Buffer.alloc(0) },
      };
    },
    async extend(ticket) {
      await mine(db, ticket).set({ locked_until: lockedUntil }).execute();
    },
    async refer(ticket, reference, trx) {
      const result = await mine(trx, ticket).set({ reference }).executeTakeFirst();
      return result.numUpdatedRows === 1n;
    },
    async complete(ticket, { status, contentType, body }, trx = db) {
      const result = await mine(trx, ticket).set({ status, content_type: contentType, body }).executeTakeFirst();
      return result.numUpdatedRows === 1n;
    },
    async release(ticket) {
      const { scope, key, holder } = ticket;
      await mine(db, ticket).set({ locked_until: sql<Date>`now()` }).where('reference', 'is not', null).execute();
      await db
        .deleteFrom('idempotency_keys')
        .where('scope', '=', scope)
        .where('key', '=', key)
        .where('holder', '=', holder)
        .where('status', 'is', null)
        .where('reference', 'is', null)
        .execute();
    },
    async purge(before) {
      const result = await db.deleteFrom('idempotency_keys').where('created_at', '<', before).executeTakeFirst();
      return Number(result.numDeletedRows);
    },
  };
}
