import { type ExpressionBuilder, sql } from 'kysely';
import type { DB, Queryable, Transaction } from '#platform/db/index';
import { GONE, type Gone } from './store.ts';
import type { NewVideo, StoredFacts } from './types.ts';

type On = ExpressionBuilder<DB, 'videos'>;

const arriving = (where: On) =>
  where.and([where('status', '=', 'PREPARE_IN_PROGRESS'), where('deleted_at', 'is', null)]);

export async function insert(db: Queryable, video: NewVideo & { storageKey: string }): Promise<void> {
  await db
    .insertInto('videos')
    .values({
      id: video.id,
      org_id: video.orgId,
      owner_id: video.ownerId,
      scope: video.scope,
      folder_id: video.folderId,
      name: video.name,
      source: video.source,
      source_uri: video.sourceUri,
      status: 'PREPARE_IN_PROGRESS',
      storage_key: video.storageKey,
      reserved_bytes: video.reserveBytes ?? 0,
      metadata: JSON.stringify(video.metadata),
      touched_at: video.heartbeat ? sql<Date>`now()` : null,
    })
    .execute();
}

export type Arriving = {
  orgId: string;
  scope: string;
  folderId: string | null;
  storageKey: string;
  reservedBytes: number;
};

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

/** The video, its row locked; undefined when it is not on its way. */
export async function lockArriving(db: Queryable, id: string): Promise<Arriving | undefined> {
  return locked(db, id).executeTakeFirst();
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

type Outcome = ({ status: 'UPLOADED' } & StoredFacts) | { status: 'UPLOADING_FAILED'; code: string; message: string };

/** Ends the arrival of a video. Returns it as it was before; undefined when it is not on its way, or not as silent as is asked for. */
export async function settle(
  trx: Transaction,
  id: string,
  outcome: Outcome,
  silentS?: number,
): Promise<Arriving | undefined> {
  const set =
    outcome.status === 'UPLOADED'
      ? {
          size_bytes: outcome.sizeBytes,
          sha256: outcome.sha256,
          duration_s: outcome.probe.durationS,
          width: outcome.probe.video.width,
          height: outcome.probe.video.height,
          frame_rate: outcome.probe.video.frameRate,
          probe: JSON.stringify(outcome.probe),
        }
      : { problem_code: outcome.code, problem_message: outcome.message };
  return trx
    .updateTable('videos')
    .from(locked(trx, id, silentS).as('before'))
    .set({ status: outcome.status, touched_at: null, reserved_bytes: 0, ...set })
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
