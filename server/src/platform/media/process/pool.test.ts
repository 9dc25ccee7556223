import { constants } from 'node:os';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../../log.ts';
import { type Death, toDeath } from './death.ts';
import type { MediaProcess, TaskOutcome } from './media-process.ts';
import { createProcessPool } from './pool.ts';
import type { MediaTask } from './types.ts';

const IDLE_MS = 3_000;
const task = { module: new URL('file:///task.ts'), name: 'task', args: {} };
const log = createLog('silent');
const warn = vi.spyOn(log, 'warn');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  warn.mockClear();
});

/** A process whose tasks take a second. Like a real one, it exits some time after it was killed, and its task fails. */
function fakeProcess() {
  const exited = Promise.withResolvers<void>();
  const killed = Promise.withResolvers<TaskOutcome>();
  let alive = true;
  const child: MediaProcess = {
    pid: undefined,
    give: () => {},
    started: Promise.resolve(null),
    exited: exited.promise,
    inputs: [],
    stop: () => {},
    lowerPriority: () => {},
    prepare: async (args) => ({ args, publish: async (result) => result, clear: async () => {} }),
    kill() {
      alive = false;
      killed.resolve({ kind: 'died', how: 'SIGKILL', cause: 'machine' });
      setTimeout(exited.resolve, 50);
    },
    alive: () => alive,
    rssBytes: () => 0,
    run: () => {
      const done = new Promise<TaskOutcome>((resolve) =>
        setTimeout(() => resolve({ kind: 'value', value: child }), 1_000),
      );
      return Promise.race([done, killed.promise]);
    },
  };
  return child;
}

function openPool(size = 1) {
  const children: MediaProcess[] = [];
  const spawn = () => {
    const child = fakeProcess();
    children.push(child);
    return child;
  };
  const first = fakeProcess();
  const pool = createProcessPool({ size, spawn, log, first, idleMs: IDLE_MS });
  return { pool, children, first, running: () => [first, ...children].filter((child) => child.alive()).length };
}

/** Runs a task to its end. Returns the process that ran it. */
async function run(pool: ReturnType<typeof openPool>['pool']): Promise<unknown> {
  const result = pool.run(task);
  await vi.advanceTimersByTimeAsync(1_000);
  return result;
}

test('a process ends when it was idle for the time, and not while it runs a task', async () => {
  const { pool, first } = openPool();
  await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
  const result = pool.run(task);
  await vi.advanceTimersByTimeAsync(999);
  expect(first.alive()).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(await result).toBe(first);
  await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
  expect(first.alive()).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(first.alive()).toBe(false);
});

test('a process in use stays warm', async () => {
  const { pool, first, children } = openPool();
  for (let i = 0; i < 20; i++) {
    expect(await run(pool)).toBe(first);
    await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
  }
  expect(children).toEqual([]);
});

test('a task that arrives before, while or after a process ends runs once, in a process that lives', async () => {
  for (let early = -3; early <= 3; early++) {
    const { pool, first, children } = openPool();
    let arrived: Promise<unknown> | undefined;
    setTimeout(() => {
      arrived = pool.run(task);
    }, IDLE_MS - early);
    await vi.advanceTimersByTimeAsync(IDLE_MS - early);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await arrived).toBe(early > 0 ? first : children[0]);
    expect(children).toHaveLength(early > 0 ? 0 : 1);
    const closed = pool.close();
    await vi.advanceTimersByTimeAsync(50);
    await closed;
  }
  expect(warn).not.toHaveBeenCalled();
});

test('a task whose timer is ahead of that of the pool, in the same millisecond, gets the process', async () => {
  const arrived = Promise.withResolvers<unknown>();
  setTimeout(() => arrived.resolve(pool.run(task)), IDLE_MS);
  const { pool, first, children } = openPool();
  await vi.advanceTimersByTimeAsync(IDLE_MS + 1_000);
  expect(await arrived.promise).toBe(first);
  expect(children).toEqual([]);
  expect(warn).not.toHaveBeenCalled();
});

test('of several idle processes, the one that was used last is used next, and the others end', async () => {
  const { pool, running } = openPool(3);
  const all = Promise.all([pool.run(task), pool.run(task), pool.run(task)]);
  await vi.advanceTimersByTimeAsync(1_000);
  await all;
  expect(running()).toBe(3);
  await run(pool);
  await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
  expect(running()).toBe(1);
});

test('a process that exits by itself while it is idle leaves the others as they are', async () => {
  const { pool, first, children } = openPool(2);
  const both = Promise.all([pool.run(task), pool.run(task)]);
  await vi.advanceTimersByTimeAsync(1_000);
  await both;
  children[0]!.kill();
  expect(await run(pool)).toBe(first);
  // Past the time at which the other one would have ended.
  await vi.advanceTimersByTimeAsync(IDLE_MS - 500);
  expect(await run(pool)).toBe(first);
  expect(children).toHaveLength(1);
});

test('closing waits for processes that are ending', async () => {
  const { pool, first } = openPool();
  await vi.advanceTimersByTimeAsync(IDLE_MS);
  expect(first.alive()).toBe(false);
  let isClosed = false;
  const closing = pool.close().then(() => {
    isClosed = true;
  });
  await vi.advanceTimersByTimeAsync(49);
  expect(isClosed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await closing;
});

const OUTSIDE = ['SIGHUP', 'SIGINT', 'SIGKILL', 'SIGQUIT', 'SIGTERM'];
const OWN = Object.keys(constants.signals).filter((signal) => !OUTSIDE.includes(signal));

/** Processes that end by these deaths, one each, and then processes that live. */
function openDyingPool(deaths: readonly Death[], at: 'start' | 'work') {
  let spawned = 0;
  const spawn = (): MediaProcess => {
    const death = deaths[spawned++];
    const child = fakeProcess();
    if (!death) return child;
    const failure = { reason: death.how, killed: death.cause === 'machine' ? death : null };
    return {
      ...child,
      started: Promise.resolve(at === 'start' ? failure : null),
      async run() {
        child.kill();
        return { kind: 'died', ...death };
      },
    };
  };
  const pool = createProcessPool({ size: 1, spawn, log, killPauseMs: 10 });
  /** The code of the problem, or `done`. */
  const outcome = async (options = {}, dying: MediaTask = task) => {
    const result = pool.run(dying, options).then(
      () => 'done',
      (error: { code: string; message: string; status: number }) => error,
    );
    await vi.advanceTimersByTimeAsync(5_000);
    return result;
  };
  return { outcome, spawned: () => spawned };
}

test.each(OUTSIDE)('%s from outside is retried with pauses, and is never a damaged file', async (signal) => {
  for (const death of [toDeath(null, signal), toDeath(128 + constants.signals[signal as NodeJS.Signals], null)]) {
    expect(death).toEqual({ how: signal, cause: 'machine' });
    for (const at of ['start', 'work'] as const)
      for (const retryCrash of [true, false]) {
        const deaths = Array(5).fill(death);
        expect(await openDyingPool(deaths, at).outcome({ retryCrash })).toBe('done');
        const always = openDyingPool([...deaths, death], at);
        expect(await always.outcome({ retryCrash })).toMatchObject({
          code: 'media_killed',
          status: 503,
          message: expect.stringMatching(/ended the media process 6 times .*memory.* need not be damaged.*try again/),
        });
        expect(always.spawned()).toBe(6);
      }
  }
});

test.each([...OWN, 'exit code 1'])('%s stays with the file: retried once, then reported as damage', async (how) => {
  const death = how.startsWith('SIG') ? toDeath(null, how) : toDeath(1, null);
  expect(death).toEqual({ how, cause: 'file' });
  expect(await openDyingPool([death], 'work').outcome()).toBe('done');
  expect(await openDyingPool([death, death], 'work').outcome()).toMatchObject({ code: 'media_crashed', status: 400 });
  expect(await openDyingPool([death], 'work').outcome({ retryCrash: false })).toMatchObject({ code: 'media_crashed' });
});

test('kills between two crashes do not excuse the file, and crashes do not count as kills', async () => {
  const [kill, crash] = [toDeath(null, 'SIGKILL'), toDeath(null, 'SIGSEGV')];
  const mixed = openDyingPool([kill, crash, kill, kill, crash], 'work');
  expect(await mixed.outcome()).toMatchObject({ code: 'media_crashed' });
  expect(await openDyingPool([kill, kill, crash, kill, kill, kill], 'work').outcome()).toBe('done');
});

test('a caller that leaves, and a pool that closes, end the pause before a retry', async () => {
  const kill = toDeath(null, 'SIGKILL');
  const leave = new AbortController();
  const left = openDyingPool([kill, kill, kill], 'work').outcome({ signal: leave.signal });
  leave.abort(new Error('changed my mind'));
  expect(await left).toMatchObject({ message: 'changed my mind' });
});

test('each attempt gets new arguments where they change, and a task that has none of them fails', async () => {
  const kill = toDeath(null, 'SIGKILL');
  let made = 0;
  const argsOf = async () => ++made;
  expect(await openDyingPool([kill, kill], 'work').outcome({}, { ...task, argsOf })).toBe('done');
  expect(made).toBe(3);
  const fails = async () => Promise.reject(new Error('no arguments'));
  expect(await openDyingPool([], 'work').outcome({}, { ...task, argsOf: fails })).toMatchObject({
    message: 'no arguments',
  });
});
