import { sql } from 'kysely';
import { type Queryable, type Transaction, toJson } from '#platform/db/index';
import type { Probe } from '#platform/media/index';
import type { PathRule, RecordingClock, StoredClock } from './types.ts';

export type ClockRow = {
  id: string;
  name: string;
  sourceUri: string | null;
  probe: Probe | null;
  clock: StoredClock | null;
  /** When it was recorded by a file beside it, as that was read; null: none says it. */
  recorded: { time: string; offset_min: number | null; rate?: number } | null;
  /** The rule of its folder; null without one. */
  rule: PathRule | null;
};

/** Locks and returns what the clocks of videos are read from, deleted ones included. */
export async function lockClocks(trx: Transaction, ids: readonly string[]): Promise<ClockRow[]> {
  const { rows } = await sql<ClockRow>`
    select videos.id, videos.name, source_uri, probe, clock, folders.clock_rule as rule,
      coalesce(metadata #> '{sidecar,recorded}', metadata -> 'recorded_start') as recorded
    from videos left join folders on folders.id = videos.folder_id
    where videos.id = any(${ids}::text[]) order by videos.id for update of videos`.execute(trx);
  return rows;
}

/** True for an offset, and for a time zone that the database knows; its rules may be older than those of Node. */
export async function isKnownZone(db: Queryable, timeZone: string): Promise<boolean> {
  if (/^[+-]/.test(timeZone)) return true;
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from pg_timezone_names where lower(name) = lower(${timeZone})) as known`.execute(db);
  return rows[0]!.known;
}

/** Uploaded videos whose clock was not read yet, as those of earlier versions. */
export async function findUnread(db: Queryable, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from videos where clock is null and status = 'UPLOADED' order by id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Uploaded videos of a folder after one of them, in the order of their ids. */
export async function findOfFolder(db: Queryable, folderId: string, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from videos
    where folder_id = ${folderId} and id > ${after} and status = 'UPLOADED' and deleted_at is null
    order by id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

export type ClockChange = { id: string; stored: StoredClock; clock: RecordingClock | null };

/** Stores clocks, with one statement. */
export async function storeClocks(trx: Transaction, changes: readonly ClockChange[]): Promise<void> {
  const given = changes.map(({ id, stored, clock }) => ({
    id,
    clock: stored,
    recordedAt: clock?.recordedAt ?? null,
    timeZone: clock?.timeZone ?? null,
  }));
  await sql`
    update videos set clock = given.clock, recorded_at = "recordedAt", time_zone = "timeZone",
      recorded_until = recorded_time("recordedAt", given.clock, coalesce(duration_s, 0))
    from jsonb_to_recordset(${toJson(given)}::jsonb) as given (
      id text, clock jsonb, "recordedAt" timestamptz, "timeZone" text)
    where videos.id = given.id`.execute(trx);
}
