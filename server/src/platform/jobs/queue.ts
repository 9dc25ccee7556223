import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import { createSockets, type Database, type Transaction } from '#platform/db/index';
import type { Log } from '#platform/log';
import { listQueueNames, moveRenamedJobs } from './former-names.ts';
import { takeFromDeadWorkers } from './interruptions.ts';
import type { JobDefinition, QueueState } from './types.ts';

/** Dead workers are detected much earlier (see `interruptions.ts`): pg-boss would count the attempt as failed. */
const HEARTBEAT_S = 3_600;
const RETRY_DELAY_MAX_S = 600;
const KEEP_ENDED_S = 6 * 3600;
/** Interval of maintenance while no job runs. Ended jobs are deleted by it. */
const MAINTENANCE_MS = 60_000;
/** Longer than any statement of the queue. */
const STATEMENT_MS = 60_000;
const CLOSE_GRACE_MS = 2_000;

/** Added to the priority of urgent jobs; all others have less than half of it. */
export const URGENT = 2_000_000_000;

/** A job that this node has fetched and must settle. */
export type Fetched = {
  id: string;
  attempt: number;
  lastAttempt: boolean;
  data: unknown;
  orgId: string | null;
  /** Trace in which the job was sent. */
  traceparent: string | null;
  sentAt: Date;
};

/**
 * Field beside those of the payload in a stored job. pg-boss has no other place that jobs of dead letter queues
 * inherit, and workers of earlier versions ignore it.
 */
const TRACEPARENT = 'traceparent';

/** The payload as it is stored, with the trace that the job continues. */
export const withTraceparent = (payload: object, traceparent: string | null): object =>
  traceparent === null ? payload : { ...payload, [TRACEPARENT]: traceparent };

/** Identity of one attempt. Settling is fenced by it: an attempt that moved to another worker changes nothing. */
export type Attempt = { id: string; attempt: number };

export type Queue = ReturnType<typeof createQueue>;

/**
 * Options of a definition for pg-boss. Sent with every job, so that a changed definition needs no migration of the
 * queue.
 */
export function queueOptions(job: JobDefinition) {
  return {
    retryLimit: job.retries,
    retryDelay: job.retryDelayS,
    retryBackoff: true,
    retryDelayMax: RETRY_DELAY_MAX_S,
    // The runner's timer ends an attempt first. This is for a worker that is stuck but still sends heartbeats.
    expireInSeconds: Math.min(86_400, job.timeoutS + 60),
    heartbeatSeconds: HEARTBEAT_S,
    deleteAfterSeconds: KEEP_ENDED_S,
    ...(job.givenUp ? { deadLetter: job.givenUp.name } : {}),
  };
}

/**
 * Wraps pg-boss, with its own small pool. Its schema is created and migrated at first use, by any number of nodes at
 * the same time.
 */
export function createQueue(deps: { database: Database; log: Log; definitions: readonly JobDefinition[] }) {
  const { database, log, definitions } = deps;
  const names = listQueueNames(definitions);
  const formerNames = definitions.flatMap((job) => job.formerNames ?? []);
  const sockets = createSockets();
  /** Options that pg-boss passes through to the driver. */
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
  let maintainedMs = Number.NEGATIVE_INFINITY;

  async function open() {
    await boss.start();
    // Creating a queue locks all of them, even if it exists.
    const existing = new Set((await boss.getQueues(names)).map(({ name }) => name));
    const missing = definitions.filter(({ name }) => !existing.has(name));
    // A queue must exist before another one names it as its dead letter queue.
    for (const job of missing.sort((a, b) => Number(Boolean(a.givenUp)) - Number(Boolean(b.givenUp)))) {
      await boss.createQueue(job.name, queueOptions(job));
    }
    await database.outsideUnit(() => moveRenamedJobs(database.db, definitions));
  }

  const key = ({ id, attempt }: Attempt) => ({ id, retryCount: attempt });

  async function fetch(name: string, limit: number, exceptOrgs: readonly string[] = []): Promise<Fetched[]> {
    const ignoreGroups = [...exceptOrgs];
    const jobs = await boss.fetch<unknown>(name, { batchSize: limit, includeMetadata: true, ignoreGroups });
    return jobs.map((job) => {
      const { [TRACEPARENT]: traceparent = null, ...data } = (job.data ?? {}) as Record<string, unknown>;
      return {
        id: job.id,
        attempt: job.retryCount,
        lastAttempt: job.retryCount >= job.retryLimit,
        data,
        orgId: job.groupId ?? null,
        traceparent: traceparent as string | null,
        sentAt: job.createdOn,
      };
    });
  }

  /** Number of running jobs of this name by organization, on all nodes. */
  async function runningByOrg(name: string): Promise<Map<string, number>> {
    const { rows } = await sql<{ org: string; count: number }>`
      select group_id as org, count(*)::integer as count from pgboss.job
      where name = ${name} and state = 'active' and group_id is not null group by group_id`.execute(database.db);
    return new Map(rows.map(({ org, count }) => [org, count]));
  }

  /** Organizations that have jobs of this name to fetch: with an urgent one among them, and without. */
  async function waitingOrgs(name: string): Promise<{ urgent: string[]; others: string[] }> {
    const { rows } = await sql<{ org: string; priority: number }>`
      select group_id as org, max(priority) as priority from pgboss.job
      where name = ${name} and state < 'active' and not blocked and start_after <= now() and group_id is not null
      group by group_id`.execute(database.db);
    const of = (isUrgent: boolean) =>
      rows.filter(({ priority }) => priority > URGENT / 2 === isUrgent).map(({ org }) => org);
    return { urgent: of(true), others: of(false) };
  }

  /** True if a job runs, whose worker may be dead, or waits under a former name. One statement instead of a dozen. */
  async function hasSupervised(): Promise<boolean> {
    const { rows } = await sql<{ found: boolean }>`
      select exists (select from pgboss.job where state = 'active' and name = any(${names}::text[]))
        or exists (select from pgboss.job where state < 'active' and name = any(${formerNames}::text[])) as found`.execute(
      database.db,
    );
    return rows[0]!.found;
  }

  return {
    boss,
    /** Opens the queue once. The next caller retries a failed attempt. */
    ready(): Promise<void> {
      opened ??= open().catch((error) => {
        opened = null;
        throw error;
      });
      return opened;
    },
    fetch,
    /**
     * Fetches the next job of the organization with the fewest running jobs on all nodes, excluding `exceptOrgs`. With
     * `isUrgent` one of those that have an urgent job: it has the highest priority, so it is the one.
     */
    async fetchFairly(name: string, exceptOrgs: readonly string[], isUrgent = false): Promise<Fetched | null> {
      const waiting = isUrgent ? await waitingOrgs(name) : null;
      if (waiting?.urgent.every((org) => exceptOrgs.includes(org))) return null;
      const running = await runningByOrg(name);
      for (const org of [...exceptOrgs, ...(waiting?.others ?? [])]) running.set(org, Number.POSITIVE_INFINITY);
      const levels = new Set([0, ...running.values()].sort((a, b) => a - b));
      levels.delete(Number.POSITIVE_INFINITY);
      for (const level of levels) {
        const busier = [...running].filter(([, count]) => count > level).map(([org]) => org);
        const [job] = await fetch(name, 1, busier);
        if (job) return job;
      }
      return null;
    },
    /** Filters the names to those that have a job to fetch, in one statement for all kinds. */
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
    /** Filters the payloads to those that no waiting job of this name has. pg-boss has no call for that. */
    async notWaiting(trx: Transaction, name: string, payloads: readonly object[]): Promise<object[]> {
      const { rows } = await sql<{ place: number }>`
        select place::integer from unnest(${payloads.map((each) => JSON.stringify(each))}::text[]) with ordinality as given (payload, place)
        where not exists (
          select from pgboss.job where name = ${name} and state < 'active' and not blocked
            and data - ${TRACEPARENT}::text = payload::jsonb
        ) order by place`.execute(trx);
      return rows.map(({ place }) => payloads[place - 1]!);
    },
    /** Number of jobs of these names that wait, for their first or a further attempt; not more than `limit`. */
    async countWaiting(
      trx: Transaction,
      names: readonly string[],
      { orgId, urgent, limit }: { orgId: string; urgent: boolean; limit: number },
    ): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*)::integer as count from (
          select from pgboss.job
          where name = any(${names}::text[]) and state < 'active' and group_id = ${orgId}
            and (priority > ${URGENT / 2}) = ${urgent}
          limit ${limit}) as waiting`.execute(trx);
      return rows[0]!.count;
    },
    /** Counts the jobs of each kind. Failed jobs stay in the queue for some hours. */
    async states(): Promise<QueueState[]> {
      const { rows } = await sql<QueueState>`
        select kind.name,
          count(*) filter (where job.state < 'active' and start_after <= now())::integer as waiting,
          min(start_after) filter (where job.state < 'active' and start_after <= now()) as oldest_waiting_at,
          count(*) filter (where job.state < 'active' and start_after > now())::integer as delayed,
          count(*) filter (where job.state = 'active')::integer as running,
          count(*) filter (where job.state = 'failed')::integer as failed
        from unnest(${definitions.map(({ name }) => name)}::text[]) with ordinality as kind (name, place)
        left join pgboss.job on job.name = kind.name
          and (job.state <= 'active' or job.state = 'failed' and completed_on > now() - make_interval(secs => ${KEEP_ENDED_S}))
        group by place, kind.name order by place`.execute(database.db);
      return rows;
    },
    async complete(name: string, attempt: Attempt): Promise<void> {
      await boss.complete(name, key(attempt));
    },
    async fail(name: string, attempt: Attempt, message: string): Promise<void> {
      await boss.fail(name, key(attempt), { message });
    },
    /** Sends heartbeats of these attempts. Returns the ids of those that moved to another worker. */
    async beat(name: string, attempts: Attempt[]): Promise<string[]> {
      const { settled } = (await boss.touch(name, attempts.map(key))) as { settled?: string[] };
      const alive = new Set(settled ?? []);
      return attempts.filter((a) => !alive.has(a.id)).map((a) => a.id);
    },
    /** Returns a job to the queue without counting the attempt. pg-boss has no call for that. */
    async giveBack(name: string, { id, attempt }: Attempt): Promise<void> {
      await sql`
        update pgboss.job set state = 'retry', start_after = now(), retry_limit = retry_limit + 1, heartbeat_on = null
        where name = ${name} and id = ${id} and retry_count = ${attempt} and state = 'active'`.execute(database.db);
    },
    /**
     * Requeues jobs of dead workers and fails those that ran too long. Nodes share this work through claims in the
     * database.
     */
    async supervise(): Promise<void> {
      if (performance.now() - maintainedMs < MAINTENANCE_MS && !(await hasSupervised())) return;
      maintainedMs = performance.now();
      await database.transaction(async (trx) => {
        await takeFromDeadWorkers(trx, names);
        await moveRenamedJobs(trx, definitions);
      });
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
