import { expect, test } from 'vitest';
import { runTask } from './index.ts';
import { ALLOCATE, FAIL, SPIN, WHERE } from './run-task.fixture.ts';

const LARGE = { bytes: 64 * 1024 + 1 };

test('a small input is processed at once, and a large one in a thread', async () => {
  expect(await runTask(WHERE, 'abc', { bytes: 3 })).toEqual({ isMainThread: true, length: 3 });
  expect(await runTask(WHERE, 'abc', { bytes: 64 * 1024 })).toMatchObject({ isMainThread: true });
  expect(await runTask(WHERE, 'abc', LARGE)).toEqual({ isMainThread: false, length: 3 });
});

test('a signal ends a thread, and a waiting task', async () => {
  const controllers = Array.from({ length: 4 }, () => new AbortController());
  const spinning = controllers.map(({ signal }) => runTask(SPIN, '', { ...LARGE, signal }));
  const after = runTask(WHERE, 'abc', LARGE);
  for (const controller of controllers) controller.abort(new Error('the client disconnected'));
  for (const each of spinning) await expect(each).rejects.toThrow('the client disconnected');
  expect(await after).toMatchObject({ length: 3 });
  const ended = { signal: AbortSignal.abort(new Error('over')) };
  await expect(runTask(WHERE, 'abc', { bytes: 1, ...ended })).rejects.toThrow('over');
});

test('a task that fails, or needs too much memory, ends alone', async () => {
  await expect(runTask(FAIL, '', LARGE)).rejects.toThrow('fail failed in its thread: Error: a fault of the task');
  await expect(runTask(ALLOCATE, '', { ...LARGE, memoryMb: 64 })).rejects.toMatchObject({
    status: 400,
    code: 'file_too_complex',
  });
}, 120_000);
