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
  await trx.deleteFrom('observationRanges').where('videoId', '=', videoId).execute();
}

/** Ranges of a pass that nobody continues are deleted after this time. */
const RANGE_DAYS = 7;

type RangeRow = { position: number; added: Buffer; state: Buffer | null };

/**
 * Stores a range and the state of the pass after it, in place of the state before and of later ranges. Nothing is
 * stored if the holder has lost its lease on the observations.
 */
export async function insertRange(
  db: Queryable,
  range: {
    videoId: string;
    pass: string;
    holder: string;
    index: number;
    added: Uint8Array;
    state: Uint8Array;
    fraction: number;
  },
): Promise<void> {
  const { videoId, pass, holder, index, added, state, fraction } = range;
  const isSame = sql`video_id = ${videoId} and pass = ${pass} and exists (select from lease)`;
  await sql`
    with lease as materialized (
      select from observations
      where video_id = ${videoId} and lease_holder = ${holder} and status = 'running'
      limit 1 for share
    ),
    later as (delete from observation_ranges where ${isSame} and position > ${index}),
    earlier as (update observation_ranges set state = null where ${isSame} and position = ${index - 1})
    insert into observation_ranges (video_id, pass, position, added, state, fraction)
    select ${videoId}, ${pass}, ${index}::integer, ${Buffer.from(added)}, ${Buffer.from(state)}, ${fraction}::float8
    from lease
    on conflict (video_id, pass, position) do update
      set added = excluded.added, state = excluded.state, fraction = excluded.fraction, created_at = now()
  `.execute(db);
}

/** The ranges of a pass, in order. Only the last one has a state. */
export function listRanges(db: Queryable, videoId: string, pass: string): Promise<RangeRow[]> {
  return db
    .selectFrom('observationRanges')
    .select(['position', 'added', 'state'])
    .where('videoId', '=', videoId)
    .where('pass', '=', pass)
    .orderBy('position')
    .execute();
}

export async function deleteRanges(trx: Transaction, videoId: string, passes: readonly string[]): Promise<void> {
  await trx.deleteFrom('observationRanges').where('videoId', '=', videoId).where('pass', 'in', passes).execute();
}

/** Deletes the ranges of passes that nobody has continued. All of a pass: one without its first ranges is no pass. */
export async function deleteOldRanges(db: Queryable): Promise<void> {
  const before = sql<Date>`now() - make_interval(days => ${RANGE_DAYS})`;
  await db
    .deleteFrom('observationRanges as old')
    .where('old.createdAt', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('observationRanges as newer')
            .select('newer.videoId')
            .whereRef('newer.videoId', '=', 'old.videoId')
            .whereRef('newer.pass', '=', 'old.pass')
            .where('newer.createdAt', '>=', before),
        ),
      ),
    )
    .execute();
}
