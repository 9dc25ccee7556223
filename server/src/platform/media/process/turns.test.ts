// Tasks that take turns, in simulated processes: which task waits for which, and for how long.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../../log.ts';
import type { MediaProcess, TaskOutcome } from './media-process.ts';
import { createProcessPool } from './pool.ts';
import type { TaskPriority } from './types.ts';

/** Duration of a range. */
const RANGE_MS = 1_000;
const log = createLog('silent');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Work = { name: string; orgId: string; priority: TaskPriority; ranges: number };
/** A range of a task: when it began, and in which process. */
type Range = Pick<Work, 'name' | 'orgId' | 'priority'> & { atMs: number; child: MediaProcess; isLowered: boolean };

/** A pool whose processes work range by range. */
function openPool(size: number) {
  const began: Range[] = [];
  const children: MediaProcess[] = [];
  const startMs = Date.now();
  const spawn = () => {
    const exited = Promise.withResolvers<void>();
    const killed = Promise.withResolvers<TaskOutcome>();
    let alive = true;
    let isLowered = false;
    const child: MediaProcess = {
      pid: undefined,
      give: () => {},
      started: Promise.resolve(null),
      exited: exited.promise,
      inputs: [],
      stop: () => {},
      prepare: async (args) => ({ args, publish: async (result) => result, clear: async () => {} }),
      lowerPriority() {
        isLowered = true;
      },
      kill() {
        alive = false;
        exited.resolve();
        killed.resolve({ kind: 'died', how: 'SIGKILL', cause: 'machine' });
      },
      alive: () => alive,
      rssBytes: () => 0,
      async run({ args }, { turn }) {
        const { ranges, ...work } = args as Work;
        const done = async (): Promise<TaskOutcome> => {
          for (let range = 0; range < ranges && alive; range++) {
            if (range > 0) await turn?.();
            began.push({ ...work, atMs: Date.now() - startMs, child, isLowered });
            await new Promise((resolve) => setTimeout(resolve, RANGE_MS));
          }
          return { kind: 'value', value: work.name };
        };
        return Promise.race([done(), killed.promise]);
      },
    };
    children.push(child);
    return child;
  };
  const pool = createProcessPool({ size, spawn, log, idleMs: 1e9 });
  const module = new URL('file:///task.ts');
  const run = ({ orgId, priority, ...work }: Work, signal?: AbortSignal) =>
    pool.run({ module, name: 'task', args: { ...work, orgId, priority } }, { orgId, priority, signal });
  return { run, began, children, close: () => pool.close(), living: () => children.filter((each) => each.alive()) };
}

const batch = (name: string, orgId: string, ranges: number): Work => ({ name, orgId, priority: 'batch', ranges });
const question = (name: string, orgId: string): Work => ({ name, orgId, priority: 'interactive', ranges: 1 });

test.each([
  ['of the same organization', 'a'],
  ['of another organization', 'b'],
])('a question %s waits for one range of a batch at most, whenever it comes', async (_, orgId) => {
  for (const size of [1, 2, 3])
    for (let afterMs = 50; afterMs < 3 * RANGE_MS; afterMs += 350) {
      const pool = openPool(size);
      const batches = Array.from({ length: 2 * size }, (_, at) => pool.run(batch(`batch ${at}`, 'a', 20)));
      await vi.advanceTimersByTimeAsync(afterMs);
      const answered = pool.run(question('question', orgId));
      await vi.advanceTimersByTimeAsync(RANGE_MS);
      const started = pool.began.find(({ name }) => name === 'question');
      expect(started, `${size} processes, after ${afterMs} ms`).toMatchObject({ isLowered: false });
      await vi.advanceTimersByTimeAsync(60 * RANGE_MS);
      await Promise.all([...batches, answered]);
      await pool.close();
    }
});

test('a question of a further organization need not wait while batches of three others take turns', async () => {
  for (const size of [1, 2]) {
    const pool = openPool(size);
    const names = ['a', 'b', 'c'].flatMap((orgId) => Array.from({ length: size + 1 }, (_, at) => `${orgId} ${at}`));
    const batches = names.map((name) => pool.run(batch(name, name[0]!, 12)));
    await vi.advanceTimersByTimeAsync(5 * RANGE_MS + 10);
    const answered = pool.run(question('question', 'd'));
    await vi.advanceTimersByTimeAsync(RANGE_MS);
    expect(pool.began.some(({ name }) => name === 'question')).toBe(true);
    await vi.advanceTimersByTimeAsync(300 * RANGE_MS);
    await Promise.all([...batches, answered]);
    await pool.close();
  }
});

test('a task that paused continues in its process, which nothing else uses in the meantime', async () => {
  const pool = openPool(1);
  const long = pool.run(batch('long', 'a', 5));
  await vi.advanceTimersByTimeAsync(RANGE_MS / 2);
  const questions = [1, 2, 3].map((at) => pool.run(question(`question ${at}`, 'a')));
  await vi.advanceTimersByTimeAsync(10 * RANGE_MS);
  expect(await Promise.all([long, ...questions])).toEqual(['long', 'question 1', 'question 2', 'question 3']);
  expect(pool.began.map(({ name }) => name)).toEqual([
    'long',
    'question 1',
    'question 2',
    'question 3',
    ...Array(4).fill('long'),
  ]);
  const [first, ...others] = Map.groupBy(pool.began, ({ child }) => child).values();
  expect(new Set(first!.map(({ name }) => name))).toEqual(new Set(['long']));
  expect(others.flat().every(({ isLowered }) => !isLowered)).toBe(true);
  expect(pool.living()).toHaveLength(1);
});

test('batches of several organizations take turns, those of one do not interrupt each other', async () => {
  const pool = openPool(1);
  const works = ['a 1', 'a 2', 'b 1', 'c 1'].map((name) => pool.run(batch(name, name[0]!, 6)));
  await vi.advanceTimersByTimeAsync(30 * RANGE_MS);
  await Promise.all(works);
  const order = pool.began.map(({ name }) => name);
  // While all three have work, each of them gets a third of the ranges.
  for (const orgId of ['a', 'b', 'c'])
    expect(order.slice(0, 12).filter((name) => name.startsWith(orgId)).length).toBeGreaterThanOrEqual(3);
  expect(order.indexOf('a 2')).toBeGreaterThan(order.lastIndexOf('a 1'));
});

test('what nobody waits for lets everything else go first', async () => {
  const pool = openPool(1);
  const background = pool.run({ name: 'background', orgId: 'a', priority: 'background', ranges: 3 });
  await vi.advanceTimersByTimeAsync(1);
  const works = [pool.run(batch('batch', 'a', 2)), pool.run(question('question', 'a'))];
  await vi.advanceTimersByTimeAsync(20 * RANGE_MS);
  await Promise.all([background, ...works]);
  const order = pool.began.map(({ name }) => name);
  expect(order).toEqual(['background', 'question', 'batch', 'batch', 'background', 'background']);
});

test('a paused task whose caller leaves ends, and its place is free', async () => {
  const pool = openPool(1);
  const leave = new AbortController();
  const left = pool.run(batch('left', 'a', 9), leave.signal).catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(1);
  const long = pool.run({ ...question('long question', 'a'), ranges: 4 });
  await vi.advanceTimersByTimeAsync(2 * RANGE_MS);
  leave.abort(new Error('changed my mind'));
  expect(await left).toBe('changed my mind');
  await vi.advanceTimersByTimeAsync(4 * RANGE_MS);
  expect(await long).toBe('long question');
  const next = pool.run(batch('next', 'a', 1));
  await vi.advanceTimersByTimeAsync(RANGE_MS);
  expect(await next).toBe('next');
  expect(pool.began.filter(({ name }) => name === 'left')).toHaveLength(1);
});

test('in any order of tasks, all end, and never more run or stay than the pool may have', async () => {
  for (let seed = 1; seed <= 40; seed++) {
    const size = 1 + (seed % 3);
    const pool = openPool(size);
    const random = randomFrom(seed);
    const ended: unknown[] = [];
    const works: Promise<unknown>[] = [];
    for (let at = 0; at < 25; at++) {
      const priority = (['interactive', 'batch', 'background'] as const)[Math.floor(random() * 3)]!;
      const orgId = 'abc'[Math.floor(random() * 3)]!;
      works.push(
        pool
          .run({ name: `${at}`, orgId, priority, ranges: 1 + Math.floor(random() * 6) })
          .then((name) => ended.push(name)),
      );
      await vi.advanceTimersByTimeAsync(Math.floor(random() * 1_500));
      expect(pool.living().length, `seed ${seed}`).toBeLessThanOrEqual(4 * size);
    }
    await vi.advanceTimersByTimeAsync(200 * RANGE_MS);
    expect(ended.length, `seed ${seed}`).toBe(25);
    await Promise.all(works);
    for (const range of pool.began)
      if (range.priority === 'interactive') expect(range.isLowered, `seed ${seed}`).toBe(false);
    await pool.close();
  }
});

test('closing ends paused tasks', async () => {
  const pool = openPool(1);
  const paused = pool.run(batch('paused', 'a', 9)).catch(() => 'ended');
  await vi.advanceTimersByTimeAsync(1);
  const answered = pool.run(question('question', 'a')).catch(() => 'ended');
  await vi.advanceTimersByTimeAsync(RANGE_MS + 1);
  await pool.close();
  await vi.advanceTimersByTimeAsync(RANGE_MS);
  expect(await Promise.all([paused, answered])).toEqual(['ended', 'ended']);
});

function randomFrom(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
