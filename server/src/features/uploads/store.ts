import { sql } from 'kysely';
import type { Queryable } from '#platform/db/index';
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
const COMPLETE = sql<boolean>`(draft->>'size')::bigint = length`;
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
    })
    .returning('expiresAt')
    .executeTakeFirstOrThrow();
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
    .set({ leaseHolder: holder, leaseUntil: secondsFromNow(leaseS), leaseRequestedAt: null })
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
    .set({ leaseUntil: secondsFromNow(leaseS), ...(draft ? { draft: JSON.stringify(draft) } : {}) })
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
