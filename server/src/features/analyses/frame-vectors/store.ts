import { type RawBuilder, sql } from 'kysely';
import { DIMENSIONS, type FrameVectors } from '#engine/index';
import { isReadable, type Principal } from '#platform/access/index';
import type { Queryable, Transaction } from '#platform/db/index';
import { idAt } from '#platform/ids';
import { joined, toBytes } from './numbers.ts';
import type { FrameFilter, SearchableVideo, VectorVersions } from './types.ts';

/** Frames in a row: 128 KB of vectors. */
const BLOCK_FRAMES = 256;
/** Videos whose vectors are read with one statement. */
const VIDEOS_AT_ONCE = 32;

/** Stores the vectors of an observation that was just marked as ready. */
export async function insertVectors(
  trx: Transaction,
  videoId: string,
  version: string,
  { timeS, scales, vectors }: FrameVectors,
): Promise<void> {
  for (let from = 0; from < timeS.length; from += BLOCK_FRAMES) {
    const until = Math.min(timeS.length, from + BLOCK_FRAMES);
    await trx
      .insertInto('frameVectors')
      .values({
        videoId,
        version,
        block: from / BLOCK_FRAMES,
        frames: until - from,
        totalFrames: timeS.length,
        times: toBytes(timeS.slice(from, until)),
        scales: toBytes(scales.slice(from, until)),
        vectors: toBytes(vectors.slice(from * DIMENSIONS, until * DIMENSIONS)),
      })
      .execute();
  }
}

/** Videos that the caller may read and that have vectors of these versions, and the number of all videos. */
export async function listSearchable(
  db: Queryable,
  caller: Principal,
  filter: FrameFilter,
  { frames, objects }: VectorVersions,
): Promise<{ videos: SearchableVideo[]; total: number }> {
  const chosen = sql`deleted_at is null and status = 'UPLOADED' and ${conditions(caller, filter)}`;
  const searchable = sql<SearchableVideo>`
    select videos.id, name, folder_id, frame_vectors.total_frames as frames, object_vectors.views as objects
    from videos
    left join frame_vectors
      on frame_vectors.video_id = videos.id and frame_vectors.version = ${frames} and block = 0
    left join object_vectors on object_vectors.video_id = videos.id and object_vectors.version = ${objects}
    where ${chosen} and (frame_vectors.video_id is not null or object_vectors.video_id is not null)
    order by videos.id`;
  const counted = sql<{ total: number }>`select count(*)::integer as total from videos where ${chosen}`;
  const [{ rows: videos }, { rows: counts }] = await Promise.all([searchable.execute(db), counted.execute(db)]);
  return { videos, total: counts[0]!.total };
}

function conditions(
  caller: Principal,
  { folderId, videoIds, createdAfter, createdBefore }: FrameFilter,
): RawBuilder<unknown> {
  const all = [
    isReadable(caller, 'videos'),
    ...(folderId ? [sql`videos.folder_id = ${folderId}`] : []),
    ...(videoIds ? [sql`videos.id = any(${[...videoIds]}::text[])`] : []),
    ...(createdAfter ? [sql`videos.created_at >= ${createdAfter} and videos.id > ${idAt(createdAfter, -1)}`] : []),
    ...(createdBefore ? [sql`videos.created_at < ${createdBefore} and videos.id < ${idAt(createdBefore, 1)}`] : []),
  ];
  return sql.join(all, sql` and `);
}

/** The vectors of these videos; those that were deleted in the meantime are left out. */
export async function* readVectors(
  db: Queryable,
  videoIds: readonly string[],
  version: string,
): AsyncGenerator<{ videoId: string; frames: FrameVectors }> {
  for (let from = 0; from < videoIds.length; from += VIDEOS_AT_ONCE) {
    const blocks = await db
      .selectFrom('frameVectors')
      .select(['videoId', 'times', 'scales', 'vectors'])
      .where('videoId', 'in', videoIds.slice(from, from + VIDEOS_AT_ONCE))
      .where('version', '=', version)
      .orderBy('videoId')
      .orderBy('block')
      .execute();
    for (const [videoId, own] of Map.groupBy(blocks, (block) => block.videoId)) {
      const frames = {
        timeS: new Float64Array(joined(own.map(({ times }) => times))),
        scales: new Float32Array(joined(own.map(({ scales }) => scales))),
        vectors: new Int8Array(joined(own.map(({ vectors }) => vectors))),
      };
      yield { videoId, frames };
    }
  }
}
