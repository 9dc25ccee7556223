import { type RawBuilder, sql } from 'kysely';
import { isReadable, type Principal } from '#platform/access/index';
import { PLANNED_BY_VALUES, type Queryable, type Transaction } from '#platform/db/index';
import type { Dataset } from '../types.ts';
import { EVENT_FIELDS } from './fields.ts';
import type { DatasetEvent, EventField, EventValues, Filter, Taxonomy } from './types.ts';

type Sql = RawBuilder<unknown>;
type Contents = Pick<Dataset, 'id' | 'batchIds' | 'videoIds'>;

/** Rows of the batches of a dataset, and of its other videos as far as the caller may read them. */
function contained({ batchIds, videoIds }: Contents, caller: Principal, table: string): Sql {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql`(${column('batchId')} = any(${batchIds}::text[])
    or (${column('videoId')} = any(${videoIds}::text[]) and ${isReadable(caller, table)}))`;
}

/** The different schemas of fields that queries of the dataset requested for events, and how many analyses did. */
export async function findQuerySchemas(
  db: Queryable,
  contents: Contents,
  caller: Principal,
): Promise<{ label: string; fields: EventField[]; count: number }[]> {
  const { rows } = await sql<{ label: string; fields: EventField[]; count: number }>`
    select output_schema ->> 'label' as label, output_schema -> 'fields' as fields, count(*)::integer as count
    from analyses where ${contained(contents, caller, 'analyses')} and not hidden and document is not null
      and output_schema ->> 'scope' = 'event'
    group by 1, 2 order by min(id)`.execute(db);
  return rows;
}

export type StoredTaxonomy = Omit<Taxonomy, 'id'> & { id: string; datasetId: string };

export async function insertTaxonomy(
  trx: Transaction,
  taxonomy: Pick<StoredTaxonomy, 'id' | 'datasetId' | 'label' | 'fields' | 'analysesTotal'>,
): Promise<void> {
  await trx
    .insertInto('datasetTaxonomies')
    .values({ ...taxonomy, fields: JSON.stringify(taxonomy.fields), status: 'processing' })
    .execute();
}

/** Taxonomies that were added to a dataset and did not fail, oldest first. */
export async function findTaxonomies(db: Queryable, datasetId: string): Promise<StoredTaxonomy[]> {
  const rows = await db
    .selectFrom('datasetTaxonomies')
    .selectAll()
    .where('datasetId', '=', datasetId)
    .where('status', '<>', 'failed')
    .orderBy('id')
    .execute();
  return rows as unknown as StoredTaxonomy[];
}

export async function findTaxonomy(db: Queryable, id: string): Promise<StoredTaxonomy | null> {
  const row = await db.selectFrom('datasetTaxonomies').selectAll().where('id', '=', id).executeTakeFirst();
  return (row as unknown as StoredTaxonomy | undefined) ?? null;
}

/** Ids of the completed analyses of a dataset, in the order in which they were started. */
export async function findAnalyses(db: Queryable, contents: Contents, caller: Principal): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from analyses where ${contained(contents, caller, 'analyses')} and not hidden and status = 'COMPLETED'
      and document is not null order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Stores the values of an analysis and the progress. False if the taxonomy has ended or was deleted. */
export async function recordValues(
  trx: Transaction,
  taxonomyId: string,
  {
    analysisId,
    done,
    values,
  }: { analysisId: string; done: number; values: readonly { position: number; fieldValues: EventValues }[] },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('datasetTaxonomies')
    .set({ analysesDone: done })
    .where('id', '=', taxonomyId)
    .where('status', '=', 'processing')
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await trx
    .deleteFrom('datasetEventValues')
    .where('taxonomyId', '=', taxonomyId)
    .where('analysisId', '=', analysisId)
    .execute();
  const rows = values.map(({ position, fieldValues }) => ({
    taxonomyId,
    analysisId,
    position,
    fieldValues: JSON.stringify(fieldValues),
  }));
  if (rows.length > 0) await trx.insertInto('datasetEventValues').values(rows).execute();
  return true;
}

/** Ends a taxonomy: as failed with a reason, else as done. */
export async function endTaxonomy(db: Queryable, id: string, reason: string | null): Promise<void> {
  await db
    .updateTable('datasetTaxonomies')
    .set({ status: reason === null ? 'done' : 'failed', reason })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .execute();
}

export type EventSelection = {
  contents: Contents;
  caller: Principal;
  /** Null: all events. */
  filter: Filter | null;
  /** Only these events; null: all. */
  keys: readonly Pick<DatasetEvent, 'analysisId' | 'position'>[] | null;
};

/**
 * Events of a dataset with the values of their fields, in the order of videos and times, and the number of all that
 * match. Captions are left out: they describe a video.
 */
export async function findEvents(
  db: Queryable,
  { contents, caller, filter, keys }: EventSelection,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ events: DatasetEvent[]; total: number }> {
  const keyed = keys
    ? sql`(analysis_id, position) in (
        select * from unnest(${keys.map((key) => key.analysisId)}::text[], ${keys.map((key) => key.position)}::integer[])
      )`
    : sql`true`;
  const { rows } = await sql<DatasetEvent & { total: number }>`
    with requested as (
      select analyses.id as analysis_id, (place - 1)::integer as position,
        (event -> 'structured_output')::jsonb as field_values
      from analyses cross join lateral json_array_elements(analyses.events) with ordinality as element (event, place)
      where ${contained(contents, caller, 'analyses')} and not hidden and output_schema ->> 'scope' = 'event'
        and json_typeof(event -> 'structured_output') = 'object'
    ),
    added as (
      select analysis_id, position, jsonb_object_agg(key, value) as field_values
      from dataset_taxonomies join dataset_event_values on taxonomy_id = dataset_taxonomies.id
        cross join lateral jsonb_each(dataset_event_values.field_values)
      where dataset_id = ${contents.id} and status <> 'failed' group by 1, 2
    ),
    listed as (
      select event.analysis_id, event.position, event.video_id, videos.name as video_name, event.batch_id, event.type,
        event.label, event.severity, event.approval, event.confidence, event.start_s, event.end_s,
        coalesce(requested.field_values, '{}') || coalesce(added.field_values, '{}') as field_values
      from analysis_events event
        join videos on videos.id = event.video_id and videos.deleted_at is null
        left join requested on (requested.analysis_id, requested.position) = (event.analysis_id, event.position)
        left join added on (added.analysis_id, added.position) = (event.analysis_id, event.position)
      where ${contained(contents, caller, 'event')} and event.type <> 'caption'
    )
    select *, count(*) over ()::integer as total from listed where ${keyed} and ${filter ? condition(filter) : sql`true`}
    order by video_id, start_s, analysis_id, position offset ${offset} limit ${limit}
    ${sql.raw(PLANNED_BY_VALUES)}`.execute(db);
  return { events: rows.map(({ total: _, ...event }) => event), total: rows[0]?.total ?? 0 };
}

function condition(filter: Filter): Sql {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return sql`(${sql.join(filter.of.map(condition), filter.kind === 'and' ? sql` and ` : sql` or `)})`;
    case 'equals': {
      const values = filter.values.map((value) => JSON.stringify(value));
      // A list contains each of its values, and a value itself.
      return sql`exists (select from unnest(${values}::jsonb[]) as wanted where ${fieldValue(filter.field)} @> wanted)`;
    }
    case 'compare':
      return sql`(case when jsonb_typeof(${fieldValue(filter.field)}) = 'number'
        then (${fieldValue(filter.field)})::numeric ${sql.raw(filter.operator)} ${filter.value}::numeric else false end)`;
  }
}

const COLUMNS: ReadonlySet<string> = new Set(EVENT_FIELDS.map(({ name }) => name));

/** The value of a field as jsonb; null without one. */
function fieldValue(field: string): Sql {
  const value = sql`field_values -> ${field}`;
  return COLUMNS.has(field) ? sql`coalesce(${value}, to_jsonb(${sql.ref(field)}))` : sql`(${value})`;
}
