import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { createJobs, defineJob, type JobDefinition, type Jobs } from './index.ts';
import { base, database, log, open, state, useDatabase } from './node.fixture.ts';

/** Nodes of an earlier and of a later version on one queue. */
useDatabase();

const earlier = defineJob({ ...base, name: 'test.work' });
const later = defineJob({
  ...base,
  name: 'test.work',

  payload: Type.Object({ n: Type.Integer(), note: Type.Optional(Type.String()) }),
});
const added = defineJob({ ...base, name: 'test.added' });

function createSender(...definitions: JobDefinition[]): Jobs {
  const jobs = createJobs({ database, log, definitions });
  open.push(jobs);
  return jobs;
}

async function startNode(definitions: JobDefinition[], received: unknown[]): Promise<Jobs> {
  const jobs = createSender(...definitions);
  for (const job of definitions) jobs.handle(job, async (payload) => void received.push(payload));
  await jobs.start();
  return jobs;
}

test('an earlier node runs a job of a later one, whose field it does not know, and the other way round', async () => {
  const received: unknown[] = [];
  const early = await startNode([earlier], received);
  const [earlySender, laterSender] = [createSender(earlier), createSender(later)];
  await database.transaction((trx) => laterSender.send(trx, later, { n: 1, note: 'new' }));
  await expect.poll(() => received).toEqual([{ n: 1, note: 'new' }]);
  await early.close();
  await startNode([later], received);
  await database.transaction((trx) => earlySender.send(trx, earlier, { n: 2 }));
  await expect.poll(() => received.slice(1)).toEqual([{ n: 2 }]);
});

test('a job of a new kind waits for a node that knows it', async () => {
  const received: unknown[] = [];
  const sender = createSender(later, added);
  await startNode([earlier], received);
  const id = await database.transaction((trx) => sender.send(trx, added, { n: 3 }));
  // Longer than the intervals at which nodes look for jobs and for dead workers.
  await sleep(2_500);
  expect([await state(id), received]).toEqual(['created', []]);
  await startNode([later, added], received);
  await expect.poll(() => received).toEqual([{ n: 3 }]);
});
