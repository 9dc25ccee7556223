import { sql } from 'kysely';
import type { Queryable } from '#platform/db/index';
import type { Match } from './schema.ts';

export type Result = { thoughts: string[]; matches: Match[] };

export type Session = {
  id: string;
  orgId: string;
  ownerId: string;
  query: string;
  folderId: string;
  folderName: string;
  /** Null until it was run. */
  result: Result | null;
  createdAt: Date;
  completedAt: Date | null;
};

const SESSION = [
  'id',
  'org_id as orgId',
  'owner_id as ownerId',
  'query',
  'folder_id as folderId',
  'folder_name as folderName',
  'result',
  'created_at as createdAt',
  'completed_at as completedAt',
] as const;

export async function insertSession(
  db: Queryable,
  session: Omit<Session, 'result' | 'createdAt' | 'completedAt'>,
): Promise<void> {
  await db
    .insertInto('search_sessions')
    .values({
      id: session.id,
      org_id: session.orgId,
      owner_id: session.ownerId,
      query: session.query,
      folder_id: session.folderId,
      folder_name: session.folderName,
    })
    .execute();
}

export async function findSession(db: Queryable, id: string): Promise<Session | null> {
  const row = await db.selectFrom('search_sessions').select(SESSION).where('id', '=', id).executeTakeFirst();
  return (row as Session | undefined) ?? null;
}

export async function complete(db: Queryable, id: string, result: Result): Promise<void> {
  await db
    .updateTable('search_sessions')
    .set({ result: JSON.stringify(result), completed_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Forgets sessions from before. Returns how many there were. */
export async function purge(db: Queryable, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('search_sessions')
    .where('created_at', '<', before)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
