import { sql } from 'kysely';
import { Type } from 'typebox';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Database } from '#platform/db/index';
import { createLog } from '#platform/log';
import { openTestDatabase } from '#test/database/test-database';
import { createJobs, defineJob, type JobContext, type JobDefinition, type Jobs } from './index.ts';
import { slow } from './jobs.fixture.ts';

/** Nodes that run jobs on one database, for each test file that imports this. */

export const log = createLog('silent');
const payload = Type.Object({ n: Type.Integer() });
export const base = {
  payload,
  retries: 2,
  retryDelayS: 0,
  timeoutS: 60,
  concurrency: 4,
  class: 'maintenance' as const,
};
export const forgotten = defineJob({ ...base, name: 'test.forgotten' });
export const work = defineJob({ ...base, name: 'test.work', givenUp: forgotten });
export const short = defineJob({ ...base, name: 'test.short', retries: 0, timeoutS: 1 });
export const shared = defineJob({ ...base, name: 'test.shared', class: 'batch', capped: true, urgentConcurrency: 1 });
export const definitions: JobDefinition[] = [work, forgotten, short, slow, shared];

type Handlers = Record<string, (n: number, context: JobContext) => Promise<void>>;

export let database: Database;
let close: () => Promise<void>;
export let open: Jobs[] = [];

/** Opens a database before the tests of a file, and empties its queue after each. */
export function useDatabase(): void {
  beforeAll(async () => {
    ({ database, close } = await openTestDatabase());
    await sql`create table attempts (n int, attempt int, worker int, ended boolean not null default false)`.execute(
      database.db,
    );
  });
  beforeEach(async () => {
    await sql`truncate attempts`.execute(database.db);
  });
  afterEach(async () => {
    await Promise.all(open.map((jobs) => jobs.close()));
    open = [];
    // Removes jobs that one test leaves in the queue.
    await sql`delete from pgboss.job`.execute(database.db);
    await sql`truncate job_interruptions`.execute(database.db);
  });
  afterAll(() => close());
}

/** Starts a worker node with the given handlers. Other kinds of jobs do nothing. */
export async function node(handlers: Handlers): Promise<Jobs> {
  const jobs = createJobs({ database, log, definitions });
  open.push(jobs);
  for (const job of definitions) {
    jobs.handle(job as typeof work, async ({ n }, context) => handlers[job.name]?.(n, context));
  }
  await jobs.start();
  return jobs;
}

export const send = (jobs: Jobs, job: typeof work, n: number) =>
  database.transaction((trx) => jobs.send(trx, job, { n }));
export const sendFor = (jobs: Jobs, orgId: string, ns: number[], more: { urgent?: boolean } = {}) =>
  database.transaction((trx) =>
    jobs.sendMany(
      trx,
      shared,
      ns.map((n) => ({ n })),
      { orgId, ...more },
    ),
  );
export const state = async (id: string) =>
  (await sql<{ state: string }>`select state from pgboss.job where id = ${id}`.execute(database.db)).rows[0]?.state;
