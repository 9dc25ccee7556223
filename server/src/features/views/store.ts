import type { ExpressionBuilder } from 'kysely';
import type { DB, Queryable, Transaction } from '#platform/db/index';
import { rounded } from '#platform/numbers';

export type View = { role: string; videoId: string; label: string | null; offsetS: number };
/** The views of one happening, the primary first. */
export type ViewSet = { primaryVideoId: string; views: View[] };
/** Views to link; a video without a `label` keeps the one it has. */
export type NewViewSet = { primaryVideoId: string; views: (Omit<View, 'label'> & { label?: string | null })[] };

/** What the sets of these videos are known by. */
const primariesOf = (videoIds: readonly string[]) => (views: ExpressionBuilder<DB, 'views'>) =>
  views.selectFrom('views').select('primary_video_id').where('video_id', 'in', videoIds);

/** The sets that these videos are views of; a video is in one at most. */
export async function setsOf(db: Queryable, videoIds: readonly string[]): Promise<ViewSet[]> {
  if (videoIds.length === 0) return [];
  const rows = await db
    .selectFrom('views')
    .innerJoin('videos', 'videos.id', 'views.video_id')
    .selectAll('views')
    .where('videos.deleted_at', 'is', null)
    .where('primary_video_id', 'in', primariesOf(videoIds))
    .orderBy('role')
    .execute();
  return [...Map.groupBy(rows, (row) => row.primary_video_id)].map(([primaryVideoId, members]) => ({
    primaryVideoId,
    views: members
      .map((row) => ({ role: row.role, videoId: row.video_id, label: row.label, offsetS: row.offset_s }))
      .sort((a, b) => Number(b.videoId === primaryVideoId) - Number(a.videoId === primaryVideoId)),
  }));
}

/**
 * Makes these videos one set, in place of whatever sets they were in. One that was erased meanwhile is left out; where that is the primary, the next one is. Two that
 * link the same video come one after the other.
 */
export async function link(trx: Transaction, { primaryVideoId, views }: NewViewSet): Promise<void> {
  const ids = views.map(({ videoId }) => videoId);
  const there = await trx
    .selectFrom('videos')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const before = await trx.selectFrom('views').select(['video_id', 'label']).where('video_id', 'in', ids).execute();
  const labels = new Map(before.map((row) => [row.video_id, row.label]));
  await trx.deleteFrom('views').where('primary_video_id', 'in', primariesOf(ids)).execute();
  const left = views.filter(({ videoId }) => there.some(({ id }) => id === videoId));
  const primary = left.find(({ videoId }) => videoId === primaryVideoId) ?? left[0];
  if (!primary || left.length < 2) return;
  await trx
    .insertInto('views')
    .values(
      left.map(({ role, videoId, label, offsetS }) => ({
        ...{ primary_video_id: primary.videoId, role, video_id: videoId },
        label: label === undefined ? (labels.get(videoId) ?? null) : label,
        offset_s: rounded(offsetS - primary.offsetS),
      })),
    )
    .execute();
}

/** Ends the set that this video is a view of. */
export async function unlink(db: Queryable, videoId: string): Promise<void> {
  await db
    .deleteFrom('views')
    .where('primary_video_id', 'in', primariesOf([videoId]))
    .execute();
}
