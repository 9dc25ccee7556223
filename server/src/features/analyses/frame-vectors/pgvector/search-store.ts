import { type RawBuilder, sql } from 'kysely';
import { DIMENSIONS } from '#engine/index';
import { type Db, PLANNED_BY_VALUES, type Transaction } from '#platform/db/index';
import { INDEXED, SCHEMA } from './server-store.ts';

const VECTORS = sql.id(SCHEMA, 'vectors');
const SEARCH_MS = 60_000;
/** Length of the list of candidates of one step through the graph. */
const CANDIDATES = 400;

/** `sources`: a statement that selects the ids of the sources that may be found. */
export type IndexQuery = { extension: string; sources: RawBuilder<unknown>; query: Int8Array };

export type FoundVector = {
  videoId: string;
  name: string;
  folderId: string | null;
  kind: 'embeddings' | 'object_embeddings';
  version: string;
  position: number;
  groupNumber: number;
  timeS: number;
  /** Product of the bytes of both vectors. */
  product: number;
  scale: number;
};

/** The best vector of each group by comparing all vectors of the sources, the best first. */
export async function scanSources(
  db: Db,
  { extension, sources, query }: IndexQuery,
  limit: number,
): Promise<FoundVector[]> {
  const { product } = comparisons(extension, query);
  const vectors = sql`(
    select source_id, position, group_number, time_s, scale::double precision as scale, ${product} as product
    from ${VECTORS} where source_id in (${sources})
    offset 0
  )`;
  const { rows } = await bestOfGroups(vectors, limit).execute(db);
  return rows;
}

/** Numbers of representatives: `found` near the query, and of the best that are returned. */
export type Walk = { found: number; returned: number; maxVisited: number };
/** A vector that represents those after it in the graph. */
export type Representative = { sourceId: number; position: number; represented: number };

/**
 * The best of the representatives that the graph finds near the query; fewer if it gives up after `maxVisited`, of
 * which most are not of the sources. Sets parameters of the transaction.
 */
export async function walkGraph(
  trx: Transaction,
  { extension, sources, query }: IndexQuery,
  { found, returned, maxVisited }: Walk,
): Promise<Representative[]> {
  const settings = {
    'hnsw.ef_search': String(CANDIDATES),
    'hnsw.iterative_scan': 'relaxed_order',
    'hnsw.max_scan_tuples': String(maxVisited),
    'hnsw.scan_mem_multiplier': '8',
    // The planner does not know how few vectors are compared, and would compare and sort all of them.
    enable_sort: 'off',
    jit: 'off',
    statement_timeout: `${SEARCH_MS}`,
  };
  const set = Object.entries(settings).map(([name, value]) => sql`set_config(${name}, ${value}, true)`);
  await sql`select ${sql.join(set)}`.execute(trx);
  const { product, distance } = comparisons(extension, query);
  // The sources are a subquery that is hashed once. As a join, the planner could leave the order of the graph.
  const statement = sql<Representative>`
    select source_id, position, represented from (
      select source_id, position, represented, ${product} * scale as score
      from ${VECTORS} where represented > 0 and (source_id in (${sources})) is true
      order by ${distance} limit ${found}
    ) near order by score desc limit ${returned}
    ${sql.raw(PLANNED_BY_VALUES)}`;
  const { rows } = await statement.execute(trx);
  return rows;
}

/** The best representatives of the sources by comparing all of them, at most `returned`. */
export async function scanRepresentatives(
  db: Db,
  { extension, sources, query }: IndexQuery,
  returned: number,
): Promise<Representative[]> {
  const { product } = comparisons(extension, query);
  const statement = sql<Representative>`
    select source_id, position, represented from (
      select source_id, position, represented, ${product} * scale as score
      from ${VECTORS} where represented > 0 and source_id in (${sources})
      offset 0
    ) compared order by score desc limit ${returned}
    ${sql.raw(PLANNED_BY_VALUES)}`;
  const { rows } = await statement.execute(db);
  return rows;
}

/**
 * The best vector of each group by comparing what these represent, the best first, and all vectors of the sources of
 * the best, at most `ofSources`: what resembles the query in a video has more like it, of which the graph misses some.
 */
export async function scanRepresented(
  db: Db,
  { extension, query }: Omit<IndexQuery, 'sources'>,
  representatives: readonly Representative[],
  { limit, ofSources }: { limit: number; ofSources: number },
): Promise<FoundVector[]> {
  const { product } = comparisons(extension, query);
  const columns = (['sourceId', 'position', 'represented'] as const).map(
    (name) => sql`${representatives.map((each) => each[name])}::integer[]`,
  );
  const best = sql`unnest(${sql.join(columns)}) with ordinality best (source_id, position, represented, rank)`;
  const vectors = sql`(
    select vectors.source_id, vectors.position, group_number, time_s, scale::double precision as scale,
      ${product} as product
    from (
      select source_id, position, represented from ${best}
      union all
      select source_id, 0, vectors from (
        select source_id, sources.vectors, sum(sources.vectors) over (order by rank) as total
        from (select source_id, min(rank) as rank from ${best} group by source_id) ranked
        join ${INDEXED} sources on sources.id = source_id
      ) whole where total <= ${ofSources}
    ) compared join ${VECTORS} vectors on vectors.source_id = compared.source_id
      and vectors.position >= compared.position and vectors.position < compared.position + compared.represented
    offset 0
  )`;
  const { rows } = await bestOfGroups(vectors, limit).execute(db);
  return rows;
}

/** A statement that selects the best vector of each group, the best first. */
const bestOfGroups = (vectors: RawBuilder<unknown>, limit: number) => sql<FoundVector>`
  select video_id, name, folder_id, kind, version, position, group_number, time_s, product, scale from (
    select distinct on (source_id, group_number) source_id, position, group_number, time_s, product, scale
    from ${vectors} compared
    order by source_id, group_number, product * scale desc, position
  ) best join ${INDEXED} sources on sources.id = source_id join videos on videos.id = video_id
  order by product * scale desc, video_id collate "C", version collate "C", position
  limit ${limit}
  ${sql.raw(PLANNED_BY_VALUES)}`;

function comparisons(extension: string, query: Int8Array) {
  const operator = (name: string) => sql`operator(${sql.id(extension)}.${sql.raw(name)})`;
  const vector = sql`${`[${query.join(',')}]`}::${sql.id(extension, 'halfvec')}(${sql.lit(DIMENSIONS)})`;
  return {
    /** The operator returns the negative product, so that an index can order by it. */
    product: sql`-(vector ${operator('<#>')} ${vector})`,
    distance: sql`vector ${operator('<=>')} ${vector}`,
  };
}
