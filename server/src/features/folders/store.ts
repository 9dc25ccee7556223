import { sql } from 'kysely';
import { isUsable, type Principal } from '#platform/access/index';
import type { Queryable, Transaction } from '#platform/db/index';
import type { Person } from '#platform/http/index';

export type FolderRow = NonNullable<Awaited<ReturnType<typeof folderById>>>;

export async function folderById(db: Queryable, id: string) {
  return db.selectFrom('folders').selectAll().where('id', '=', id).executeTakeFirst();
}

/** A user's folders of this name: at most a personal one and one of the organization, in this order. */
export async function foldersByName(db: Queryable, user: Principal, name: string) {
  return db
    .selectFrom('folders')
    .selectAll()
    .where(isUsable(user, 'folders'))
    .where('name', '=', name)
    .orderBy('scope', 'desc')
    .execute();
}

/** The folder of the organization's samples. */
export async function sampleFolder(db: Queryable, orgId: string) {
  return db
    .selectFrom('folders')
    .selectAll()
    .where('orgId', '=', orgId)
    .where('scope', '=', 'sample')
    .executeTakeFirst();
}

/** Locks folders in a fixed order, so that transactions with several folders cannot deadlock. */
export async function lockFolders(trx: Transaction, ids: readonly string[]): Promise<void> {
  await sql`select from folders where id = any(${ids}::text[]) order by id for update`.execute(trx);
}

type FolderPlace = { name: string; id: string };

/** Folders by name, of one scope or both. Each scope is read from the unique index after the cursor. */
export async function page(db: Queryable, { caller, scope, after, limit }: PageRequest): Promise<FolderRow[]> {
  const branch = (of: 'user' | 'org') => {
    const rows = db
      .selectFrom('folders')
      .selectAll()
      .where(isUsable(caller, 'folders', of))
      // The expression of the unique index.
      .where(sql`coalesce(owner_id, '')`, '=', of === 'user' ? caller.userId : '')
      .$if(caller.folderId !== undefined, (query) => query.where('id', '=', caller.folderId!))
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
  caller: Person;
  scope: 'user' | 'org' | null;
  after: FolderPlace | null;
  limit: number;
};

/** Undefined if the folder does not exist. Throws a unique violation if the name is taken. */
export async function changeFolder(
  db: Queryable,
  id: string,
  changes: { name?: string; description?: string | null; retentionDays?: number | null; visionProfile?: string | null },
) {
  return db
    .updateTable('folders')
    .set({ id, ...changes })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

export async function setClockRule(trx: Transaction, id: string, rule: object | null): Promise<void> {
  const clockRule = rule === null ? null : JSON.stringify(rule);
  await trx.updateTable('folders').set({ clockRule }).where('id', '=', id).execute();
}

export async function deleteFolder(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('folders').where('id', '=', id).execute();
}

export type NewFolderRow = {
  id: string;
  orgId: string;
  ownerId: string | null;
  createdBy: string;
  scope: 'user' | 'org' | 'sample';
  name: string;
  description: string | null;
  retentionDays: number | null;
  visionProfile: string | null;
};

/** Names of the vision profiles of those of these folders that have one. */
export async function visionProfiles(db: Queryable, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('folders')
    .select(['id', 'visionProfile'])
    .where('id', '=', sql<string>`any(${ids}::text[])`)
    .where('visionProfile', 'is not', null)
    .execute();
  return new Map(rows.map(({ id, visionProfile }) => [id, visionProfile!]));
}

/** Undefined if the name is taken; the unique index decides between concurrent inserts. */
export async function insertFolder(db: Queryable, row: NewFolderRow) {
  return db
    .insertInto('folders')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** False if the folder does not exist. */
export async function addToVideoCount(db: Queryable, id: string, delta: number): Promise<boolean> {
  const result = await db
    .updateTable('folders')
    .set({ videoCount: sql`video_count + ${delta}::integer` })
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
