import { sql } from 'kysely';
import type { Queryable, Transaction } from '#platform/db/index';
import { EMPTY_OBJECT, type PartialObject } from '#platform/storage/index';

/** A resumable or direct upload. It has the id of its video. */
export type OpenUpload = {
  length: number;
  draft: PartialObject;
  sha256: string | null;
  /** True if the client sends the parts straight to S3 storage. */
  direct: boolean;
  expiresAt: Date;
};

const COLUMNS = ['length', 'draft', 'sha256', 'direct', 'expiresAt'] as const;
/** True for an upload that may still receive bytes; with its video. */
const IS_OPEN = sql<boolean>`(draft->>'size')::bigint < length and resumable_uploads.expires_at > now()
  and videos.status = 'PREPARE_IN_PROGRESS' and videos.deleted_at is null`;
const COMPLETE = sql<boolean>`(draft->>'size')::bigint = length`;
/** Lifetime of a reservation of disk space after the last byte: an abandoned upload must not keep others out. */
const RESERVATION_S = 3600;
/** The advisory lock of reservations. */
const RESERVATIONS = sql`hashtextextended('sightline reserves space for uploads', 0)`;
const secondsFromNow = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`;

type NewOpenUpload = Pick<OpenUpload, 'length' | 'sha256'> & {
  videoId: string;
  lifeS: number;
  direct?: boolean;
};

export async function insert(
  db: Queryable,
  { videoId, length, sha256, lifeS, direct = false }: NewOpenUpload,
): Promise<{ expiresAt: Date }> {
  return db
    .insertInto('resumableUploads')
    .values({
      videoId,
      length,
      sha256,
      draft: JSON.stringify(EMPTY_OBJECT),
      direct,
      expiresAt: secondsFromNow(lifeS),
      reservedUntil: secondsFromNow(RESERVATION_S),
    })
    .returning('expiresAt')
    .executeTakeFirstOrThrow();
}

/** Number of the organization's uploads that are not complete; not more than `limit`. */
export async function countOpen(trx: Transaction, orgId: string, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from resumable_uploads join videos on videos.id = resumable_uploads.video_id
      where videos.org_id = ${orgId} and ${IS_OPEN} limit ${limit}) as open`.execute(trx);
  return rows[0]!.count;
}

/**
 * Bytes that resumable uploads may still bring to the disk of this service. Serializes the transactions that reserve
 * some.
 */
export async function sumReserved(trx: Transaction): Promise<number> {
  await sql`select pg_advisory_xact_lock(${RESERVATIONS})`.execute(trx);
  const { rows } = await sql<{ bytes: string }>`
    select coalesce(sum(length - (draft->>'size')::bigint), 0) as bytes from resumable_uploads
    join videos on videos.id = resumable_uploads.video_id
    where not direct and ${IS_OPEN} and coalesce(reserved_until, resumable_uploads.expires_at) > now()`.execute(trx);
  return Number(rows[0]!.bytes);
}

/** Returns an upload that has not expired. */
export async function find(db: Queryable, videoId: string): Promise<OpenUpload | null> {
  const row = await selectById(db, videoId).where('expiresAt', '>', sql<Date>`now()`).executeTakeFirst();
  return row ? toOpenUpload(row) : null;
}

/** Returns a complete upload, expired or not. */
export async function findComplete(db: Queryable, videoId: string): Promise<OpenUpload | null> {
  const row = await selectById(db, videoId).where(COMPLETE).executeTakeFirst();
  return row ? toOpenUpload(row) : null;
}

const selectById = (db: Queryable, videoId: string) =>
  db.selectFrom('resumableUploads').select(COLUMNS).where('videoId', '=', videoId);

/** Acquires the lease: across all nodes only its holder writes. Null while another holder has it. */
export async function acquireLease(
  db: Queryable,
  videoId: string,
  holder: string,
  leaseS: number,
): Promise<OpenUpload | null> {
  const row = await db
    .updateTable('resumableUploads')
    .set({
      leaseHolder: holder,
      leaseUntil: secondsFromNow(leaseS),
      leaseRequestedAt: null,
      reservedUntil: secondsFromNow(RESERVATION_S),
    })
    .where('videoId', '=', videoId)
    .where((or) => or.or([or('leaseUntil', 'is', null), or('leaseUntil', '<', sql<Date>`now()`)]))
    .returning(COLUMNS)
    .executeTakeFirst();
  return row ? toOpenUpload(row) : null;
}

/** A request for the lease that is older than this is stale: its connection has ended. */
const LEASE_REQUEST_TTL_S = 2;

/** Requests the lease from its holder. */
export async function requestLease(db: Queryable, videoId: string): Promise<void> {
  await db
    .updateTable('resumableUploads')
    .set({ leaseRequestedAt: secondsFromNow(0) })
    .where('videoId', '=', videoId)
    .execute();
}

/**
 * Renews the lease and stores the draft, if given. Null if the lease is lost; `wanted` if another connection requests
 * it.
 */
export async function renewLease(
  db: Queryable,
  videoId: string,
  holder: string,
  leaseS: number,
  draft?: PartialObject,
): Promise<{ wanted: boolean } | null> {
  const row = await db
    .updateTable('resumableUploads')
    .set({
      leaseUntil: secondsFromNow(leaseS),
      reservedUntil: secondsFromNow(RESERVATION_S),
      ...(draft ? { draft: JSON.stringify(draft) } : {}),
    })
    .where('videoId', '=', videoId)
    .where('leaseHolder', '=', holder)
    .returning(sql<boolean>`coalesce(lease_requested_at > ${secondsFromNow(-LEASE_REQUEST_TTL_S)}, false)`.as('wanted'))
    .executeTakeFirst();
  return row ?? null;
}

/** Stores the id of the multipart upload in storage. */
export async function setMultipart(db: Queryable, videoId: string, id: string): Promise<void> {
  const draft: PartialObject = { ...EMPTY_OBJECT, multipart: { id, etags: [], tail: 0 } };
  await db
    .updateTable('resumableUploads')
    .set({ draft: JSON.stringify(draft) })
    .where('videoId', '=', videoId)
    .execute();
}

/** Marks a direct upload as complete. Returns false if it was already. */
export async function markComplete(db: Queryable, videoId: string, draft: PartialObject): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('resumableUploads')
    .set({ draft: JSON.stringify(draft) })
    .where('videoId', '=', videoId)
    .where(sql<boolean>`(draft->>'size')::bigint < length`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function releaseLease(db: Queryable, videoId: string, holder: string): Promise<void> {
  await db
    .updateTable('resumableUploads')
    .set({ leaseHolder: null, leaseUntil: null })
    .where('videoId', '=', videoId)
    .where('leaseHolder', '=', holder)
    .execute();
}

/** Ends the lifetime of an upload now. */
export async function expireNow(db: Queryable, videoId: string): Promise<void> {
  await db
    .updateTable('resumableUploads')
    .set({ expiresAt: secondsFromNow(0) })
    .where('videoId', '=', videoId)
    .execute();
}

export async function remove(db: Queryable, videoId: string): Promise<void> {
  await db.deleteFrom('resumableUploads').where('videoId', '=', videoId).execute();
}

/** Returns expired uploads that no connection writes to. */
export async function findExpired(db: Queryable, limit: number): Promise<{ videoId: string; complete: boolean }[]> {
  return db
    .selectFrom('resumableUploads')
    .select(['videoId', COMPLETE.as('complete')])
    .where('expiresAt', '<', sql<Date>`now()`)
    .where((or) => or.or([or('leaseUntil', 'is', null), or('leaseUntil', '<', sql<Date>`now()`)]))
    .orderBy('expiresAt')
    .limit(limit)
    .execute();
}

type Row = Omit<OpenUpload, 'draft' | 'expiresAt'> & { draft: unknown; expiresAt: Date };
const toOpenUpload = ({ draft, expiresAt, ...row }: Row): OpenUpload => ({
  ...row,
  draft: draft as PartialObject,
  expiresAt,
});
