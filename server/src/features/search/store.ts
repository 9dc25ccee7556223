import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { Queryable } from '#platform/db/index';
import { fromWire, toWire } from '#platform/http/index';
import { StoredSearchResult } from './schema.ts';

export type SearchSessionRow = {
  id: string;
  orgId: string;
  ownerId: string;
  query: string;
  folderId: string;
  folderName: string;
  /** Null until the search was run. */
  result: StoredSearchResult | null;
  createdAt: Date;
  completedAt: Date | null;
};

const SESSION = [
  'id',
  'orgId',
  'ownerId',
  'query',
  'folderId',
  'folderName',
  'result',
  'createdAt',
  'completedAt',
] as const;

export async function insertSession(
  db: Queryable,
  session: Omit<SearchSessionRow, 'result' | 'createdAt' | 'completedAt'>,
): Promise<void> {
  await db.insertInto('searchSessions').values(session).execute();
}

export async function findSession(db: Queryable, id: string): Promise<SearchSessionRow | null> {
  const row = await db.selectFrom('searchSessions').select(SESSION).where('id', '=', id).executeTakeFirst();
  if (!row) return null;
  const { result, ...session } = row;
  return {
    ...session,
    result: result === null ? null : fromWire(StoredSearchResult, result as Static<typeof StoredSearchResult>),
  };
}

export async function complete(db: Queryable, id: string, result: StoredSearchResult): Promise<void> {
  await db
    .updateTable('searchSessions')
    .set({ result: JSON.stringify(toWire(StoredSearchResult, result)), completedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Deletes sessions from before `before`. Returns their number. */
export async function purge(db: Queryable, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('searchSessions')
    .where('createdAt', '<', before)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
