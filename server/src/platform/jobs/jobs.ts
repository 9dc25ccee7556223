import { randomUUID } from 'node:crypto';
import { fromKysely } from 'pg-boss';
import { Compile, type Validator } from 'typebox/schema';
import type { Database, Transaction } from '#platform/db/index';
import type { Log } from '#platform/log';
import { currentTraceparent } from '#platform/tracing/index';
import { isShared } from './define-job.ts';
import { createQueue, queueOptions, URGENT, withTraceparent } from './queue.ts';
import { createRunner, type Handler, type Runner } from './runner.ts';
import type { JobDefinition, Jobs, SendOptions } from './types.ts';
import { createWaitingLimit } from './waiting-limit.ts';
import { listWorkers, registerWorker } from './workers.ts';

const CHANNEL = 'sightline_jobs';
const SUPERVISE_MS = 2_000;
/** Polling interval for jobs without a notification: retries, delayed and scheduled jobs. */
const LOOK_MS = 1_000;
const CLOSE_GRACE_MS = 10_000;

/**
 * Creates the job queue on a database. `definitions` lists every kind of job: others can be neither sent nor handled,
 * and `start` throws if one has no handler.
 */
export function createJobs(deps: {
  database: Database;
  log: Log;
  definitions: readonly JobDefinition[];
  /** Jobs of an organization that may wait (`JobDefinition.capped`); default: no limit. */
  maxWaiting?: number;
}): Jobs {
  const { database, log, definitions, maxWaiting = Number.POSITIVE_INFINITY } = deps;
  const classes = new Map(definitions.map((job) => [job.name, job.class]));
  const known = new Map<string, Validator>();
  for (const job of definitions) known.set(job.name, Compile(job.payload) as unknown as Validator);
  const queue = createQueue(deps);
  const requireRoom = createWaitingLimit(definitions, queue, maxWaiting);
  const handlers = new Map<string, { job: JobDefinition; handler: Handler; concurrency: number }>();
  const schedules: { job: JobDefinition; cron: string; payload: unknown }[] = [];
  let runners: Runner[] = [];
  let worker: Awaited<ReturnType<typeof registerWorker>> | undefined;
  let unlisten = () => {};
  let supervising: NodeJS.Timeout | undefined;
  let looking: NodeJS.Timeout | undefined;

  function checked(job: JobDefinition, payload: unknown): object {
    const validator = known.get(job.name);
    if (!validator) throw new Error(`job ${job.name} is not defined`);
    if (!validator.Check(payload)) throw new TypeError(`the payload of ${job.name} does not fit its schema`);
    return payload as object;
  }

  async function sendMany(
    trx: Transaction,
    job: JobDefinition,
    payloads: readonly unknown[],
    options: SendOptions = {},
  ): Promise<string[]> {
    const all = payloads.map((payload) => checked(job, payload));
    if (all.length === 0) return [];
    if (isShared(job) && !options.orgId) throw new TypeError(`organizations share ${job.name}: send it with an orgId`);
    await queue.ready();
    const traceparent = currentTraceparent();
    const rows = (options.unlessWaiting ? await queue.notWaiting(trx, job.name, all) : all).map((data, at) => ({
      ...queueOptions(job),
      id: randomUUID(),
      data: withTraceparent(data, traceparent),
      priority: (options.urgent ? URGENT : 0) + (options.priority ?? 0) - (options.decreasing ? at : 0),
      startAfter: options.startAfterS ?? 0,
      ...(options.orgId ? { group: { id: options.orgId } } : {}),
    }));
    if (rows.length === 0) return [];
    await requireRoom(trx, job, options, rows.length);
    await queue.boss.insert(job.name, rows, { db: fromKysely(trx) });
    if (!options.startAfterS) await database.notify(trx, CHANNEL, job.name);
    return rows.map((row) => row.id);
  }

  function onNotification(payload: string | null): void {
    const canceled = payload?.startsWith('cancel:') ? payload.slice('cancel:'.length) : null;
    for (const runner of runners) {
      if (canceled) runner.lose(canceled);
      else if (payload === null || payload === runner.job.name) runner.wake();
    }
  }

  async function look(): Promise<void> {
    const due = await queue.due(runners.map(({ job }) => job.name));
    for (const runner of runners) if (due.includes(runner.job.name)) runner.wake();
  }

  /** Number of jobs that this node runs, by kind. */
  const running = () =>
    Object.fromEntries(
      runners.map((runner) => [runner.job.name, runner.count()] as const).filter(([, count]) => count),
    );

  return {
    async send(trx, job, payload, options) {
      const [id] = await sendMany(trx, job, [payload], options);
      return id!;
    },
    sendMany,
    async cancel(trx, job, jobIds) {
      const ids = [jobIds].flat();
      if (ids.length === 0) return;
      await queue.ready();
      await queue.boss.cancel(job.name, ids, { db: fromKysely(trx) });
      for (const id of ids) await database.notify(trx, CHANNEL, `cancel:${id}`);
    },
    handle(job, handler, options = {}) {
      if (!known.has(job.name)) throw new Error(`job ${job.name} is not defined`);
      if (handlers.has(job.name)) throw new Error(`job ${job.name} has two handlers`);
      handlers.set(job.name, {
        job,
        handler: handler as Handler,
        concurrency: options.concurrency ?? job.concurrency,
      });
    },
    schedule(job, cron, payload) {
      schedules.push({ job, cron, payload: checked(job, payload) });
    },
    async queues() {
      await queue.ready();
      return queue.states();
    },
    workers: () => listWorkers(database),
    running,
    classOf: (kind) => classes.get(kind) ?? 'maintenance',
    async start() {
      const missing = definitions.filter((job) => !handlers.has(job.name)).map((job) => job.name);
      if (missing.length > 0) throw new Error(`no handler for ${missing.join(', ')}`);
      await queue.ready();
      for (const { job, cron, payload } of schedules) {
        await queue.boss.schedule(job.name, cron, payload as object, { ...queueOptions(job), tz: 'UTC' });
      }
      runners = [...handlers.values()].map((entry) => {
        const validator = known.get(entry.job.name)!;
        return createRunner({ queue, log, ...entry, check: (payload) => validator.Check(payload) });
      });
      worker = await registerWorker({ database, log, running });
      unlisten = await database.listen(CHANNEL, onNotification);
      supervising = setInterval(() => {
        queue.supervise().catch((error) => log.warn({ err: error }, 'cannot look for dead workers'));
      }, SUPERVISE_MS);
      await look();
      looking = setInterval(() => {
        look().catch((error) => log.warn({ err: error }, 'cannot look for jobs'));
      }, LOOK_MS);
    },
    async close() {
      unlisten();
      clearInterval(supervising);
      clearInterval(looking);
      await Promise.all(runners.map((runner) => runner.close(CLOSE_GRACE_MS)));
      await worker?.close();
      await queue.close();
    },
  };
}
