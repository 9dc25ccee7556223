import { expect, test } from 'vitest';
import { createJobs, type Jobs } from './index.ts';
import { database, definitions, log, node, open, sendFor, shared, useDatabase } from './node.fixture.ts';

useDatabase();

/** A node that only sends, and refuses more than three waiting jobs of an organization. */
function createSender(): Jobs {
  const jobs = createJobs({ database, log, definitions, maxWaiting: 3 });
  open.push(jobs);
  return jobs;
}
const refusal = (message: string) => ({
  code: 'queue_full',
  status: 429,
  headers: { 'retry-after': '60' },
  message: expect.stringContaining(message),
});

test('requests of an organization are refused while too many of its jobs wait, and others are not', async () => {
  const jobs = createSender();
  await expect(sendFor(jobs, 'a', [1, 2, 3, 4])).rejects.toMatchObject(refusal('and has 0. This request adds 4'));
  await sendFor(jobs, 'a', [1, 2]);
  await expect(sendFor(jobs, 'a', [3, 4])).rejects.toMatchObject(refusal('may have 3 waiting jobs and has 2'));
  await sendFor(jobs, 'a', [3]);
  await expect(sendFor(jobs, 'a', [4])).rejects.toMatchObject(refusal('and has as many. This request adds one'));
  await sendFor(jobs, 'b', [1, 2, 3]);
  // Questions that somebody waits for are counted apart.
  await sendFor(jobs, 'a', [5, 6, 7], { urgent: true });
  await expect(sendFor(jobs, 'a', [8], { urgent: true })).rejects.toMatchObject(refusal('that somebody waits for'));
});

test('jobs send further ones, whatever waits', async () => {
  const sender = createSender();
  await sendFor(sender, 'a', [1]);
  let sent = 0;
  const worker = await node({
    'test.shared': async (n) => {
      if (n === 1) sent = (await sendFor(sender, 'a', [2, 3, 4, 5, 6])).length;
    },
  });
  await expect.poll(() => sent).toBe(5);
  await worker.close();
});

test('jobs that end make room', async () => {
  const sender = createSender();
  await sendFor(sender, 'a', [1, 2, 3]);
  const worker = await node({ [shared.name]: async () => {} });
  await expect
    .poll(() =>
      sendFor(sender, 'a', [4]).then(
        () => 'sent',
        () => 'refused',
      ),
    )
    .toBe('sent');
  await worker.close();
});
