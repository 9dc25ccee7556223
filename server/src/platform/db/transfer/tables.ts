import type pg from 'pg';

/** Schemas of the service: its own tables, and those of the job queue. */
export const QUEUE_SCHEMA = 'pgboss';
/** Schema of tables that are derived from others: not part of backups, and made again after a restore. */
export const DERIVED_SCHEMA = 'vector_index';

export type Table = { schema: 'own' | 'queue'; name: string; columns: string[] };
export type DatabaseSequence = { schema: 'own' | 'queue'; name: string; value: string };

/** Rows that describe running processes, not data. */
const LEFT_OUT = new Set(['workers', 'kysely_migration_lock']);

/** Name of a table in statements. The own schema is the first of the connection's search path. */
export async function toNames(client: pg.Client): Promise<(table: { schema: string; name: string }) => string> {
  const { rows } = await client.query<{ schema: string }>('select current_schema() as schema');
  const own = rows[0]!.schema;
  return ({ schema, name }) =>
    `${client.escapeIdentifier(schema === 'own' ? own : QUEUE_SCHEMA)}.${client.escapeIdentifier(name)}`;
}

/**
 * Tables with rows of their own, and the columns that are not computed. Without partitions: the queue makes those of
 * its statistics by day, so that a restore on another day would not find them.
 */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select case when n.nspname = $1 then 'queue' else 'own' end as schema, c.relname as name,
       array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where c.relkind = 'r' and not c.relispartition and n.nspname in (current_schema(), $1)
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by n.nspname, c.relname order by n.nspname, c.relname`,
    [QUEUE_SCHEMA],
  );
  return rows.filter(({ name }) => !LEFT_OUT.has(name));
}

/** True for the queue's statistics of a day, which backups of earlier versions contain. */
export const isQueueStatistic = ({ schema, name }: Pick<Table, 'schema' | 'name'>): boolean =>
  schema === 'queue' && /^queue_stats_\d{8}$/.test(name);

/** Sequences that were used. */
export async function listSequences(client: pg.Client): Promise<DatabaseSequence[]> {
  const { rows } = await client.query<DatabaseSequence>(
    `select case when schemaname = $1 then 'queue' else 'own' end as schema, sequencename as name,
       last_value::text as value
     from pg_sequences where schemaname in (current_schema(), $1) and last_value is not null order by 1, 2`,
    [QUEUE_SCHEMA],
  );
  return rows;
}

/** Applied migrations with their digests, and the version of the queue's schema; null without one. */
export async function readVersions(client: pg.Client): Promise<Versions> {
  const { rows: migrations } = await client.query<Versions['migrations'][number]>(
    'select name, digest from kysely_migration_digest order by name',
  );
  const { rows: queues } = await client.query<{ found: boolean }>(
    `select to_regclass('${QUEUE_SCHEMA}.version') is not null as found`,
  );
  if (!queues[0]!.found) return { migrations, queue: null };
  const { rows } = await client.query<{ version: number }>(`select version from ${QUEUE_SCHEMA}.version`);
  return { migrations, queue: rows[0]?.version ?? null };
}

export type Versions = { migrations: { name: string; digest: string }[]; queue: number | null };
