import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';

export type Wanted = { kind: string; version: string };
export type ObservationRow = Wanted & { status: 'running' | 'ready'; storageKey: string };

/** How long an observer counts as alive after its last sign of life, in seconds. */
export const LEASE_S = 15;

const leaseUntil = sql<Date>`now() + make_interval(secs => ${LEASE_S})`;

export async function ready(db: Queryable, videoId: string): Promise<ObservationRow[]> {
  const rows = await db
    .selectFrom('observations')
    .select(['kind', 'version', 'status', 'storage_key as storageKey'])
    .where('video_id', '=', videoId)
    .where('status', '=', 'ready')
    .execute();
  return rows as ObservationRow[];
}

/**
 * Takes what nobody observes now: nobody began, or whoever did went silent, or was an earlier attempt of the same job, which the queue
 * would not have given away otherwise. Returns what was taken; never more than one has the same.
 */
export async function lease(
  trx: Transaction,
  videoId: string,
  wanted: readonly (Wanted & { storageKey: string })[],
  holder: string,
): Promise<Wanted[]> {
  return trx
    .insertInto('observations')
    .values(
      wanted.map(({ kind, version, storageKey }) => ({
        video_id: videoId,
        kind,
        version,
        status: 'running',
        storage_key: storageKey,
        lease_holder: holder,
        lease_until: leaseUntil,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['video_id', 'kind', 'version'])
        .doUpdateSet({ lease_holder: holder, lease_until: leaseUntil })
        .where('observations.status', '=', 'running')
        .where(
          sql<boolean>`observations.lease_until < now() or split_part(observations.lease_holder, ':', 1) = split_part(${holder}, ':', 1)`,
        ),
    )
    .returning(['kind', 'version'])
    .execute();
}

/** A sign of life. False when the lease is no longer ours: it ran out and was taken, or the video was deleted. */
export async function renew(db: Queryable, videoId: string, holder: string): Promise<boolean> {
  const result = await db
    .updateTable('observations')
    .set({ lease_until: leaseUntil })
    .where('video_id', '=', videoId)
    .where('lease_holder', '=', holder)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Marks one observation as there for ever. False when the lease is no longer ours. */
export async function settle(
  trx: Transaction,
  videoId: string,
  kind: string,
  holder: string,
  sizeBytes: number,
): Promise<boolean> {
  const result = await trx
    .updateTable('observations')
    .set({ status: 'ready', size_bytes: sizeBytes, lease_holder: null, lease_until: null })
    .where('video_id', '=', videoId)
    .where('kind', '=', kind)
    .where('lease_holder', '=', holder)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function release(db: Queryable, videoId: string, holder: string): Promise<void> {
  await db
    .deleteFrom('observations')
    .where('video_id', '=', videoId)
    .where('lease_holder', '=', holder)
    .where('status', '=', 'running')
    .execute();
}

/** Forgets an observation whose artifact is gone, so that it is made again. */
export async function discard(db: Queryable, videoId: string, { kind, version }: Wanted): Promise<void> {
  await db
    .deleteFrom('observations')
    .where('video_id', '=', videoId)
    .where('kind', '=', kind)
    .where('version', '=', version)
    .where('status', '=', 'ready')
    .execute();
}

/** Whether anything is known of the video; nothing is once it was deleted. */
export async function known(db: Queryable, videoId: string): Promise<boolean> {
  const row = await db.selectFrom('observations').select('kind').where('video_id', '=', videoId).executeTakeFirst();
  return row !== undefined;
}

/** Videos in which anything was observed, by any version of the engine. */
export async function observed(db: Queryable): Promise<string[]> {
  const rows = await db.selectFrom('observations').select('video_id').distinct().orderBy('video_id').execute();
  return rows.map((row) => row.video_id);
}

/** Forgets what is there, of every version; what somebody observes now stays theirs. */
export async function discardAll(trx: Transaction, videoIds: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('observations')
    .where('video_id', '=', sql<string>`any(${videoIds}::text[])`)
    .where('status', '=', 'ready')
    .execute();
}

/** Forgets one kind, of every version; whoever observes it now loses the lease. */
export async function forget(trx: Transaction, videoId: string, kind: string): Promise<void> {
  await trx.deleteFrom('observations').where('video_id', '=', videoId).where('kind', '=', kind).execute();
}

/** Takes the lease from whoever observes the video now. */
export async function stop(trx: Transaction, videoId: string): Promise<void> {
  await trx.deleteFrom('observations').where('video_id', '=', videoId).where('status', '=', 'running').execute();
}
