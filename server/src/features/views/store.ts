import { type ExpressionBuilder, sql } from 'kysely';
import { isReadable } from '#platform/access/index';
import type { DB, Queryable, Transaction } from '#platform/db/index';
import type { Caller } from '#platform/http/index';
import { rounded } from '#platform/numbers';

export type View = { role: string; videoId: string; label: string | null; offsetS: number };
/** Videos of one event from several cameras, the primary first. */
export type ViewSet = { primaryVideoId: string; views: View[] };
/** Views to link; a video whose `label` is undefined retains its label. */
export type NewViewSet = { primaryVideoId: string; views: (Omit<View, 'label'> & { label?: string | null })[] };

/** Primary videos of the sets of these videos; they identify the sets. */
const selectPrimaries = (videoIds: readonly string[]) => (views: ExpressionBuilder<DB, 'views'>) =>
  views.selectFrom('views').select('primaryVideoId').where('videoId', 'in', videoIds);

/** Returns the sets of these videos; a video is in at most one. */
export async function findSets(db: Queryable, videoIds: readonly string[]): Promise<ViewSet[]> {
  if (videoIds.length === 0) return [];
  const rows = await db
    .selectFrom('views')
    .innerJoin('videos', 'videos.id', 'views.videoId')
    .selectAll('views')
    .where('videos.deletedAt', 'is', null)
    .where('primaryVideoId', 'in', selectPrimaries(videoIds))
    .orderBy('role')
    .execute();
  return [...Map.groupBy(rows, (row) => row.primaryVideoId)].map(([primaryVideoId, members]) => ({
    primaryVideoId,
    views: members
      .map((row) => ({ role: row.role, videoId: row.videoId, label: row.label, offsetS: row.offsetS }))
      .sort((a, b) => Number(b.videoId === primaryVideoId) - Number(a.videoId === primaryVideoId)),
  }));
}

/**
 * Ids of the sets of which the caller sees at least two views, in descending order, before the id `before` (null: from
 * the first); with `videoId` only the set of this video. A set has the id of its primary video.
 */
export async function findReadableSets(
  db: Queryable,
  { caller, videoId, before, limit }: { caller: Caller; videoId: string | null; before: string | null; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('views')
    .innerJoin('videos', 'videos.id', 'views.videoId')
    .select('primaryVideoId')
    .where('views.orgId', '=', caller.orgId)
    .where('videos.deletedAt', 'is', null)
    .where(isReadable(caller, 'videos'))
    .$if(caller.folderId !== undefined, (query) => query.where('videos.folderId', '=', caller.folderId!))
    .$if(videoId !== null, (query) => query.where('primaryVideoId', 'in', selectPrimaries([videoId!])))
    .$if(before !== null, (query) => query.where('primaryVideoId', '<', before))
    .groupBy('primaryVideoId')
    .having(sql<boolean>`count(*) > 1`)
    .orderBy('primaryVideoId', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ primaryVideoId }) => primaryVideoId);
}

/**
 * Links the videos as one set and ends the sets they were in. Omits videos that were erased in the meantime; if the
 * primary was, the next video becomes primary. Concurrent calls with a common video run one after the other.
 */
export async function replaceSet(trx: Transaction, { primaryVideoId, views }: NewViewSet): Promise<void> {
  const ids = views.map(({ videoId }) => videoId);
  const existing = await trx
    .selectFrom('videos')
    .select(['id', 'orgId'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const before = await trx.selectFrom('views').select(['videoId', 'label']).where('videoId', 'in', ids).execute();
  const labels = new Map(before.map((row) => [row.videoId, row.label]));
  await trx.deleteFrom('views').where('primaryVideoId', 'in', selectPrimaries(ids)).execute();
  const remaining = views.filter(({ videoId }) => existing.some(({ id }) => id === videoId));
  const primary = remaining.find(({ videoId }) => videoId === primaryVideoId) ?? remaining[0];
  if (!primary || remaining.length < 2) return;
  const { orgId } = existing.find(({ id }) => id === primary.videoId)!;
  await trx
    .insertInto('views')
    .values(
      remaining.map(({ role, videoId, label, offsetS }) => ({
        orgId,
        primaryVideoId: primary.videoId,
        role,
        videoId,
        label: label === undefined ? (labels.get(videoId) ?? null) : label,
        offsetS: rounded(offsetS - primary.offsetS),
      })),
    )
    .execute();
}

/** Ends the set of this video. */
export async function deleteSet(db: Queryable, videoId: string): Promise<void> {
  await db
    .deleteFrom('views')
    .where('primaryVideoId', 'in', selectPrimaries([videoId]))
    .execute();
}
