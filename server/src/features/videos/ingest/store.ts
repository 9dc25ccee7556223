import { type ExpressionBuilder, sql } from 'kysely';
import { type DB, type Queryable, type Transaction, toJson } from '#platform/db/index';
import { REMOVED_COLUMNS, type RemovedVideo } from '../store.ts';
import type { InspectedFile, NewVideo } from '../types.ts';

type On = ExpressionBuilder<DB, 'videos'>;

const isPending = (where: On) =>
  where.and([where('status', '=', 'PREPARE_IN_PROGRESS'), where('deletedAt', 'is', null)]);

/** Inserts all videos with one statement, whose text does not depend on their number. */
export async function insertPending(
  db: Queryable,
  videos: readonly (NewVideo & { storageKey: string })[],
): Promise<void> {
  await sql`
    insert into videos
      (id, org_id, owner_id, scope, folder_id, camera_id, name, source, source_uri, status, storage_key, reserved_bytes, metadata, heartbeat_at)
    select id, "orgId", "ownerId", scope, "folderId", "cameraId", name, source, "sourceUri", 'PREPARE_IN_PROGRESS', "storageKey",
      coalesce("reserveBytes", 0), metadata, case when heartbeat then now() end
    from jsonb_to_recordset(${toJson(videos)}::jsonb) as given (
      id text, "orgId" text, "ownerId" text, scope text, "folderId" text, "cameraId" text, name text, source text, "sourceUri" text, "storageKey" text,
      "reserveBytes" bigint, metadata jsonb, heartbeat boolean)
    `.execute(db);
}

export type PendingVideo = {
  orgId: string;
  scope: string;
  folderId: string | null;
  storageKey: string;
  reservedBytes: number;
};

export type ReadyVideo = Omit<PendingVideo, 'folderId'> & { id: string } & Omit<InspectedFile, 'probe'>;

const selectPendingForUpdate = (db: Queryable, id: string, stalledS?: number) =>
  db
    .selectFrom('videos')
    .select(['id', 'orgId', 'scope', 'folderId', 'storageKey', 'reservedBytes'])
    .where('id', '=', id)
    .where(isPending)
    .$if(stalledS !== undefined, (query) => query.where('heartbeatAt', '<', secondsAgo(stalledS!)))
    .forUpdate();

/** Locks and returns a pending video; undefined if it is not pending, or has a heartbeat within `stalledS` seconds. */
export async function lockPending(db: Queryable, id: string, stalledS?: number): Promise<PendingVideo | undefined> {
  return selectPendingForUpdate(db, id, stalledS).executeTakeFirst();
}

export async function setReservedBytes(trx: Transaction, id: string, bytes: number): Promise<void> {
  await trx.updateTable('videos').set({ reservedBytes: bytes }).where('id', '=', id).execute();
}

export async function recordHeartbeat(db: Queryable, id: string): Promise<boolean> {
  const result = await db
    .updateTable('videos')
    .set({ heartbeatAt: sql`now()` })
    .where('id', '=', id)
    .where(isPending)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Marks pending videos as uploaded. Returns those that were pending, with their previous values. */
export async function markReady(
  trx: Transaction,
  files: readonly ({ id: string } & InspectedFile)[],
): Promise<ReadyVideo[]> {
  const given = files.map(({ probe, recording: _, ...file }) => ({
    ...file,
    probe,
    durationS: probe.durationS,
    width: probe.video.width,
    height: probe.video.height,
    frameRate: probe.video.frameRate,
  }));
  const { rows } = await sql<ReadyVideo>`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given (
        id text, "sizeBytes" bigint, sha256 text, "durationS" float8, width integer, height integer, "frameRate" float8, probe jsonb)
    ), before as (
      select id, org_id, scope, storage_key, reserved_bytes from videos
      where id in (select id from given) and status = 'PREPARE_IN_PROGRESS' and deleted_at is null
      order by id for update
    )
    update videos set
      status = 'UPLOADED', heartbeat_at = null, reserved_bytes = 0, size_bytes = "sizeBytes", sha256 = given.sha256,
      duration_s = "durationS", width = given.width, height = given.height, frame_rate = "frameRate", probe = given.probe
    from before join given using (id)
    where videos.id = before.id
    returning before.id, before.org_id, before.scope, before.storage_key, before.reserved_bytes, given.sha256, "sizeBytes"`.execute(
    trx,
  );
  return rows;
}

/** Marks a pending video as failed. Returns its previous values; undefined if it is not pending. */
export async function markFailed(
  trx: Transaction,
  id: string,
  { code, message }: { code: string; message: string },
): Promise<PendingVideo | undefined> {
  return trx
    .updateTable('videos')
    .from(selectPendingForUpdate(trx, id).as('before'))
    .set({
      status: 'UPLOADING_FAILED',
      heartbeatAt: null,
      reservedBytes: 0,
      problemCode: code,
      problemMessage: message,
    })
    .whereRef('videos.id', '=', 'before.id')
    .returning(['before.orgId', 'before.scope', 'before.folderId', 'before.storageKey', 'before.reservedBytes'])
    .executeTakeFirst();
}

/** Refers the video to content that is stored under another key. */
export async function setStorageKey(trx: Transaction, id: string, storageKey: string): Promise<void> {
  await trx.updateTable('videos').set({ storageKey }).where('id', '=', id).execute();
}

/** Removes the record of a video that is not uploaded. Undefined if it is uploaded or deleted. */
export async function deleteUnstored(trx: Transaction, id: string): Promise<RemovedVideo | undefined> {
  return trx
    .deleteFrom('videos')
    .where('id', '=', id)
    .where('status', '<>', 'UPLOADED')
    .where('deletedAt', 'is', null)
    .returning(REMOVED_COLUMNS)
    .executeTakeFirst();
}

/** Ids of pending videos without a heartbeat for `stalledS` seconds. */
export async function findStalled(db: Queryable, stalledS: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('videos')
    .select('id')
    .where(isPending)
    .where('heartbeatAt', '<', secondsAgo(stalledS))
    .orderBy('heartbeatAt')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

const secondsAgo = (seconds: number) => sql<Date>`now() - make_interval(secs => ${seconds})`;
