import { sql } from 'kysely';
import { isAdmin, isReadable } from '#platform/access/index';
import { PLANNED_BY_VALUES, type Queryable } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { toVideo, type VideoRow } from '../store.ts';
import type { Video, VideoFilters, VideoSort, VideoSortField } from '../types.ts';
import { indexedConditions, ownConditions } from './filter-store.ts';

/** End of a page. `value`: that of the field by which the list is ordered. */
export type PagePosition = { value: string; id: string };

type PageRequest = VideoFilters & {
  caller: Caller;
  scope: 'user' | 'org' | null;
  /** A folder that the caller may see; its videos have its scope and owner. */
  folderId: string | null;
  deleted: boolean;
  sort: VideoSort;
  after: PagePosition | null;
  limit: number;
};

/** Expressions by which lists are ordered before the id, as the indexes have them, with their types. */
const KEYS = {
  name: { of: (table: string) => sql<string>`${sql.ref(`${table}.name`)}`, type: sql`text` },
  duration_s: {
    of: (table: string) => sql<number>`coalesce(${sql.ref(`${table}.duration_s`)}, 0)`,
    type: sql`double precision`,
  },
  recorded_at: {
    of: (table: string) =>
      sql<string>`coalesce(floor(extract(epoch from ${sql.ref(`${table}.recorded_at`)} - timestamptz '1970-01-01Z') * 1000), '-infinity')`,
    type: sql`numeric`,
  },
};

/**
 * Reads a page from at most two indexes, starting at the cursor, so that its cost does not grow with the library. A
 * selective filter reads further.
 */
export async function findPage(db: Queryable, request: PageRequest): Promise<Video[]> {
  const { caller, scope, folderId, deleted, sort, after, limit } = request;
  const down = sort.startsWith('-');
  const field = sort.replace('-', '') as VideoSortField;
  const key = field === 'created_at' ? null : KEYS[field];
  const direction = down ? 'desc' : 'asc';

  const conditions = [...indexedConditions(request, caller), ...Object.values(ownConditions(request, caller))];
  let matching = db
    .selectFrom('videos')
    .selectAll()
    .where('deletedAt', deleted ? 'is not' : 'is', null)
    .where(sql<boolean>`${conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`}`)
    .limit(limit);
  if (deleted) matching = matching.where('eraseAfter', '>', sql<Date>`now()`);
  if (key) matching = matching.orderBy(key.of('videos'), direction);
  matching = matching.orderBy('id', direction);
  if (after && key) {
    const beyond = sql.raw(down ? '<' : '>');
    matching = matching.where(
      sql<boolean>`(${key.of('videos')}, id) ${beyond} (${after.value}::${key.type}, ${after.id})`,
    );
  } else if (after) matching = matching.where('id', down ? '<' : '>', after.id);

  const ofScope = (only: 'user' | 'org') => matching.where(isReadable(caller, 'videos', only));
  const visible = matching.where(isReadable(caller, 'videos')).where('scope', '<>', 'sample');
  const both = db
    .selectFrom(ofScope('org').as('shared'))
    .selectAll()
    .unionAll(db.selectFrom(ofScope('user').as('personal')).selectAll());
  const scoped = scope ? ofScope(scope) : isAdmin(caller) && !key ? visible : both;
  const chosen = folderId === null ? scoped : matching.where('folderId', '=', folderId);

  let joined = db
    .selectFrom(chosen.as('page'))
    .leftJoin('folders', 'folders.id', 'page.folderId')
    .selectAll('page')
    .select('folders.name as folderName')
    .limit(limit);
  if (key) joined = joined.orderBy(key.of('page'), direction);
  joined = joined.orderBy('page.id', direction);
  // For a rare text the index on names is fastest, for a frequent one the index of the page: plan with the actual
  // values.
  if (request.nameContains) joined = joined.modifyEnd(sql.raw(PLANNED_BY_VALUES));
  const rows: VideoRow[] = await joined.execute();
  return rows.map(toVideo);
}
