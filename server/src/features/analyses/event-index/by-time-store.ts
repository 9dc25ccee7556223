import { sql } from 'kysely';
import type { Transaction } from '#platform/db/index';
import { toEventId } from '../types.ts';

/** An event of a batch by the clocks of its videos. */
export type EventByTime = {
  found: {
    eventId: string;
    videoName: string;
    label: string;
    startS: number;
    at: Date;
    /** Zone of the request, else of the video; null: neither. */
    timeZone: string | null;
  } | null;
  /** Names of videos with events that have no clock. */
  undated: string[];
  /** Videos of which nothing was searched. */
  missed: { name: string; reason: string }[];
};

/** The first or last event of a batch; of events at the same time that of the highest confidence. */
export async function findByTime(trx: Transaction, batchId: string, picks: 'first' | 'last'): Promise<EventByTime> {
  const direction = sql.raw(picks === 'first' ? 'asc' : 'desc');
  const events = sql`analysis_events e join videos v on v.id = e.video_id join analyses a on a.id = e.analysis_id
    where e.batch_id = ${batchId}`;
  const found = await sql<NonNullable<EventByTime['found']> & { analysisId: string; position: number }>`
    select e.analysis_id, e.position, v.name as video_name, e.label, e.start_s,
      recorded_time(v.recorded_at, v.clock, e.start_s) as at, coalesce(a.time_zone, v.time_zone) as time_zone
    from ${events} and v.recorded_at is not null
    order by at ${direction}, e.confidence desc, e.analysis_id, e.position limit 1`.execute(trx);
  const undated = await sql<{ name: string }>`
    select distinct v.name from ${events} and v.recorded_at is null order by v.name`.execute(trx);
  const missed = await sql<{ name: string; reason: string }>`
    select v.name, a.missed as reason from analyses a join videos v on v.id = a.video_id
    where a.batch_id = ${batchId} and a.missed is not null order by v.name`.execute(trx);
  const [first] = found.rows;
  return {
    found: first
      ? {
          eventId: toEventId(first.analysisId, first.position),
          videoName: first.videoName,
          label: first.label,
          startS: first.startS,
          at: first.at,
          timeZone: first.timeZone,
        }
      : null,
    undated: undated.rows.map(({ name }) => name),
    missed: missed.rows,
  };
}
