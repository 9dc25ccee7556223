import { type ExpressionBuilder, sql } from 'kysely';
import type { DB, Queryable, Transaction } from '#platform/db/index';
import { GONE, type Gone, jsonOf } from './store.ts';
import type { NewVideo, StoredFacts } from './types.ts';

type On = ExpressionBuilder<DB, 'videos'>;

const arriving = (where: On) =>
  where.and([where('status', '=', 'PREPARE_IN_PROGRESS'), where('deleted_at', 'is', null)]);

/** Several are one statement, whose text is always the same. */
export async function insert(db: Queryable, videos: readonly (NewVideo & { storageKey: string })[]): Promise<void> {
  await sql`
    insert into videos
      (id, org_id, owner_id, scope, folder_id, name, source, source_uri, status, storage_key, reserved_bytes, metadata, touched_at)
    select id, "orgId", "ownerId", scope, "folderId", name, source, "sourceUri", 'PREPARE_IN_PROGRESS', "storageKey",
      coalesce("reserveBytes", 0), metadata, case when heartbeat then now() end
    from jsonb_to_recordset(${jsonOf(videos)}::jsonb) as given (
      id text, "orgId" text, "ownerId" text, scope text, "folderId" text, name text, source text, "sourceUri" text, "storageKey" text,
      "reserveBytes" bigint, metadata jsonb, heartbeat boolean)
    `.execute(db);
}

export type Arriving = {
  orgId: string;
  scope: string;
  folderId: string | null;
  storageKey: string;
  reservedBytes: number;
};

export type Arrived = Omit<Arriving, 'folderId'> & { id: string } & Omit<StoredFacts, 'probe'>;

const locked = (db: Queryable, id: string, silentS?: number) =>
  db
    .selectFrom('videos')
    .select([
      'id',
      'org_id as orgId',
      'scope',
      'folder_id as folderId',
      'storage_key as storageKey',
      'reserved_bytes as reservedBytes',
    ])
    .where('id', '=', id)
    .where(arriving)
    .$if(silentS !== undefined, (query) => query.where('touched_at', '<', agoS(silentS!)))
    .forUpdate();

/** The video, its row locked; undefined when it is not on its way, or not as silent as is asked for. */
export async function lockArriving(db: Queryable, id: string, silentS?: number): Promise<Arriving | undefined> {
  return locked(db, id, silentS).executeTakeFirst();
}

/** How much is held free for it from now on. */
export async function reserve(trx: Transaction, id: string, bytes: number): Promise<void> {
  await trx.updateTable('videos').set({ reserved_bytes: bytes }).where('id', '=', id).execute();
}

export async function touch(db: Queryable, id: string): Promise<boolean> {
  const result = await db
    .updateTable('videos')
    .set({ touched_at: sql`now()` })
    .where('id', '=', id)
    .where(arriving)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Of these videos those that were on their way, as they were before: they are there now. */
export async function arrive(trx: Transaction, arrived: readonly ({ id: string } & StoredFacts)[]): Promise<Arrived[]> {
  const given = arrived.map(({ probe, ...facts }) => ({
    ...{ ...facts, probe, durationS: probe.durationS },
    ...{ width: probe.video.width, height: probe.video.height, frameRate: probe.video.frameRate },
  }));
  const { rows } = await sql<Arrived>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (
        id text, "sizeBytes" bigint, sha256 text, "durationS" float8, width integer, height integer, "frameRate" float8, probe jsonb)
    ), before as (
      select id, org_id, scope, storage_key, reserved_bytes from videos
      where id in (select id from given) and status = 'PREPARE_IN_PROGRESS' and deleted_at is null
      order by id for update
    )
    update videos set
      status = 'UPLOADED', touched_at = null, reserved_bytes = 0, size_bytes = "sizeBytes", sha256 = given.sha256,
      duration_s = "durationS", width = given.width, height = given.height, frame_rate = "frameRate", probe = given.probe
    from before join given using (id)
    where videos.id = before.id
    returning before.id, before.org_id as "orgId", before.scope, before.storage_key as "storageKey",
      before.reserved_bytes as "reservedBytes", given.sha256, "sizeBytes"`.execute(trx);
  return rows;
}

/** Ends the arrival of a video. Returns it as it was before; undefined when it is not on its way. */
export async function fail(
  trx: Transaction,
  id: string,
  { code, message }: { code: string; message: string },
): Promise<Arriving | undefined> {
  return trx
    .updateTable('videos')
    .from(locked(trx, id).as('before'))
    .set({
      ...{ status: 'UPLOADING_FAILED', touched_at: null, reserved_bytes: 0 },
      ...{ problem_code: code, problem_message: message },
    })
    .whereRef('videos.id', '=', 'before.id')
    .returning(['before.orgId', 'before.scope', 'before.folderId', 'before.storageKey', 'before.reservedBytes'])
    .executeTakeFirst();
}

/** The video has its content in another place than where it came. */
export async function place(trx: Transaction, id: string, storageKey: string): Promise<void> {
  await trx.updateTable('videos').set({ storage_key: storageKey }).where('id', '=', id).execute();
}

/** Removes the record of a video that is not stored. Undefined when it is, or is deleted. */
export async function removeUnstored(trx: Transaction, id: string): Promise<Gone | undefined> {
  return trx
    .deleteFrom('videos')
    .where('id', '=', id)
    .where('status', '<>', 'UPLOADED')
    .where('deleted_at', 'is', null)
    .returning(GONE)
    .executeTakeFirst();
}

/** Videos whose connection has not been heard of for `silentS` seconds. */
export async function silent(db: Queryable, silentS: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('videos')
    .select('id')
    .where(arriving)
    .where('touched_at', '<', agoS(silentS))
    .orderBy('touched_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

const agoS = (seconds: number) => sql<Date>`now() - make_interval(secs => ${seconds})`;
