import { type Selectable, sql } from 'kysely';
import type { DB, Queryable, Transaction } from '#platform/db/index';
import { type FilmRow, type Ingest, type IngestStatus, NO_ROLES, type Roles, type Survey } from './types.ts';

type Problem = { code: string; message: string };

type NewIngest = Pick<
  Ingest,
  | 'id'
  | 'orgId'
  | 'ownerId'
  | 'scope'
  | 'folderId'
  | 'importId'
  | 'objectKey'
  | 'objectId'
  | 'objectVersion'
  | 'filename'
  | 'sourceUri'
  | 'sizeBytes'
  | 'reservedBytes'
  | 'sha256'
  | 'partS'
  | 'status'
>;

export async function insert(trx: Transaction, ingests: readonly NewIngest[]): Promise<void> {
  await trx
    .insertInto('mcap_ingests')
    .values(
      ingests.map((ingest) => ({
        id: ingest.id,
        org_id: ingest.orgId,
        owner_id: ingest.ownerId,
        scope: ingest.scope,
        folder_id: ingest.folderId,
        import_id: ingest.importId,
        object_key: ingest.objectKey,
        object_id: ingest.objectId,
        object_version: ingest.objectVersion,
        filename: ingest.filename,
        source_uri: ingest.sourceUri,
        size_bytes: ingest.sizeBytes,
        reserved_bytes: ingest.reservedBytes,
        sha256: ingest.sha256,
        part_s: ingest.partS,
        status: ingest.status,
      })),
    )
    .execute();
}

export async function find(db: Queryable, id: string): Promise<Ingest | null> {
  const row = await db.selectFrom('mcap_ingests').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? ingestOf(row) : null;
}

/** The ingest, its row locked. */
export async function lock(trx: Transaction, id: string): Promise<Ingest | null> {
  const row = await trx.selectFrom('mcap_ingests').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  return row ? ingestOf(row) : null;
}

type Arrived = { storageKey: string; sizeBytes: number; sha256: string };

/** The file is here. False when another one came first. */
export async function arrived(
  db: Queryable,
  id: string,
  from: IngestStatus,
  file: Arrived,
): Promise<{ orgId: string } | null> {
  const row = await db
    .updateTable('mcap_ingests')
    .set({ status: 'uploaded', storage_key: file.storageKey, size_bytes: file.sizeBytes, sha256: file.sha256 })
    .where('id', '=', id)
    .where('status', '=', from)
    .returning('org_id as orgId')
    .executeTakeFirst();
  return row ?? null;
}

export async function setStatus(trx: Transaction, id: string, status: IngestStatus): Promise<void> {
  await trx.updateTable('mcap_ingests').set({ status }).where('id', '=', id).execute();
}

export async function setRoles(trx: Transaction, id: string, roles: Roles): Promise<void> {
  await trx
    .updateTable('mcap_ingests')
    .set({ roles: JSON.stringify(roles) })
    .where('id', '=', id)
    .execute();
}

/** Roles that do not fit the recording are set aside, and what is wrong with them is told. */
export async function setRolesAside(trx: Transaction, id: string, { code, message }: Problem): Promise<void> {
  await trx
    .updateTable('mcap_ingests')
    .set({ roles: JSON.stringify(NO_ROLES), problem_code: code, problem_message: message })
    .where('id', '=', id)
    .execute();
}

/** Roles that fit were said, so nothing is wrong with them any more. */
export async function forgetRolesProblem(trx: Transaction, id: string): Promise<void> {
  await trx
    .updateTable('mcap_ingests')
    .set({
      problem_code: null,
      problem_message: null,
      status: sql<string>`case status when 'partial' then 'completed' else status end`,
    })
    .where('id', '=', id)
    .where('problem_code', 'in', ['mcap_channel_unknown', 'mcap_role_invalid', 'mcap_role_repeated'])
    .execute();
}

export async function setSurvey(db: Queryable, id: string, survey: Survey): Promise<void> {
  await db
    .updateTable('mcap_ingests')
    .set({ survey: JSON.stringify(survey) })
    .where('id', '=', id)
    .execute();
}

/** Notes how much is held for its file. */
export async function setReserved(trx: Transaction, id: string, bytes: number): Promise<void> {
  await trx.updateTable('mcap_ingests').set({ reserved_bytes: bytes }).where('id', '=', id).execute();
}

/** The last word on an ingest that is in one of these states. Returns it as it was; null when it is in none of them any more. */
export async function end(
  trx: Transaction,
  id: string,
  from: readonly IngestStatus[],
  status: 'completed' | 'partial' | 'failed',
  problem: Problem | null,
): Promise<Ingest | null> {
  const before = await lock(trx, id);
  if (!before || !from.includes(before.status)) return null;
  await trx
    .updateTable('mcap_ingests')
    .set({
      status,
      problem_code: problem?.code ?? null,
      problem_message: problem?.message ?? null,
      storage_key: null,
      reserved_bytes: 0,
      completed_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute();
  return before;
}

/** Takes away an ingest that failed: it is begun anew under its id. */
export async function removeFailed(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('mcap_ingests').where('id', '=', id).where('status', '=', 'failed').execute();
}

/** Ingests that were created this many hours ago, and whose file never came, or that nobody had processed. */
export async function waiting(db: Queryable, hours: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('mcap_ingests')
    .select('id')
    .where('status', 'in', ['created', 'uploaded'])
    .where('created_at', '<', sql<Date>`now() - make_interval(hours => ${hours})`)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Whether the film's video is in the library. */
const IS_THERE = sql<boolean>`exists (select from videos where videos.id = mcap_films.video_id and deleted_at is null)`;

export async function films(db: Queryable, ingestId: string): Promise<FilmRow[]> {
  const rows = await db
    .selectFrom('mcap_films')
    .selectAll()
    .select(sql<string>`case when status = 'completed' and not ${IS_THERE} then 'deleted' else status end`.as('status'))
    .where('ingest_id', '=', ingestId)
    .orderBy('part')
    .orderBy('channel')
    .execute();
  return rows.map(filmOf);
}

/** Notes a film, in place of what was known of it. */
export async function putFilm(db: Queryable, ingestId: string, film: FilmRow): Promise<void> {
  const values = {
    video_id: film.videoId,
    status: film.status,
    problem_code: film.problem?.code ?? null,
    problem_message: film.problem?.message ?? null,
    film: film.film && JSON.stringify(film.film),
  };
  await db
    .insertInto('mcap_films')
    .values({ ingest_id: ingestId, channel: film.channel, part: film.part, ...values })
    .onConflict((on) => on.columns(['ingest_id', 'channel', 'part']).doUpdateSet(values))
    .execute();
}

/** Videos of these ingests that are there, by the ingest. */
export async function videosOf(db: Queryable, ingestIds: readonly string[]): Promise<Map<string, string[]>> {
  if (ingestIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('mcap_films')
    .select(['ingest_id', 'video_id'])
    .where('ingest_id', 'in', ingestIds)
    .where('status', '=', 'completed')
    .where(IS_THERE)
    .orderBy('part')
    .orderBy('channel')
    .execute();
  const byIngest = Map.groupBy(rows, ({ ingest_id }) => ingest_id);
  return new Map([...byIngest].map(([id, films]) => [id, films.flatMap(({ video_id }) => video_id ?? [])]));
}

const problemOf = (code: string | null, message: string | null) =>
  code === null ? null : { code, message: message ?? '' };

export function ingestOf(row: Selectable<DB['mcap_ingests']>): Ingest {
  return {
    id: row.id,
    orgId: row.org_id,
    ownerId: row.owner_id,
    scope: row.scope as Ingest['scope'],
    folderId: row.folder_id,
    importId: row.import_id,
    objectKey: row.object_key,
    objectId: row.object_id,
    objectVersion: row.object_version,
    filename: row.filename,
    sourceUri: row.source_uri,
    sizeBytes: row.size_bytes,
    reservedBytes: row.reserved_bytes,
    sha256: row.sha256,
    partS: row.part_s,
    status: row.status as IngestStatus,
    problem: problemOf(row.problem_code, row.problem_message),
    storageKey: row.storage_key,
    roles: { ...NO_ROLES, ...(row.roles as Partial<Roles>) },
    survey: row.survey as Survey | null,
    createdAt: row.created_at,
    completedAt: row.completed_at,
  };
}

function filmOf(row: Selectable<DB['mcap_films']>): FilmRow {
  return {
    channel: row.channel,
    part: row.part,
    videoId: row.video_id,
    status: row.status as FilmRow['status'],
    problem: problemOf(row.problem_code, row.problem_message),
    film: row.film as FilmRow['film'],
  };
}
