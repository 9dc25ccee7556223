import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { JobContext } from './index.ts';
import { database, node, sendFor, shared, useDatabase } from './node.fixture.ts';

useDatabase();

describe('jobs that organizations share', () => {
  /** Starts nodes whose jobs run until the test ends. `running` lists started jobs in order. */
  async function openNodes(count: number) {
    const running: number[] = [];
    const ends = new Map<number, () => void>();
    const handler = (n: number, { signal }: JobContext) =>
      new Promise<void>((resolve) => {
        running.push(n);
        ends.set(n, resolve);
        signal.addEventListener('abort', () => resolve());
      });
    const nodes = [];
    for (let i = 0; i < count; i++) nodes.push(await node({ 'test.shared': handler }));
    return { jobs: nodes[0]!, running, end: (n: number) => ends.get(n)!() };
  }
  const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);

  test('leave room on every node for the next organization, however much the first one brings', async () => {
    const { jobs, running } = await openNodes(2);
    await sendFor(jobs, 'a', numbers(0, 50));
    await expect.poll(() => running.length).toBe(2 * shared.concurrency);
    await sendFor(jobs, 'b', numbers(100, 50));
    await expect.poll(() => running.filter((n) => n >= 100).length).toBe(shared.concurrency);
    await sendFor(jobs, 'c', [200]);
    await expect.poll(() => running).toContain(200);
    // A node still refuses jobs that it refused before: polling has not freed a slot.
    await sleep(1_500);
    expect(running.filter((n) => n < 100)).toHaveLength(2 * shared.concurrency);
  });

  test('go to the organization with the fewest running jobs when a slot is free', async () => {
    const { jobs, running, end } = await openNodes(1);
    await sendFor(jobs, 'a', numbers(0, 20));
    await sendFor(jobs, 'b', numbers(100, 1));
    await expect.poll(() => running.length).toBe(shared.concurrency + 1);
    await sendFor(jobs, 'b', numbers(101, 2));
    await expect.poll(() => running.slice(shared.concurrency + 1)).toEqual([101]);
    end(running.find((n) => n < 100)!); // jobs sent at once start in any order
    await expect.poll(() => running.slice(shared.concurrency + 2)).toEqual([102]);
  });

  test('that are urgent start although others fill all slots, and only they', async () => {
    const { jobs, running, end } = await openNodes(1);
    await sendFor(jobs, 'a', numbers(0, 20));
    await expect.poll(() => running.length).toBe(shared.concurrency);
    await sendFor(jobs, 'a', [200], { urgent: true });
    await expect.poll(() => running.slice(shared.concurrency)).toEqual([200]);
    end(200);
    // The slot stays free for the next urgent job.
    await sleep(1_500);
    expect(running).toHaveLength(shared.concurrency + 1);
    await sendFor(jobs, 'b', [300], { urgent: true });
    await expect.poll(() => running.slice(shared.concurrency + 1)).toEqual([300]);
  });

  test('are not sent without an organization', async () => {
    const { jobs } = await openNodes(1);
    await expect(database.transaction((trx) => jobs.send(trx, shared, { n: 1 }))).rejects.toThrow('orgId');
  });
});
