import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { DIMENSIONS } from '#engine/index';
import type { Queryable, Session } from '#platform/db/index';
import { EARLIER_GRAPH, GRAPH, SCHEMA } from './server-store.ts';

/** Key of the lock of the session that builds; arbitrary, but fixed. */
const LOCK = 4_113_052;
const SOURCES = `${SCHEMA}.sources`;
const VECTORS = `${SCHEMA}.vectors`;
const PENDING = `from observations o
  where kind in ('embeddings', 'object_embeddings') and status = 'ready' and not exists (
    select from ${SOURCES} s where s.video_id = o.video_id and s.kind = o.kind and s.version = o.version)`;
/** The system could not give the memory that parallel workers share; in containers it is often 64 MB. */
const OUT_OF_SHARED_MEMORY = ['53100', '53200'];

/** A vector with its neighbors in memory, while the graph is built. */
const BYTES_IN_BUILD = 2_000;
const LEAST_MEMORY_MB = 64;
/** Limit on the memory of a build if neither the operator nor the buffers of the server suggest more. */
const LEAST_LIMIT_MB = 1_024;

/** An observation whose vectors are not in the index. */
export type PendingSource = { videoId: string; kind: string; version: string };

/** Locks for this session; false if another one builds. It does not wait: that would hold up the other's index. */
export async function tryLock(session: Session): Promise<boolean> {
  const [row] = await session.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [LOCK]);
  return row!.locked;
}

export const createExtension = (session: Session): Promise<unknown> =>
  session.query('create extension if not exists vector');

/**
 * Creates the tables. They are no migration: servers without the extension lack the type. Those of an earlier version,
 * whose vectors do not represent others, are filled again.
 */
export async function createTables(session: Session, extension: string): Promise<void> {
  const [earlier] = await session.query<{ isEarlier: boolean }>(
    `select not exists (
       select from pg_attribute where attrelid = to_regclass($1) and attname = 'represented'
     ) and to_regclass($1) is not null as "isEarlier"`,
    [VECTORS],
  );
  if (earlier!.isEarlier) await session.query(`drop schema ${SCHEMA} cascade`);
  await session.query(`create schema if not exists ${SCHEMA}`);
  await session.query(`create table if not exists ${SOURCES} (
    id integer generated always as identity primary key,
    video_id text not null,
    kind text not null,
    version text not null,
    vectors integer, -- null until all of them are stored
    unique (video_id, kind, version),
    foreign key (video_id, kind, version) references observations (video_id, kind, version) on delete cascade
  )`);
  // Values are the signed bytes of the stored vectors, so that scores are those of the exact scan.
  await session.query(`create table if not exists ${VECTORS} (
    source_id integer not null references ${SOURCES} on delete cascade,
    position integer not null,
    group_number integer not null,
    time_s double precision not null,
    scale real not null,
    -- Number of vectors from this one on that it represents in the graph; 0: one before it represents it.
    represented integer not null default 1,
    vector ${pg.escapeIdentifier(extension)}.halfvec(${DIMENSIONS}) not null,
    primary key (source_id, position)
  )`);
  // The index can be made again from the stored vectors.
  await session.query('set synchronous_commit = off');
}

/** Removes what an interrupted build left incomplete, and the graph of a node of an earlier version. */
export async function dropIncomplete(session: Session): Promise<void> {
  await session.query(`drop index concurrently if exists ${SCHEMA}.${EARLIER_GRAPH}`);
  await session.query(`delete from ${SOURCES} where vectors is null`);
  const [graph] = await session.query<{ invalid: boolean }>(
    'select not indisvalid as invalid from pg_index where indexrelid = to_regclass($1)',
    [`${SCHEMA}.${GRAPH}`],
  );
  if (graph?.invalid) await session.query(`drop index concurrently ${SCHEMA}.${GRAPH}`);
}

/** Observations whose vectors are missing in the index, at most so many. */
export function listPending(session: Session, limit: number): Promise<PendingSource[]> {
  return session.query<PendingSource>(
    `select video_id as "videoId", kind, version ${PENDING} order by video_id, kind, version limit $1`,
    [limit],
  );
}

/** Creates the row of a source; null if its observation was deleted. */
export async function insertSource(
  session: Session,
  { videoId, kind, version }: PendingSource,
): Promise<number | null> {
  const rows = await session.query<{ id: number }>(
    `insert into ${SOURCES} (video_id, kind, version)
     select video_id, kind, version from observations
     where video_id = $1 and kind = $2 and version = $3 for key share
     returning id`,
    [videoId, kind, version],
  );
  return rows[0]?.id ?? null;
}

/** The vectors of a source block by block; those of frames in blocks, those of objects in one. */
export async function* readBlocks(
  session: Session,
  { videoId, kind, version }: PendingSource,
): AsyncGenerator<{ times: Buffer; scales: Buffer; vectors: Buffer; tracks: Buffer | null }> {
  const blocks =
    kind === 'embeddings'
      ? `select times, scales, vectors, null as tracks from frame_vectors where video_id = $1 and version = $2 and block = $3`
      : `select times, scales, vectors, tracks from object_vectors where video_id = $1 and version = $2 and $3 = 0`;
  for (let block = 0; ; block++) {
    const [row] = await session.query<{ times: Buffer; scales: Buffer; vectors: Buffer; tracks: Buffer | null }>(
      blocks,
      [videoId, version, block],
    );
    if (!row) return;
    yield row;
  }
}

/** Stores vectors of a source; false if its observation was deleted. */
export async function copyVectors(session: Session, rows: Iterable<Buffer>): Promise<boolean> {
  try {
    await session.copy(
      `copy ${VECTORS} (source_id, position, group_number, time_s, scale, represented, vector) from stdin (format binary)`,
      rows,
    );
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === '23503') return false;
    throw error;
  }
}

/** From now on, searches find the vectors of this source in the index. */
export const completeSource = (session: Session, sourceId: number, vectors: number): Promise<unknown> =>
  session.query(`update ${SOURCES} set vectors = $2 where id = $1`, [sourceId, vectors]);

/** True if there are vectors to build the graph of, and none is built. */
export async function lacksGraph(session: Session): Promise<boolean> {
  const [row] = await session.query<{ lacks: boolean }>(
    `select to_regclass($1) is null and exists (select from ${SOURCES} where vectors > 0) as lacks`,
    [`${SCHEMA}.${GRAPH}`],
  );
  return row!.lacks;
}

/** Numbers of vectors in the graph and of those that they represent, and memory in MB to build it. */
export type GraphPlan = { representatives: number; vectors: number; neededMb: number; memoryMb: number };

/** Plans a build within the limit in MB; without one, in as much memory as the server uses for its buffers. */
export async function planGraph(session: Session, limitMb: number | null): Promise<GraphPlan> {
  const [row] = await session.query<{ representatives: string; vectors: string; buffersMb: string }>(
    `select count(*) filter (where represented > 0) as representatives, count(*) as vectors,
       (select setting::bigint * 8 / 1024 from pg_settings where name = 'shared_buffers') as "buffersMb"
     from ${VECTORS}`,
  );
  const representatives = Number(row!.representatives);
  const neededMb = Math.max(LEAST_MEMORY_MB, Math.ceil((representatives * BYTES_IN_BUILD) / 2 ** 20));
  const limit = limitMb ?? Math.max(LEAST_LIMIT_MB, Number(row!.buffersMb));
  // Parallel workers share all of it from the start, so more than is needed would be wasted.
  return { representatives, vectors: Number(row!.vectors), neededMb, memoryMb: Math.min(neededMb, limit) };
}

/** Builds the graph while vectors are read and deleted; takes minutes for each 100,000 representatives. */
export async function buildGraph(session: Session, extension: string, memoryMb: number): Promise<void> {
  await session.query(`set maintenance_work_mem = '${memoryMb}MB'`);
  const build = () =>
    session.query(
      `create index concurrently ${GRAPH} on ${VECTORS}
       using hnsw (vector ${pg.escapeIdentifier(extension)}.halfvec_cosine_ops) where represented > 0`,
    );
  try {
    await build();
  } catch (error) {
    if (!OUT_OF_SHARED_MEMORY.includes((error as { code?: string }).code ?? '')) throw error;
    await session.query(`drop index concurrently if exists ${SCHEMA}.${GRAPH}`);
    await session.query('set max_parallel_maintenance_workers = 0');
    await build();
  }
  await session.query(`analyze ${SOURCES}, ${VECTORS}`);
}

/** True if there is work for a build, and no session builds. */
export async function needsBuild(db: Queryable): Promise<boolean> {
  const [state] = await rowsOf<{ hasTables: boolean; isBuilding: boolean; hasGraph: boolean }>(
    db,
    sql`select to_regclass(${VECTORS}) is not null as has_tables,
      exists (
        select from pg_index where indexrelid = to_regclass(${`${SCHEMA}.${GRAPH}`}) and indisvalid
      ) as has_graph,
      exists (
        select from pg_locks where locktype = 'advisory' and objid = ${LOCK} and granted
          and database = (select oid from pg_database where datname = current_database())
      ) as is_building`,
  );
  const { hasTables, isBuilding, hasGraph } = state!;
  if (isBuilding || !hasTables) return !isBuilding;
  const [work] = await rowsOf<{ isPending: boolean; hasVectors: boolean }>(
    db,
    sql`select exists (select ${sql.raw(PENDING)}) as is_pending,
      exists (select from ${sql.raw(SOURCES)} where vectors > 0) as has_vectors`,
  );
  return work!.isPending || (work!.hasVectors && !hasGraph);
}

const rowsOf = async <Row>(db: Queryable, statement: RawBuilder<unknown>): Promise<Row[]> =>
  (await (statement as RawBuilder<Row>).execute(db)).rows;
