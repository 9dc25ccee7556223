import { sql } from 'kysely';
import type { Plan } from '#engine/index';
import type { Queryable } from '#platform/db/index';

/** The stored reading of a question; null if there is none of its words, which an earlier version may have changed. */
export function toReading({ plan, query }: { plan: string | null; query: string }): { query: string } | null {
  const reading = plan === null ? null : (JSON.parse(plan) as { query: string });
  return reading?.query === query ? reading : null;
}

/** A reading as it is stored, with the version of the engine that made it. */
export type NewReading = { plan: Plan; version: string };

/** Columns of a reading; one that somebody declined may be proposed again. */
export const toColumns = ({ plan, version }: NewReading) => ({
  plan: JSON.stringify(plan),
  planVersion: version,
  declinedReading: null,
});

const isUnread = sql<boolean>`plan ->> 'query' is distinct from query`;

/** Questions that an earlier version saved or changed, so that their words have no reading. */
export async function listUnread(
  db: Queryable,
  limit: number,
): Promise<{ id: string; orgId: string; query: string; folderId: string | null }[]> {
  return db
    .selectFrom('savedQuestions')
    .select(['id', 'orgId', 'query', 'folderId'])
    .where(isUnread)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Stores the first reading of a query. Does nothing if another node has, or if the query has changed. */
export async function storeFirstReading(
  db: Queryable,
  { id, query }: { id: string; query: string },
  reading: NewReading,
): Promise<void> {
  await db
    .updateTable('savedQuestions')
    .set(toColumns(reading))
    .where('id', '=', id)
    .where('query', '=', query)
    .where(isUnread)
    .execute();
}

/** The stored reading of these words of a question; null if there is none. */
export async function findReading(
  db: Queryable,
  { id, query }: { id: string; query: string },
): Promise<{ query: string } | null> {
  const row = await db
    .selectFrom('savedQuestions')
    .select('plan')
    .where('id', '=', id)
    .where('query', '=', query)
    .executeTakeFirst();
  return row ? toReading({ plan: row.plan, query }) : null;
}

/** A question and the reading that somebody decided about. */
type Decided = { id: string; query: string; from: unknown };

const decided = (db: Queryable, { id, query, from }: Decided) =>
  db
    .updateTable('savedQuestions')
    .where('id', '=', id)
    .where('query', '=', query)
    .where(sql<boolean>`plan::text = ${JSON.stringify(from)}`);

/** Replaces the reading of a question. False if it has changed meanwhile. */
export async function replaceReading(db: Queryable, question: Decided, reading: NewReading): Promise<boolean> {
  const { numUpdatedRows } = await decided(db, question).set(toColumns(reading)).executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Stores that another reading is not accepted. False if the reading of the question has changed meanwhile. */
export async function keepReading(db: Queryable, question: Decided, declinedReading: string): Promise<boolean> {
  const { numUpdatedRows } = await decided(db, question).set({ declinedReading }).executeTakeFirst();
  return numUpdatedRows > 0n;
}
