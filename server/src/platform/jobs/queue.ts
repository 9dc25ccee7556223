import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import { createSockets, type Database, type Transaction } from '#platform/db/index';
import type { Log } from '#platform/log';
import type { JobDefinition } from './index.ts';
import { takeFromDeadWorkers } from './interruptions.ts';

/** Dead workers are found long before (see `interruptions.ts`): pg-boss would count the attempt as a failed one. */
const HEARTBEAT_S = 3_600;
const RETRY_DELAY_MAX_S = 600;
const KEEP_ENDED_S = 6 * 3600;
/** Of a job's own statements none takes nearly as long. */
const STATEMENT_MS = 60_000;
const CLOSE_GRACE_MS = 2_000;

/** A job that this node has fetched and now owes an answer for. */
export type Fetched = { id: string; attempt: number; lastAttempt: boolean; data: unknown; orgId: string | null };

/** Identity of one attempt: settling is fenced by it, so that an attempt which was given away changes nothing. */
export type Attempt = { id: string; attempt: number };

export type Queue = ReturnType<typeof createQueue>;

/** What a definition means to pg-boss. Sent with every job, so that a changed definition needs no migration of the queue. */
export function queueOptions(job: JobDefinition) {
  return {
    retryLimit: job.retries,
    retryDelay: job.retryDelayS,
    retryBackoff: true,
    retryDelayMax: RETRY_DELAY_MAX_S,
    // Our own timer ends an attempt first; this is for a worker that is stuck but still beats.
    expireInSeconds: Math.min(86_400, job.timeoutS + 60),
    heartbeatSeconds: HEARTBEAT_S,
    deleteAfterSeconds: KEEP_ENDED_S,
    ...(job.givenUp ? { deadLetter: job.givenUp.name } : {}),
  };
}

/** The queue itself: pg-boss with its own small pool, reduced to the calls we make. Its schema is made and migrated at first use, by any number of nodes at once. */
export function createQueue(deps: { database: Database; log: Log; definitions: readonly JobDefinition[] }) {
  const { database, log, definitions } = deps;
  const names = definitions.map(({ name }) => name);
  const sockets = createSockets();
  /** What pg-boss passes on to the driver without knowing it. */
  const driver = { query_timeout: STATEMENT_MS, ...sockets.options };
  const boss = new PgBoss({
    ...driver,
    ...database.connection,
    application_name: 'sightline-jobs',
    max: 3,
    supervise: false, // start() does it, on worker nodes only
    monitorIntervalSeconds: 2,
    maintenanceIntervalSeconds: 3600, // how often ended jobs go
    useListenNotify: false, // woken by our own listener
  });
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'));
  boss.on('warning', (warning) => log.warn({ warning }, 'job queue'));
  let opened: Promise<void> | null = null;

  async function open() {
    await boss.start();
    // A queue must exist before another one names it as where its given-up jobs go.
    for (const job of [...definitions].sort((a, b) => Number(Boolean(a.givenUp)) - Number(Boolean(b.givenUp)))) {
      await boss.createQueue(job.name, queueOptions(job));
    }
  }

  const key = ({ id, attempt }: Attempt) => ({ id, retryCount: attempt });

  async function fetch(name: string, limit: number, exceptOrgs: readonly string[] = []): Promise<Fetched[]> {
    const ignoreGroups = [...exceptOrgs];
    const jobs = await boss.fetch<unknown>(name, { batchSize: limit, includeMetadata: true, ignoreGroups });
    return jobs.map((job) => ({
      id: job.id,
      attempt: job.retryCount,
      lastAttempt: job.retryCount >= job.retryLimit,
      data: job.data,
      orgId: job.groupId ?? null,
    }));
  }

  /** How many jobs of this name each organisation runs, on all nodes. */
  async function runningByOrg(name: string): Promise<Map<string, number>> {
    const { rows } = await sql<{ org: string; count: number }>`
      select group_id as org, count(*)::integer as count from pgboss.job
      where name = ${name} and state = 'active' and group_id is not null group by group_id`.execute(database.db);
    return new Map(rows.map(({ org, count }) => [org, count]));
  }

  return {
    boss,
    /** Opens the queue once; a failed try is tried again by the next caller. */
    ready(): Promise<void> {
      opened ??= open().catch((error) => {
        opened = null;
        throw error;
      });
      return opened;
    },
    fetch,
    /** The next job of the organisation that runs the fewest, on all nodes together; of `exceptOrgs` none. */
    async fetchFairly(name: string, exceptOrgs: readonly string[]): Promise<Fetched | null> {
      const running = await runningByOrg(name);
      for (const org of exceptOrgs) running.set(org, Number.POSITIVE_INFINITY);
      const levels = new Set([0, ...running.values()].sort((a, b) => a - b));
      levels.delete(Number.POSITIVE_INFINITY);
      for (const level of levels) {
        const busier = [...running].filter(([, count]) => count > level).map(([org]) => org);
        const [job] = await fetch(name, 1, busier);
        if (job) return job;
      }
      return null;
    },
    /** Of these kinds those that have a job to fetch: one statement, where fetching from each would be as many as there are kinds. */
    async due(names: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ name: string }>`
        select kind.name from unnest(${names}::text[]) as kind (name)
        where exists (
          select from pgboss.job
          where job.name = kind.name and state < 'active' and not blocked and start_after <= now())`.execute(
        database.db,
      );
      return rows.map(({ name }) => name);
    },
    /** Those of the payloads that no job of this name waits with. pg-boss has no call for that. */
    async notWaiting(trx: Transaction, name: string, payloads: readonly object[]): Promise<object[]> {
      const { rows } = await sql<{ place: number }>`
        select place::integer from unnest(${payloads.map((each) => JSON.stringify(each))}::text[]) with ordinality as given (payload, place)
        where not exists (
          select from pgboss.job where name = ${name} and state < 'active' and not blocked and data = payload::jsonb
        ) order by place`.execute(trx);
      return rows.map(({ place }) => payloads[place - 1]!);
    },
    async complete(name: string, attempt: Attempt): Promise<void> {
      await boss.complete(name, key(attempt));
    },
    async fail(name: string, attempt: Attempt, message: string): Promise<void> {
      await boss.fail(name, key(attempt), { message });
    },
    /** Says that these attempts are alive. Returns the ids of those that are ours no more. */
    async beat(name: string, attempts: Attempt[]): Promise<string[]> {
      const { settled } = (await boss.touch(name, attempts.map(key))) as { settled?: string[] };
      const alive = new Set(settled ?? []);
      return attempts.filter((a) => !alive.has(a.id)).map((a) => a.id);
    },
    /** Lets another worker start this job at once; the attempt does not count. pg-boss has no call for that. */
    async giveBack(name: string, { id, attempt }: Attempt): Promise<void> {
      await sql`
        update pgboss.job set state = 'retry', start_after = now(), retry_limit = retry_limit + 1, heartbeat_on = null
        where name = ${name} and id = ${id} and retry_count = ${attempt} and state = 'active'`.execute(database.db);
    },
    /** Takes jobs from workers that died, and fails those that ran too long; nodes share the work through claims in the database. */
    async supervise(): Promise<void> {
      await database.transaction((trx) => takeFromDeadWorkers(trx, names));
      await boss.supervise();
    },
    async close(): Promise<void> {
      await opened?.catch(() => {});
      const stopped = boss.stop({ graceful: false });
      await Promise.race([stopped, sleep(CLOSE_GRACE_MS, undefined, { ref: false })]);
      sockets.destroy();
      await stopped;
    },
  };
}
