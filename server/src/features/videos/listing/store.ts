import { type ExpressionBuilder, sql } from 'kysely';
import { isAdmin, isReadable, type Principal } from '#platform/access/index';
import { type DB, PLANNED_BY_VALUES, type Queryable } from '#platform/db/index';
import { idAt } from '#platform/ids';
import { toVideo, type VideoRow } from '../store.ts';
import type { Video, VideoListOptions, VideoSort } from '../types.ts';

/** End of a page; the name is used only in lists by name. */
export type PagePosition = { name: string; id: string };

type PageRequest = {
  caller: Principal;
  scope: 'user' | 'org' | null;
  /** A folder that the caller may see; its videos have its scope and owner. */
  folderId: string | null;
  deleted: boolean;
  sort: VideoSort;
  after: PagePosition | null;
  limit: number;
} & Pick<VideoListOptions, 'status' | 'nameContains' | 'tag' | 'source' | 'createdAfter' | 'createdBefore'>;

/**
 * Reads a page from at most two indexes, starting at the cursor, so that its cost does not grow with the library. A
 * selective filter reads further.
 */
export async function findPage(db: Queryable, request: PageRequest): Promise<Video[]> {
  const { caller, scope, folderId, deleted, sort, after, limit } = request;
  const byName = sort.endsWith('name');
  const down = sort.startsWith('-');
  const direction = down ? 'desc' : 'asc';

  let matching = db
    .selectFrom('videos')
    .selectAll()
    .where('deletedAt', deleted ? 'is not' : 'is', null)
    .where(filters(request))
    .limit(limit);
  if (deleted) matching = matching.where('eraseAfter', '>', sql<Date>`now()`);
  if (byName) matching = matching.orderBy('name', direction);
  matching = matching.orderBy('id', direction);
  if (after && byName) {
    const beyond = sql.raw(down ? '<' : '>');
    matching = matching.where(sql<boolean>`(name, id) ${beyond} (${after.name}, ${after.id})`);
  } else if (after) matching = matching.where('id', down ? '<' : '>', after.id);

  const ofScope = (only: 'user' | 'org') => matching.where(isReadable(caller, 'videos', only));
  const visible = matching.where(isReadable(caller, 'videos')).where('scope', '<>', 'sample');
  const both = db
    .selectFrom(ofScope('org').as('shared'))
    .selectAll()
    .unionAll(db.selectFrom(ofScope('user').as('personal')).selectAll());
  const scoped = scope ? ofScope(scope) : isAdmin(caller) && !byName ? visible : both;
  const chosen = folderId === null ? scoped : matching.where('folderId', '=', folderId);

  let joined = db
    .selectFrom(chosen.as('page'))
    .leftJoin('folders', 'folders.id', 'page.folderId')
    .selectAll('page')
    .select('folders.name as folderName')
    .limit(limit);
  if (byName) joined = joined.orderBy('page.name', direction);
  joined = joined.orderBy('page.id', direction);
  // For a rare text the index on names is fastest, for a frequent one the index of the page: plan with the actual
  // values.
  if (request.nameContains) joined = joined.modifyEnd(sql.raw(PLANNED_BY_VALUES));
  const rows: VideoRow[] = await joined.execute();
  return rows.map(toVideo);
}

const filters =
  ({ caller, status, nameContains, tag, source, createdAfter, createdBefore }: PageRequest) =>
  (where: ExpressionBuilder<DB, 'videos'>) =>
    where.and([
      ...(status ? [where('status', '=', status)] : []),
      ...(source ? [where('source', '=', source)] : []),
      ...(nameContains ? [hasInName(caller.orgId, nameContains)] : []),
      // The second condition matches the partial index on tags.
      ...(tag ? [sql<boolean>`tags @> array[${tag}]::text[] and tags <> '{}'`] : []),
      ...(createdAfter ? [where('createdAt', '>=', createdAfter), where('id', '>', idAt(createdAfter, -1))] : []),
      ...(createdBefore ? [where('createdAt', '<', createdBefore), where('id', '<', idAt(createdBefore, 1))] : []),
    ]);

/** Case-insensitive. The first condition uses the index; texts shorter than its parts are searched without it. */
function hasInName(orgId: string, text: string) {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`name_parts(org_id, name) @> name_parts(${orgId}, ${text}) and lower(name) like lower(${pattern})`;
}
