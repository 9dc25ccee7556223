// The log of a worker at the level `info`, the default of `sightline start`.
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '#platform/log';
import { openTestDatabase } from '#test/database/test-database';
import { createJobs, defineJob } from './index.ts';

const payload = Type.Object({ videoId: Type.String(), fails: Type.Boolean() });
const base = { payload, retries: 0, retryDelayS: 1, timeoutS: 60, concurrency: 2 };
const work = defineJob({ ...base, name: 'log.work', class: 'batch' });
const sweep = defineJob({ ...base, name: 'log.sweep', class: 'maintenance' });

test('each job is a line with its ids, also where its handler logs; maintenance only where it fails', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const { database, close } = await openTestDatabase();
  const jobs = createJobs({ database, log, definitions: [work, sweep] });
  onTestFinished(async () => {
    await jobs.close();
    await close();
  });
  for (const job of [work, sweep])
    jobs.handle(job, async ({ fails }) => {
      // After a wait, as that of a query.
      await sleep(1);
      if (fails) throw new Error('the disk burned');
      log.warn('from within');
    });
  await jobs.start();
  await database.transaction(async (trx) => {
    await jobs.send(trx, work, { videoId: 'v1', fails: false }, { orgId: 'o' });
    await jobs.send(trx, work, { videoId: 'v2', fails: true }, { orgId: 'o' });
    await jobs.send(trx, sweep, { videoId: 'v3', fails: false });
    await jobs.send(trx, sweep, { videoId: 'v4', fails: true });
  });
  const of = (videoId: string) =>
    lines
      .filter((line) => line.videoId === videoId)
      .map(({ job, msg, level, jobId }) => ({ job, msg, level, hasId: typeof jobId === 'string' }));
  const [info, warn, error] = [30, 40, 50];
  const line = (job: string, msg: string, level = info) => ({ job, msg, level, hasId: true });
  await expect.poll(() => of('v1')).toEqual([line('log.work', 'from within', warn), line('log.work', 'job done')]);
  await expect.poll(() => of('v2')).toEqual([line('log.work', 'job failed', error)]);
  await expect.poll(() => of('v3')).toEqual([line('log.sweep', 'from within', warn)]);
  await expect.poll(() => of('v4')).toEqual([line('log.sweep', 'job failed', error)]);
  expect(lines.find(({ videoId }) => videoId === 'v2')).toMatchObject({
    attempt: 0,
    err: { message: 'the disk burned' },
  });
  expect(lines.find(({ msg }) => msg === 'job done')).toMatchObject({ ms: expect.any(Number) });
});
