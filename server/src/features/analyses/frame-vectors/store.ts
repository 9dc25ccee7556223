import { type RawBuilder, sql } from 'kysely';
import { DIMENSIONS, type FrameVectors } from '#engine/index';
import { isReadable, type Principal } from '#platform/access/index';
import type { Queryable, Transaction } from '#platform/db/index';
import { idAt } from '#platform/ids';
import { joined, toBytes } from './numbers.ts';
import { INDEXED } from './pgvector/server-store.ts';
import type { FrameFilter, SearchableVideo, SearchCounts, VectorVersions } from './types.ts';

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

/** Coverage of a search: `indexed` is the number of its vectors in the index, of `indexSize` in all. */
type Searchable = { counts: SearchCounts; unindexed: SearchableVideo[]; indexed: number; indexSize: number };

/**
 * Videos that the caller may read and that have vectors of these versions: their numbers, and those whose vectors are
 * not in the index; without an index, that is all of them.
 */
export async function listSearchable(
  db: Queryable,
  caller: Principal,
  filter: FrameFilter,
  versions: VectorVersions,
  hasIndex: boolean,
): Promise<Searchable> {
  const searchable = sql`(
    select videos.id, name, folder_id, frame_vectors.total_frames as frames, object_vectors.views as objects,
      ${hasIndex ? sql`frame_source.vectors` : sql`null::integer`} as indexed_frames,
      ${hasIndex ? sql`object_source.vectors` : sql`null::integer`} as indexed_objects
    from videos
    left join frame_vectors
      on frame_vectors.video_id = videos.id and frame_vectors.version = ${versions.frames} and block = 0
    left join object_vectors on object_vectors.video_id = videos.id and object_vectors.version = ${versions.objects}
    ${hasIndex ? sql.join([joinSource('frame_source', 'embeddings', versions.frames), joinSource('object_source', 'object_embeddings', versions.objects)], sql` `) : sql``}
    where ${isChosen(caller, filter)}
  ) searchable`;
  const unindexed = sql<SearchableVideo>`
    select id, name, folder_id, case when indexed_frames is null then frames end as frames,
      case when indexed_objects is null then objects end as objects
    from ${searchable}
    where (frames is not null and indexed_frames is null) or (objects is not null and indexed_objects is null)
    order by id`;
  const counted = sql<SearchCounts & { indexed: number; indexSize: number }>`
    select count(*)::integer as total,
      (count(*) filter (where frames is not null or objects is not null))::integer as searched_videos,
      count(frames)::integer as videos_with_frames, count(objects)::integer as videos_with_objects,
      coalesce(sum(frames), 0)::integer as searched_frames, coalesce(sum(objects), 0)::integer as searched_objects,
      (coalesce(sum(indexed_frames), 0) + coalesce(sum(indexed_objects), 0))::integer as indexed,
      ${hasIndex ? countIndexed() : sql`0`} as index_size
    from ${searchable}`;
  const [{ rows: videos }, { rows: counts }] = await Promise.all([unindexed.execute(db), counted.execute(db)]);
  const { indexed, indexSize, ...rest } = counts[0]!;
  return { counts: rest, unindexed: videos, indexed, indexSize };
}

/** A statement that selects the sources in the index of the videos that `listSearchable` counts. */
export const selectSources = (
  caller: Principal,
  filter: FrameFilter,
  { frames, objects }: VectorVersions,
): RawBuilder<unknown> => sql`
  select sources.id from ${INDEXED} sources join videos on videos.id = sources.video_id
  where sources.vectors > 0 and ${isChosen(caller, filter)} and (
    (sources.kind = 'embeddings' and sources.version = ${frames}::text) or
    (sources.kind = 'object_embeddings' and sources.version = ${objects}::text))`;

const joinSource = (alias: string, kind: string, version: string | null) => sql`
  left join ${INDEXED} ${sql.ref(alias)} on ${sql.ref(`${alias}.video_id`)} = videos.id
    and ${sql.ref(`${alias}.kind`)} = ${kind} and ${sql.ref(`${alias}.version`)} = ${version}
    and ${sql.ref(`${alias}.vectors`)} is not null`;

const countIndexed = () => sql`(select coalesce(sum(vectors), 0)::integer from ${INDEXED})`;

const isChosen = (caller: Principal, filter: FrameFilter) =>
  sql`deleted_at is null and status = 'UPLOADED' and ${conditions(caller, filter)}`;

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
