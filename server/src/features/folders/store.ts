import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';

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
    .where('scope', '<>', 'sample')
    .where((where) => where.or([where('owner_id', '=', userId), where('owner_id', 'is', null)]))
    .orderBy('scope', 'desc')
    .execute();
}

/** The folder of the organisation's samples. */
export async function sampleFolder(db: Queryable, orgId: string) {
  return db
    .selectFrom('folders')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('scope', '=', 'sample')
    .executeTakeFirst();
}

/** Locks those of the folders that are there, always in the same order: who holds several waits for nobody who waits for them. */
export async function holdFolders(trx: Transaction, ids: readonly string[]): Promise<void> {
  await sql`select from folders where id = any(${ids}::text[]) order by id for update`.execute(trx);
}

type FolderPlace = { name: string; id: string };

/** Folders by name, of one scope or both: each is read off the unique index from the place on, whatever the number of folders. */
export async function page(
  db: Queryable,
  { orgId, userId, folderId, scope, after, limit }: PageRequest,
): Promise<FolderRow[]> {
  const branch = (of: 'user' | 'org') => {
    const rows = db
      .selectFrom('folders')
      .selectAll()
      .where('org_id', '=', orgId)
      .where('scope', '=', of)
      .where(sql`coalesce(owner_id, '')`, '=', of === 'user' ? userId : '')
      .$if(folderId !== null, (query) => query.where('id', '=', folderId))
      .orderBy('name')
      .limit(limit);
    return after ? rows.where(sql<boolean>`(name, id) > (${after.name}, ${after.id})`) : rows;
  };
  const both = db
    .selectFrom(branch('user').as('personal'))
    .selectAll()
    .unionAll(db.selectFrom(branch('org').as('shared')).selectAll());
  return db
    .selectFrom((scope ? branch(scope) : both).as('page'))
    .selectAll()
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .execute();
}

type PageRequest = {
  orgId: string;
  userId: string;
  /** The one folder that may be among them; null: any. */
  folderId: string | null;
  scope: 'user' | 'org' | null;
  after: FolderPlace | null;
  limit: number;
};

/** Undefined when there is no such folder any more. Throws a unique violation when the name is taken. */
export async function changeFolder(
  db: Queryable,
  id: string,
  changes: { name?: string; description?: string | null; retention_days?: number | null },
) {
  return db
    .updateTable('folders')
    .set({ id, ...changes })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

export async function deleteFolder(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('folders').where('id', '=', id).execute();
}

export type NewFolderRow = {
  id: string;
  org_id: string;
  owner_id: string | null;
  created_by: string;
  scope: 'user' | 'org' | 'sample';
  name: string;
  description: string | null;
  retention_days: number | null;
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

/** False when there is no such folder. */
export async function addToVideoCount(db: Queryable, id: string, delta: number): Promise<boolean> {
  const result = await db
    .updateTable('folders')
    .set({ video_count: sql`video_count + ${delta}::integer` })
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
