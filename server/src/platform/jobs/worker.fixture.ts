// Worker process for the tests: runs `test.slow` jobs and records when each attempt starts and ends.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { openDatabase } from '#platform/db/database';
import type { ConnectionOptions } from '#platform/db/index';
import { createLog } from '#platform/log';
import { createJobs } from './index.ts';
import { slow } from './jobs.fixture.ts';

const { connection, holdMs } = JSON.parse(process.argv[2]!) as { connection: ConnectionOptions; holdMs: number };
const database = openDatabase(connection, createLog('warn'), 4);
const jobs = createJobs({ database, log: createLog('warn'), definitions: [slow] });
jobs.handle(slow, async ({ n }, { attempt }) => {
  await sql`insert into attempts (n, attempt, worker) values (${n}, ${attempt}, ${process.pid})`.execute(database.db);
  await sleep(holdMs);
  await sql`update attempts set ended = true where n = ${n} and attempt = ${attempt}`.execute(database.db);
});
await jobs.start();
process.send?.('ready');
