import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '#platform/db/index';
import { newId } from '#platform/ids';
import type { Log } from '#platform/log';
import type { WorkerState } from './types.ts';

/** Interval of the heartbeats of a worker. */
const BEAT_S = 5;
/** A worker without a heartbeat for this long does not respond. */
const SILENT_S = 20;
/** A worker that closes waits at most this long until it is off the list; the database may be gone. */
const CLOSE_GRACE_MS = 2_000;
/** A worker that does not respond is listed for this long. */
const LISTED_S = 24 * 3600;

/** Registers a worker node, and reports what it runs until it is closed. `running` is called for each heartbeat. */
export async function registerWorker(deps: {
  database: Database;
  log: Log;
  running: () => Record<string, number>;
}): Promise<{ close(): Promise<void> }> {
  const { database, log, running } = deps;
  const id = newId();

  /** The row may be missing: another node removes it while this process is frozen for a day. */
  async function beat(): Promise<void> {
    await sql`
      insert into workers (id, host, pid, running) values (${id}, ${hostname()}, ${process.pid}, ${JSON.stringify(running())})
      on conflict (id) do update set running = excluded.running, heartbeat_at = now()`.execute(database.db);
  }

  await sql`delete from workers where heartbeat_at < now() - make_interval(secs => ${LISTED_S})`.execute(database.db);
  await beat();
  const beating = setInterval(() => {
    beat().catch((error) => log.warn({ err: error }, 'cannot send the heartbeat of this worker'));
  }, BEAT_S * 1000);
  return {
    async close() {
      clearInterval(beating);
      const removed = sql`delete from workers where id = ${id}`
        .execute(database.db)
        .catch((error) => log.warn({ err: error }, 'cannot remove this worker from the list'));
      await Promise.race([removed, sleep(CLOSE_GRACE_MS, undefined, { ref: false })]);
    },
  };
}

/** Lists workers, the oldest first, with those that stopped without closing in the last 24 hours. */
export async function listWorkers(database: Database): Promise<WorkerState[]> {
  const { rows } = await sql<WorkerState>`
    select id, host, pid, running, started_at, heartbeat_at,
      heartbeat_at > now() - make_interval(secs => ${SILENT_S}) as responding
    from workers where heartbeat_at > now() - make_interval(secs => ${LISTED_S}) order by started_at, id`.execute(
    database.db,
  );
  return rows;
}
