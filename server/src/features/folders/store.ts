import { sql } from 'kysely';
import type { Queryable } from '#platform/db/index';

export type FolderRow = NonNullable<Awaited<ReturnType<typeof folderById>>>;

export async function folderById(db: Queryable, id: string) {
  return db.selectFrom('folders').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The folders of this name that a user sees: at most a personal one and one of the organisation's, in this order. */
export async function foldersByName(
  db: Queryable,
  { orgId, userId, name }: { orgId: string; userId: string; name: string },
) {
  return db
    .selectFrom('folders')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('name', '=', name)
    .where((where) => where.or([where('owner_id', '=', userId), where('owner_id', 'is', null)]))
    .orderBy('scope', 'desc')
    .execute();
}

export type NewFolderRow = {
  id: string;
  org_id: string;
  owner_id: string | null;
  created_by: string;
  scope: 'user' | 'org';
  name: string;
  description: string | null;
};

/** Undefined when the name is taken: the unique index decides, whoever asks at the same time. */
export async function insertFolder(db: Queryable, row: NewFolderRow) {
  return db
    .insertInto('folders')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function addToVideoCount(db: Queryable, id: string, delta: number): Promise<void> {
  await db
    .updateTable('folders')
    .set({ video_count: sql`video_count + ${delta}::integer` })
    .where('id', '=', id)
    .execute();
}
