import { type ExpressionBuilder, sql } from 'kysely';
import { type DB, PLANNED_BY_VALUES, type Queryable } from '#platform/db/index';
import { type Row, videoOf } from './store.ts';
import type { ListOptions, Sort, Video } from './types.ts';

/** Where a page ended: the name counts only in lists by name. */
export type Place = { name: string; id: string };

type PageRequest = {
  orgId: string;
  userId: string;
  /** Whether personal videos of others are seen too. */
  whole: boolean;
  scope: 'user' | 'org' | null;
  /** A folder that the caller may see: what lies in it has its scope and owner. */
  folderId: string | null;
  deleted: boolean;
  sort: Sort;
  after: Place | null;
  limit: number;
} & Pick<ListOptions, 'status' | 'nameContains' | 'tag' | 'source' | 'createdAfter' | 'createdBefore'>;

/**
 * A page is cut from at most two indexes, each read from the cursor on: its cost does not grow with the library. A filter that few
 * videos pass makes it read further.
 */
export async function page(db: Queryable, request: PageRequest): Promise<Video[]> {
  const { orgId, userId, whole, scope, folderId, deleted, sort, after, limit } = request;
  const byName = sort.endsWith('name');
  const down = sort.startsWith('-');
  const direction = down ? 'desc' : 'asc';

  let cut = db
    .selectFrom('videos')
    .selectAll()
    .where('deleted_at', deleted ? 'is not' : 'is', null)
    .where(filters(request))
    .limit(limit);
  if (deleted) cut = cut.where('erase_after', '>', sql<Date>`now()`);
  if (byName) cut = cut.orderBy('name', direction);
  cut = cut.orderBy('id', direction);
  if (after && byName) {
    const beyond = sql.raw(down ? '<' : '>');
    cut = cut.where(sql<boolean>`(name, id) ${beyond} (${after.name}, ${after.id})`);
  } else if (after) cut = cut.where('id', down ? '<' : '>', after.id);

  const mine = cut.where('org_id', '=', orgId).where('scope', '<>', 'sample');
  const shared = mine.where('scope', '=', 'org');
  const personal = whole
    ? mine.where('scope', '=', 'user')
    : mine.where('scope', '=', 'user').where('owner_id', '=', userId);
  const both = db
    .selectFrom(shared.as('shared'))
    .selectAll()
    .unionAll(db.selectFrom(personal.as('personal')).selectAll());
  const seen = scope === 'org' ? shared : scope === 'user' ? personal : whole && !byName ? mine : both;
  const chosen = folderId === null ? seen : cut.where('folder_id', '=', folderId);

  let joined = db
    .selectFrom(chosen.as('page'))
    .leftJoin('folders', 'folders.id', 'page.folder_id')
    .selectAll('page')
    .select('folders.name as folder_name')
    .limit(limit);
  if (byName) joined = joined.orderBy('page.name', direction);
  joined = joined.orderBy('page.id', direction);
  // What few names have is found by the index on them; what most have sooner by looking through the page's own index.
  if (request.nameContains) joined = joined.modifyEnd(sql.raw(PLANNED_BY_VALUES));
  const rows: Row[] = await joined.execute();
  return rows.map(videoOf);
}

const filters =
  ({ orgId, status, nameContains, tag, source, createdAfter, createdBefore }: PageRequest) =>
  (where: ExpressionBuilder<DB, 'videos'>) =>
    where.and([
      ...(status ? [where('status', '=', status)] : []),
      ...(source ? [where('source', '=', source)] : []),
      ...(nameContains ? [hasInName(orgId, nameContains)] : []),
      // The second half is what the index on tags is made for.
      ...(tag ? [sql<boolean>`tags @> array[${tag}]::text[] and tags <> '{}'`] : []),
      ...(createdAfter ? [where('created_at', '>=', createdAfter), where('id', '>', idAt(createdAfter, -1))] : []),
      ...(createdBefore ? [where('created_at', '<', createdBefore), where('id', '<', idAt(createdBefore, 1))] : []),
    ]);

/** In any case of letters. The first half is what the index is made for; what is shorter than its parts is looked for without it. */
function hasInName(orgId: string, text: string) {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`name_parts(org_id, name) @> name_parts(${orgId}, ${text}) and lower(name) like lower(${pattern})`;
}

/** Ids begin with their time in milliseconds, so a list by age begins near the time that is asked for; clocks may differ by an hour. */
function idAt(time: Date, hours: number): string {
  const ms = Math.max(0, time.getTime() + hours * 3_600_000);
  return ms.toString(16).padStart(12, '0');
}
