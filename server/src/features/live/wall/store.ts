import { type Selectable, sql } from 'kysely';
import { isReadable } from '#platform/access/index';
import type { DB, Queryable } from '#platform/db/index';
import type { Person } from '#platform/http/index';
import { toLiveEvent } from '../store.ts';
import { type LiveEvent, OPEN_STATUSES } from '../types.ts';
import type { WallLayout } from './types.ts';

/** The layout of a user; null before the first change. */
export async function findLayout(db: Queryable, userId: string): Promise<WallLayout | null> {
  const row = await db
    .selectFrom('liveWalls')
    .select(['size', 'streamIds'])
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row ? { size: row.size as WallLayout['size'], streamIds: row.streamIds as string[] } : null;
}

export async function saveLayout(db: Queryable, userId: string, { size, streamIds }: WallLayout): Promise<void> {
  const layout = { size, streamIds: JSON.stringify(streamIds), changedAt: sql<Date>`now()` };
  await db
    .insertInto('liveWalls')
    .values({ userId, ...layout })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(layout))
    .execute();
}

export type RecentEvent = LiveEvent & { sessionId: string; streamId: string; videoId: string; sessionName: string };
type EventRow = Selectable<DB['liveEvents']> & Pick<RecentEvent, 'streamId' | 'videoId' | 'sessionName'>;

/** The latest found events of running sessions that the caller may read, newest first. */
export async function listRecentEvents(db: Queryable, caller: Person, limit: number): Promise<RecentEvent[]> {
  const folder = caller.folderId ? sql`and live_sessions.folder_id = ${caller.folderId}` : sql``;
  const { rows } = await sql<EventRow>`
    select event.*, live_sessions.stream_id, live_sessions.video_id, live_sessions.name as session_name
    from live_sessions cross join lateral (
      select * from live_events where session_id = live_sessions.id order by position desc limit ${limit}
    ) event
    where ${isReadable(caller, 'liveSessions')} and status = any(${OPEN_STATUSES}::text[]) ${folder}
    order by event.created_at desc, event.id desc limit ${limit}`.execute(db);
  return rows.map((row) => ({ ...row, ...toLiveEvent(row) }));
}
