import { sql } from 'kysely';
import type { Transaction } from '#platform/db/index';

/** A worker without heartbeats for this long is dead, and its jobs move to others. */
export const SILENT_S = 10;
/** Interval of heartbeats. Each kind of job has its own timer. */
export const BEAT_S = 3;
/** Heartbeats of one dead worker's jobs stop within this time of each other. */
const TOGETHER_S = BEAT_S + 0.5;
/**
 * A job is given up after this many deaths of its workers, weighted by the number of jobs that ran on them. Deaths from
 * outside (a deployment, a power cut, the OOM killer) rarely hit one job this often, and are shared with the jobs
 * beside it.
 */
const MAX_CHARGE = 20;
/**
 * The first interruptions cause no delay. Later ones do, by a growing random time, so that a job that kills its worker
 * runs alone.
 */
const FREE = 3;
const PAUSE_S = 5;
const MAX_PAUSE_S = 600;
const KEEP_DAYS = 7;

/** Any number that no other advisory lock uses. */
const LOCK = 7_201_431;

/**
 * Requeues jobs of dead workers. The attempt does not count as a retry; interruptions are counted separately. A job
 * with too many of them is left for pg-boss to fail. One node at a time does this.
 */
export async function takeFromDeadWorkers(trx: Transaction, names: readonly string[]): Promise<void> {
  const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as free`.execute(trx);
  if (!rows[0]?.free) return;
  const seconds = (count: number) => sql`make_interval(secs => ${count})`;
  await sql`
    with silent as (
      select id, heartbeat_on from pgboss.job
      where state = 'active' and name = any(${names}::text[]) and heartbeat_on < now() - ${seconds(SILENT_S - TOGETHER_S)}
    ), fallen as (
      select heartbeat_on as at from silent union all
      select silent_since from job_interruptions where silent_since > now() - ${seconds(3 * SILENT_S)}
    ), lost as (
      select id, heartbeat_on, 1.0 / (
        select count(*) from fallen
        where at between heartbeat_on - ${seconds(TOGETHER_S)} and heartbeat_on + ${seconds(TOGETHER_S)}
      ) as share
      from silent where heartbeat_on < now() - ${seconds(SILENT_S)}
    ), counted as (
      insert into job_interruptions as known (job_id, interruptions, charge, silent_since)
      select id, 1, share, heartbeat_on from lost
      on conflict (job_id) do update set
        interruptions = known.interruptions + 1, charge = known.charge + excluded.charge, silent_since = excluded.silent_since
      returning job_id, interruptions, charge
    )
    update pgboss.job set
      state = (case when charge < ${MAX_CHARGE} then 'retry' else 'active' end)::pgboss.job_state,
      retry_limit = case when charge < ${MAX_CHARGE} then retry_limit + 1 else retry_count end,
      -- So old a heartbeat makes pg-boss fail the job, and send the one that follows it.
      heartbeat_on = case when charge < ${MAX_CHARGE} then null else timestamptz 'epoch' end,
      start_after = case when interruptions <= ${FREE} then now() else now() + make_interval(secs =>
        least(${MAX_PAUSE_S}, ${PAUSE_S} * 2 ^ least(interruptions - ${FREE} - 1, 16)) * (0.5 + random() / 2)) end
    from counted where job.id = counted.job_id and job.state = 'active'`.execute(trx);
  await sql`delete from job_interruptions where silent_since < now() - make_interval(days => ${KEEP_DAYS})`.execute(
    trx,
  );
}
