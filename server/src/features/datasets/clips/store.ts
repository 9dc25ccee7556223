import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import { newId } from '#platform/ids';
import type { Clip, NewClip } from './types.ts';

/** Clips of a page of a download. */
const PAGE = 1_000;

/** Adds clips to a dataset; those that it has already are ignored, and those of videos that were deleted meanwhile. */
export async function insertClips(trx: Transaction, datasetId: string, clips: readonly NewClip[]): Promise<void> {
  if (clips.length === 0) return;
  await sql`
    insert into dataset_clips (id, dataset_id, video_id, start_s, end_s, label)
    select c.id, ${datasetId}, c.video_id, c.start_s, c.end_s, c.label
    from unnest(${clips.map(() => newId())}::text[], ${clips.map(({ videoId }) => videoId)}::text[],
        ${clips.map(({ startS }) => startS)}::float8[], ${clips.map(({ endS }) => endS)}::float8[],
        ${clips.map(({ label }) => label)}::text[]) c (id, video_id, start_s, end_s, label)
      join videos v on v.id = c.video_id and v.deleted_at is null
    on conflict do nothing`.execute(trx);
}

export async function deleteClips(trx: Transaction, datasetId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const those = trx.deleteFrom('datasetClips').where('datasetId', '=', datasetId);
  await those.where('id', '=', sql<string>`any(${ids}::text[])`).execute();
}

/** Number of all clips of a dataset, also of those whose videos are deleted. */
export async function countAll(trx: Transaction, datasetId: string): Promise<number> {
  const counted = trx.selectFrom('datasetClips').select((eb) => eb.fn.countAll<number>().as('count'));
  return Number((await counted.where('datasetId', '=', datasetId).executeTakeFirstOrThrow()).count);
}

/** Numbers of clips by dataset, of videos that exist. Datasets without clips are left out. */
export async function countClips(db: Queryable, datasetIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ datasetId: string; count: number }>`
    select c.dataset_id, count(*)::integer as count
    from dataset_clips c join videos v on v.id = c.video_id and v.deleted_at is null
    where c.dataset_id = any(${datasetIds}::text[]) group by c.dataset_id`.execute(db);
  return new Map(rows.map(({ datasetId, count }) => [datasetId, count]));
}

/** Clips of a dataset whose videos exist, by video, start, end and id. One page is in memory at a time. */
export async function* streamClips(db: Queryable, datasetId: string): AsyncGenerator<Clip[]> {
  for (let last: Clip | null = null; ; ) {
    const after: ReturnType<typeof sql> = last
      ? sql`(c.video_id, c.start_s, c.end_s, c.id) > (${last.videoId}, ${last.startS}, ${last.endS}, ${last.clipId})`
      : sql`true`;
    const { rows }: { rows: Clip[] } = await sql<Clip>`
      select c.id as clip_id, c.video_id, v.name as video_name, c.start_s, c.end_s, c.label
      from dataset_clips c join videos v on v.id = c.video_id and v.deleted_at is null
      where c.dataset_id = ${datasetId} and ${after}
      order by c.video_id, c.start_s, c.end_s, c.id limit ${PAGE}`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    last = rows.at(-1)!;
  }
}

/** Deletes the clips of a video. */
export async function deleteClipsOfVideo(trx: Transaction, videoId: string): Promise<void> {
  await trx.deleteFrom('datasetClips').where('videoId', '=', videoId).execute();
}
