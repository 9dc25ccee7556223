import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import { fromStoredVersion, toStoredVersion } from './stored-versions.ts';

export type ObservationVersion = { kind: string; version: string };
export type ObservationRow = ObservationVersion & { status: 'running' | 'ready'; storageKey: string };

/** Duration of a lease in seconds. */
export const LEASE_S = 15;

const leaseUntil = sql<Date>`now() + make_interval(secs => ${LEASE_S})`;

/** Stored observations of a video, the oldest first. */
export async function listReady(db: Queryable, videoId: string): Promise<ObservationRow[]> {
  const rows = await db
    .selectFrom('observations')
    .select(['kind', 'version', 'status', 'storageKey'])
    .where('videoId', '=', videoId)
    .where('status', '=', 'ready')
    .orderBy('createdAt')
    .orderBy('version')
    .execute();
  return (rows as ObservationRow[]).map((row) => ({ ...row, version: fromStoredVersion(row.version) }));
}

/** Those of the videos that have all of these observations. */
export async function listObserved(
  db: Queryable,
  videoIds: readonly string[],
  versions: readonly ObservationVersion[],
): Promise<string[]> {
  const wanted = versions.map(({ kind, version }) => sql`(${kind}, ${toStoredVersion(version)})`);
  const rows = await db
    .selectFrom('observations')
    .select('videoId')
    .where('videoId', 'in', [...videoIds, ''])
    .where('status', '=', 'ready')
    .where(sql<boolean>`(kind, version) in (${sql.join(wanted)})`)
    .groupBy('videoId')
    .having(sql<boolean>`count(*) = ${versions.length}`)
    .execute();
  return rows.map(({ videoId }) => videoId);
}

/**
 * Leases observations that are unclaimed, have an expired lease, or are leased by an earlier attempt of the same job.
 * Returns those that were leased.
 */
export async function lease(
  trx: Transaction,
  videoId: string,
  wanted: readonly (ObservationVersion & { storageKey: string })[],
  holder: string,
): Promise<ObservationVersion[]> {
  const leased = await trx
    .insertInto('observations')
    .values(
      wanted.map(({ kind, version, storageKey }) => ({
        videoId,
        kind,
        version: toStoredVersion(version),
        status: 'running',
        storageKey,
        leaseHolder: holder,
        leaseUntil,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['videoId', 'kind', 'version'])
        .doUpdateSet({ leaseHolder: holder, leaseUntil })
        .where('observations.status', '=', 'running')
        .where(
          sql<boolean>`observations.lease_until < now() or split_part(observations.lease_holder, ':', 1) = split_part(${holder}, ':', 1)`,
        ),
    )
    .returning(['kind', 'version'])
    .execute();
  return leased.map(({ kind, version }) => ({ kind, version: fromStoredVersion(version) }));
}

/** Renews the lease. False if it was lost: it expired and was claimed, or the video was deleted. */
export async function renew(db: Queryable, videoId: string, holder: string): Promise<boolean> {
  const result = await db
    .updateTable('observations')
    .set({ leaseUntil })
    .where('videoId', '=', videoId)
    .where('leaseHolder', '=', holder)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Marks an observation as ready. False if the lease was lost. */
export async function markReady(
  trx: Transaction,
  videoId: string,
  kind: string,
  holder: string,
  sizeBytes: number,
): Promise<boolean> {
  const result = await trx
    .updateTable('observations')
    .set({ status: 'ready', sizeBytes, leaseHolder: null, leaseUntil: null })
    .where('videoId', '=', videoId)
    .where('kind', '=', kind)
    .where('leaseHolder', '=', holder)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function release(db: Queryable, videoId: string, holder: string): Promise<void> {
  await db
    .deleteFrom('observations')
    .where('videoId', '=', videoId)
    .where('leaseHolder', '=', holder)
    .where('status', '=', 'running')
    .execute();
}

/** Deletes an observation whose artifact is missing, so that it is made again. */
export async function discard(db: Queryable, videoId: string, { kind, version }: ObservationVersion): Promise<void> {
  await db
    .deleteFrom('observations')
    .where('videoId', '=', videoId)
    .where('kind', '=', kind)
    .where('version', '=', toStoredVersion(version))
    .where('status', '=', 'ready')
    .execute();
}

/** True if the video has observations. A deleted video has none. */
export async function hasObservations(db: Queryable, videoId: string): Promise<boolean> {
  const row = await db.selectFrom('observations').select('kind').where('videoId', '=', videoId).executeTakeFirst();
  return row !== undefined;
}

/** Ids of videos with observations of any engine version. */
export async function listObservedVideos(db: Queryable): Promise<string[]> {
  const rows = await db.selectFrom('observations').select('videoId').distinct().orderBy('videoId').execute();
  return rows.map((row) => row.videoId);
}

/** Deletes ready observations of every version. Leased ones stay. */
export async function discardAll(trx: Transaction, videoIds: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('observations')
    .where('videoId', '=', sql<string>`any(${videoIds}::text[])`)
    .where('status', '=', 'ready')
    .execute();
}

/** Deletes observations of one kind in every version, and their leases. */
export async function forget(trx: Transaction, videoId: string, kind: string): Promise<void> {
  await trx.deleteFrom('observations').where('videoId', '=', videoId).where('kind', '=', kind).execute();
}

/** Revokes all leases on the video. */
export async function revokeLeases(trx: Transaction, videoId: string): Promise<void> {
  await trx.deleteFrom('observations').where('videoId', '=', videoId).where('status', '=', 'running').execute();
}
