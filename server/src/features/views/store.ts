import type { Queryable, Transaction } from '#platform/db/index';

export type View = { role: string; videoId: string; label: string | null; offsetS: number };
/** The views of one happening, the primary first. */
export type ViewSet = { primaryVideoId: string; views: View[] };

/** The sets that these videos are views of; a video is in one at most. */
export async function setsOf(db: Queryable, videoIds: readonly string[]): Promise<ViewSet[]> {
  if (videoIds.length === 0) return [];
  const rows = await db
    .selectFrom('views')
    .innerJoin('videos', 'videos.id', 'views.video_id')
    .selectAll('views')
    .where('videos.deleted_at', 'is', null)
    .where('primary_video_id', 'in', (primary) =>
      primary.selectFrom('views').select('primary_video_id').where('video_id', 'in', videoIds),
    )
    .orderBy('role')
    .execute();
  return [...Map.groupBy(rows, (row) => row.primary_video_id)].map(([primaryVideoId, members]) => ({
    primaryVideoId,
    views: members
      .map((row) => ({ role: row.role, videoId: row.video_id, label: row.label, offsetS: row.offset_s }))
      .sort((a, b) => Number(b.videoId === primaryVideoId) - Number(a.videoId === primaryVideoId)),
  }));
}

/** Makes these videos one set, in place of whatever sets they were in. */
export async function link(trx: Transaction, { primaryVideoId, views }: ViewSet): Promise<void> {
  const ids = views.map(({ videoId }) => videoId);
  await trx
    .deleteFrom('views')
    .where((or) => or.or([or('primary_video_id', 'in', ids), or('video_id', 'in', ids)]))
    .execute();
  await trx
    .insertInto('views')
    .values(
      views.map(({ role, videoId, label, offsetS }) => ({
        ...{ primary_video_id: primaryVideoId, role, video_id: videoId, label, offset_s: offsetS },
      })),
    )
    .execute();
}

/** Ends the set that this video is a view of. */
export async function unlink(db: Queryable, videoId: string): Promise<void> {
  await db
    .deleteFrom('views')
    .where('primary_video_id', 'in', (primary) =>
      primary.selectFrom('views').select('primary_video_id').where('video_id', '=', videoId),
    )
    .execute();
}
