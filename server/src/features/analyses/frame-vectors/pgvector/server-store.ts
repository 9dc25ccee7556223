import { sql } from 'kysely';
import { DERIVED_SCHEMA, type Queryable } from '#platform/db/index';

/** Backups do not contain the index. */
export const SCHEMA = DERIVED_SCHEMA;
/** Table of the observations whose vectors are in the index. */
export const INDEXED = sql.id(SCHEMA, 'sources');
/** Index of the directions of vectors that represent others, by name in its schema. */
export const GRAPH = 'representatives_by_direction';
/** Index of versions that had all vectors in the graph. */
export const EARLIER_GRAPH = 'vectors_by_direction';

/** State of pgvector on the database server. */
export type PgvectorServer = {
  /** Version that the server can install; null: it does not have the extension. */
  available: string | null;
  /** Version in this database; null: it is not created. */
  installed: string | null;
  /** Schema of the extension's types and operators; null: it is not created. */
  schema: string | null;
  /** True if this role may create the extension; a managed server may allow it although this is false. */
  mayCreate: boolean;
  /** True if the schema of the index exists, or this role may create it. */
  mayCreateSchema: boolean;
  role: string;
  database: string;
};

/** Reads what the server has, from its catalogs. */
export async function readServer(db: Queryable): Promise<PgvectorServer> {
  const { rows } = await sql<PgvectorServer>`
    select a.default_version as available, e.extversion as installed, n.nspname as schema,
      current_user as role, current_database() as database,
      (select rolsuper from pg_roles where rolname = current_user) or exists (
        select from pg_available_extension_versions v
        where v.name = 'vector' and v.version = a.default_version and (v.trusted or not v.superuser)
          and has_database_privilege(current_database(), 'CREATE')
      ) as may_create,
      to_regnamespace(${SCHEMA}) is not null or has_database_privilege(current_database(), 'CREATE')
        as may_create_schema
    from (select) one
    left join pg_available_extensions a on a.name = 'vector'
    left join pg_extension e on e.extname = 'vector'
    left join pg_namespace n on n.oid = e.extnamespace`.execute(db);
  return rows[0]!;
}

/** Schema of the extension if searches can use the index, that is if it is completely built; null otherwise. */
export async function findUsableIndex(db: Queryable): Promise<string | null> {
  const { rows } = await sql<{ schema: string }>`
    select n.nspname as schema from pg_extension e
    join pg_namespace n on n.oid = e.extnamespace
    join pg_index i on i.indexrelid = to_regclass(${`${SCHEMA}.${GRAPH}`}) and i.indisvalid
    where e.extname = 'vector'`.execute(db);
  return rows[0]?.schema ?? null;
}

/** Number of stored vectors, and of those that are also in the index. */
export async function countVectors(db: Queryable): Promise<{ stored: number; indexed: number }> {
  const { rows } = await sql<{ stored: number; hasIndex: boolean }>`
    select (select coalesce(sum(total_frames), 0) from frame_vectors where block = 0)
        + (select coalesce(sum(views), 0) from object_vectors) as stored,
      to_regclass(${`${SCHEMA}.sources`}) is not null as has_index`.execute(db);
  const { stored, hasIndex } = rows[0]!;
  if (!hasIndex) return { stored: Number(stored), indexed: 0 };
  const counted = await sql<{ indexed: number }>`
    select coalesce(sum(vectors), 0) as indexed from ${INDEXED}`.execute(db);
  return { stored: Number(stored), indexed: Number(counted.rows[0]!.indexed) };
}
