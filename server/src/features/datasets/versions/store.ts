import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import type { Split } from '../splits.ts';
import type { DatasetVersion, DatasetVersionState, VersionFilter, VersionHead, VersionRow } from './types.ts';

const COLUMNS = [
  'id',
  'datasetId',
  'number',
  'name',
  'createdBy',
  'filter',
  'splits',
  'status',
  'videoCount',
  'eventCount',
  'clipCount',
  'sha256',
  'sizeBytes',
  'createdAt',
  'frozenAt',
] as const;
/** Rows of a page; a row has the events of one analysis. */
const PAGE = 50;

type NewVersion = Pick<DatasetVersion, 'id' | 'datasetId' | 'createdBy' | 'filter' | 'splits'> & {
  name: string | null;
};

/** Takes the next number of the dataset, which is locked. A number is never used twice. */
export async function insertVersion(trx: Transaction, { name, filter, splits, ...version }: NewVersion): Promise<void> {
  const { lastVersion } = await trx
    .updateTable('datasets')
    .set((eb) => ({ lastVersion: eb('lastVersion', '+', 1) }))
    .where('id', '=', version.datasetId)
    .returning('lastVersion')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('datasetVersions')
    .values({
      ...version,
      name: name ?? `Version ${lastVersion}`,
      number: lastVersion,
      status: 'processing',
      filter: JSON.stringify(filter),
      splits: splits && JSON.stringify(splits),
    })
    .execute();
}

export async function countVersions(db: Queryable, datasetId: string): Promise<number> {
  const counted = db.selectFrom('datasetVersions').select((eb) => eb.fn.countAll<number>().as('count'));
  return Number((await counted.where('datasetId', '=', datasetId).executeTakeFirstOrThrow()).count);
}

/** Versions of a dataset, newest first, or the one with this number or id. */
export async function findVersions(
  db: Queryable,
  { datasetId, number, id }: { datasetId?: string; number?: number; id?: string },
): Promise<DatasetVersionState[]> {
  const rows = await db
    .selectFrom('datasetVersions')
    .select(COLUMNS)
    .select(
      sql<number>`(select count(distinct r.video_id)::integer from dataset_version_rows r join videos v on v.id = r.video_id
        where r.version_id = dataset_versions.id and v.deleted_at is null)`.as('present'),
    )
    .$if(datasetId !== undefined, (query) => query.where('datasetId', '=', datasetId!))
    .$if(number !== undefined, (query) => query.where('number', '=', number!))
    .$if(id !== undefined, (query) => query.where('id', '=', id!))
    .orderBy('number', 'desc')
    .execute();
  return rows.map(({ present, sizeBytes, ...row }) => ({
    ...(row as unknown as DatasetVersion),
    sizeBytes: sizeBytes === null ? null : Number(sizeBytes),
    missingVideos: row.status === 'ready' ? row.videoCount - present : 0,
  }));
}

/** Locks a version that is being processed; null if it is not. */
export async function lockProcessing(trx: Transaction, id: string): Promise<DatasetVersion | null> {
  const found = trx.selectFrom('datasetVersions').select(COLUMNS).where('id', '=', id);
  const row = await found.where('status', '=', 'processing').forUpdate().executeTakeFirst();
  return (row as unknown as DatasetVersion | undefined) ?? null;
}

export type FrozenContents = {
  datasetId: string;
  /** Batches in their order. */
  batchIds: readonly string[];
  /** Videos without analyses, in their order. */
  videoIds: readonly string[];
  filter: VersionFilter;
  /** Splits by video; null without them. */
  splits: ReadonlyMap<string, Split> | null;
};

/**
 * Copies the results of the batches, the videos and the clips into the rows of a version. One statement, so all of
 * them are of one moment. Events have no URLs of images, which end.
 */
export async function insertRows(
  trx: Transaction,
  versionId: string,
  { datasetId, batchIds, videoIds, filter, splits }: FrozenContents,
): Promise<void> {
  const { approval, labels, types, minConfidence } = filter;
  const split = (videoId: ReturnType<typeof sql>) => sql`case when ${splits !== null}::boolean then
    jsonb_build_object('split', (select s.split from splits s where s.video_id = ${videoId})) else '{}' end`;
  await sql`
    with splits as (
      select * from unnest(${[...(splits?.keys() ?? [])]}::text[], ${[...(splits?.values() ?? [])]}::text[]) s (video_id, split)
    ), results as (
      select b.position - 1 as batch_position, a.position, a.video_id, a.id, a.document::jsonb as document,
        coalesce(e.events, '[]') as events
      from unnest(${batchIds}::text[]) with ordinality b (id, position)
        join analyses a on a.batch_id = b.id
        join videos v on v.id = a.video_id and v.deleted_at is null
        left join lateral (
          select jsonb_agg(event - 'annotated_thumbnail_url' order by place) as events
          from jsonb_array_elements(a.document::jsonb -> 'events') with ordinality t (event, place)
          where (${approval}::text is null or event ->> 'approval' = ${approval})
            and (${labels}::text[] is null or event ->> 'label' = any(${labels}::text[]))
            and (${types}::text[] is null or event ->> 'category' = any(${types}::text[]))
            and (${minConfidence}::float8 is null or (event ->> 'confidence')::float8 >= ${minConfidence})
        ) e on true
      where a.document is not null and not a.hidden
    ), rows as (
      select batch_position, false as is_clip, batch_position as first, position as second, video_id, jsonb_array_length(events) as event_count,
        jsonb_build_object('video_id', video_id, 'video_name', document -> 'filename', 'analysis_id', id,
          'status', lower(document #>> '{analysis,status}'), 'answer', document #> '{analysis,answer}', 'events', events)
          || ${split(sql`results.video_id`)}
          || (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(document -> 'analysis')
              where key like 'structured_output%') as content
      from results
      union all
      select null, false, ${batchIds.length}::bigint, u.position, v.id, 0, jsonb_build_object('folder_name', f.name, 'video',
        jsonb_build_object('video_id', v.id, 'filename', v.name) || ${split(sql`v.id`)})
      from unnest(${videoIds}::text[]) with ordinality u (id, position)
        join videos v on v.id = u.id and v.deleted_at is null
        left join folders f on f.id = v.folder_id
      union all
      select null, true, ${batchIds.length + 1}::bigint, row_number() over (order by c.video_id, c.start_s, c.end_s, c.id),
        v.id, 0, jsonb_build_object('clip_id', c.id, 'video_id', v.id, 'video_name', v.name, 'start_s', c.start_s,
          'end_s', c.end_s, 'label', c.label) || ${split(sql`v.id`)}
      from dataset_clips c join videos v on v.id = c.video_id and v.deleted_at is null
      where c.dataset_id = ${datasetId}
    )
    insert into dataset_version_rows (version_id, position, batch_position, is_clip, video_id, content, event_count)
    select ${versionId}, row_number() over (order by first, second), batch_position, is_clip, video_id, content::text,
      event_count
    from rows`.execute(trx);
}

/** Videos of the batches, of the dataset itself and of its clips that exist. */
export async function listContents(
  trx: Transaction,
  { datasetId, batchIds, videoIds }: Pick<FrozenContents, 'datasetId' | 'batchIds' | 'videoIds'>,
) {
  const { rows } = await sql<{ videoId: string }>`
    select distinct id as video_id from videos where deleted_at is null and (id = any(${videoIds}::text[])
      or id in (select video_id from analyses where batch_id = any(${batchIds}::text[]))
      or id in (select video_id from dataset_clips where dataset_id = ${datasetId}))`.execute(trx);
  return rows.map(({ videoId }) => videoId);
}

/** Stores the head and the counts of a version, whose rows are complete. */
export async function setHead(trx: Transaction, id: string, head: VersionHead): Promise<DatasetVersion> {
  const count = (what: string) =>
    sql<number>`(select ${sql.raw(what)}::integer from dataset_version_rows where version_id = dataset_versions.id)`;
  const row = await trx
    .updateTable('datasetVersions')
    .set({
      head: JSON.stringify(head),
      videoCount: count('count(distinct video_id)'),
      eventCount: count('coalesce(sum(event_count), 0)'),
      clipCount: count('count(*) filter (where is_clip)'),
    })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  return row as unknown as DatasetVersion;
}

export async function endVersion(
  db: Queryable,
  id: string,
  ended: { status: 'ready'; sha256: string; sizeBytes: number } | { status: 'failed' },
): Promise<void> {
  await db
    .updateTable('datasetVersions')
    .set({ ...ended, ...(ended.status === 'ready' && { frozenAt: sql<Date>`now()` }) })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .execute();
}

export async function findHead(db: Queryable, id: string): Promise<VersionHead | null> {
  const row = await db.selectFrom('datasetVersions').select('head').where('id', '=', id).executeTakeFirst();
  return row?.head ? (JSON.parse(row.head) as VersionHead) : null;
}

/** Rows of a version whose videos exist, in their order. One page is in memory at a time. */
export async function* streamRows(db: Queryable, versionId: string): AsyncGenerator<VersionRow[]> {
  for (let after = 0; ; ) {
    const page = await db
      .selectFrom('datasetVersionRows')
      .innerJoin('videos', 'videos.id', 'datasetVersionRows.videoId')
      .select(['datasetVersionRows.position', 'batchPosition', 'isClip', 'content'])
      .where('versionId', '=', versionId)
      .where('datasetVersionRows.position', '>', after)
      .where('videos.deletedAt', 'is', null)
      .orderBy('datasetVersionRows.position')
      .limit(PAGE)
      .execute();
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.position;
  }
}

export async function deleteVersion(trx: Transaction, id: string): Promise<void> {
  await trx.deleteFrom('datasetVersions').where('id', '=', id).execute();
}

/** Deletes what versions have of a video. */
export async function deleteRowsOfVideo(trx: Transaction, videoId: string): Promise<void> {
  await trx.deleteFrom('datasetVersionRows').where('videoId', '=', videoId).execute();
}
