import { sql } from 'kysely';
import type { Queryable } from '#platform/db/index';
import { type Draft, EMPTY_DRAFT } from '#platform/storage/index';

/** An upload that comes in pieces. It has the id of its video. */
export type Resumable = {
  length: number;
  draft: Draft;
  sha256: string | null;
  /** Whether its parts go to storage without passing through here. */
  direct: boolean;
  expiresAt: Date;
};

const COLUMNS = ['length', 'draft', 'sha256', 'direct', 'expires_at'] as const;
const COMPLETE = sql<boolean>`(draft->>'size')::bigint = length`;
const inS = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`;

type NewResumable = Pick<Resumable, 'length' | 'sha256'> & {
  videoId: string;
  lifeS: number;
  direct?: boolean;
};

export async function insert(
  db: Queryable,
  { videoId, length, sha256, lifeS, direct = false }: NewResumable,
): Promise<{ expiresAt: Date }> {
  return db
    .insertInto('resumable_uploads')
    .values({
      video_id: videoId,
      length,
      sha256,
      draft: JSON.stringify(EMPTY_DRAFT),
      direct,
      expires_at: inS(lifeS),
    })
    .returning('expires_at as expiresAt')
    .executeTakeFirstOrThrow();
}

/** An upload whose time is not over. */
export async function find(db: Queryable, videoId: string): Promise<Resumable | null> {
  const row = await withId(db, videoId).where('expires_at', '>', sql<Date>`now()`).executeTakeFirst();
  return row ? resumableOf(row) : null;
}

/** An upload of which all is here, its time over or not. */
export async function findComplete(db: Queryable, videoId: string): Promise<Resumable | null> {
  const row = await withId(db, videoId).where(COMPLETE).executeTakeFirst();
  return row ? resumableOf(row) : null;
}

const withId = (db: Queryable, videoId: string) =>
  db.selectFrom('resumable_uploads').select(COLUMNS).where('video_id', '=', videoId);

/** Takes the lease, so that only `holder` writes, on any node. Null while another has it. */
export async function take(db: Queryable, videoId: string, holder: string, leaseS: number): Promise<Resumable | null> {
  const row = await db
    .updateTable('resumable_uploads')
    .set({ lease_holder: holder, lease_until: inS(leaseS), wanted_at: null })
    .where('video_id', '=', videoId)
    .where((or) => or.or([or('lease_until', 'is', null), or('lease_until', '<', sql<Date>`now()`)]))
    .returning(COLUMNS)
    .executeTakeFirst();
  return row ? resumableOf(row) : null;
}

/** Who has asked for the lease so long ago has left. */
const WANTED_S = 2;

/** Asks who has the lease to give it back. */
export async function want(db: Queryable, videoId: string): Promise<void> {
  await db
    .updateTable('resumable_uploads')
    .set({ wanted_at: inS(0) })
    .where('video_id', '=', videoId)
    .execute();
}

/** Keeps the lease, and the draft if one is given. Null when it is lost; else whether another waits for it. */
export async function renew(
  db: Queryable,
  videoId: string,
  holder: string,
  leaseS: number,
  draft?: Draft,
): Promise<{ wanted: boolean } | null> {
  const row = await db
    .updateTable('resumable_uploads')
    .set({ lease_until: inS(leaseS), ...(draft ? { draft: JSON.stringify(draft) } : {}) })
    .where('video_id', '=', videoId)
    .where('lease_holder', '=', holder)
    .returning(sql<boolean>`coalesce(wanted_at > ${inS(-WANTED_S)}, false)`.as('wanted'))
    .executeTakeFirst();
  return row ?? null;
}

/** Takes note under which id storage knows a direct upload. */
export async function setMultipart(db: Queryable, videoId: string, id: string): Promise<void> {
  const draft: Draft = { ...EMPTY_DRAFT, multipart: { id, etags: [], tail: 0 } };
  await db
    .updateTable('resumable_uploads')
    .set({ draft: JSON.stringify(draft) })
    .where('video_id', '=', videoId)
    .execute();
}

/** Takes note that all parts of a direct upload are there. False when somebody did before. */
export async function seal(db: Queryable, videoId: string, draft: Draft): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('resumable_uploads')
    .set({ draft: JSON.stringify(draft) })
    .where('video_id', '=', videoId)
    .where(sql<boolean>`(draft->>'size')::bigint < length`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function giveBack(db: Queryable, videoId: string, holder: string): Promise<void> {
  await db
    .updateTable('resumable_uploads')
    .set({ lease_holder: null, lease_until: null })
    .where('video_id', '=', videoId)
    .where('lease_holder', '=', holder)
    .execute();
}

/** Its time is over now. */
export async function end(db: Queryable, videoId: string): Promise<void> {
  await db
    .updateTable('resumable_uploads')
    .set({ expires_at: inS(0) })
    .where('video_id', '=', videoId)
    .execute();
}

export async function remove(db: Queryable, videoId: string): Promise<void> {
  await db.deleteFrom('resumable_uploads').where('video_id', '=', videoId).execute();
}

/** Uploads whose time is over and which nobody writes to. */
export async function expired(db: Queryable, limit: number): Promise<{ videoId: string; complete: boolean }[]> {
  return db
    .selectFrom('resumable_uploads')
    .select(['video_id as videoId', COMPLETE.as('complete')])
    .where('expires_at', '<', sql<Date>`now()`)
    .where((or) => or.or([or('lease_until', 'is', null), or('lease_until', '<', sql<Date>`now()`)]))
    .orderBy('expires_at')
    .limit(limit)
    .execute();
}

type Row = Omit<Resumable, 'draft' | 'expiresAt'> & { draft: unknown; expires_at: Date };
const resumableOf = ({ draft, expires_at, ...row }: Row): Resumable => ({
  ...row,
  draft: draft as Draft,
  expiresAt: expires_at,
});
