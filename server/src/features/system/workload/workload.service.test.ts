import { hostname } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLibrary, type TestLibrary } from '#test/library';

const QUEUES = '/api/system/queues';
const WORKERS = '/api/system/workers';

let library: TestLibrary;
beforeAll(async () => {
  library = await openLibrary({}, { worker: true });
});
afterAll(() => library?.close());

test('administrators of the first organization see queues and workers; others do not', async () => {
  const { key } = await library.keyOf(library.owner, ['admin']);
  const { queues } = (await library.api.call('GET', QUEUES, { key })).json;
  expect(queues).toContainEqual({
    name: 'analyses.run',
    waiting: 0,
    oldest_waiting_at: null,
    delayed: 0,
    running: 0,
    failed: 0,
  });
  const { workers } = (await library.api.call('GET', WORKERS, { key })).json;
  expect(workers).toMatchObject([{ host: hostname(), pid: process.pid, status: 'running' }]);

  const strangers = (await library.keyOf(await library.addUser(), ['admin'])).key;
  const members = (await library.keyOf(library.owner, ['read', 'write'])).key;
  for (const path of [QUEUES, WORKERS]) {
    const refusal = async (key: string) => (await library.api.call('GET', path, { key })).json.error;
    expect(await refusal(strangers)).toBe('operator_needed');
    expect(await refusal(members)).toBe('scope_missing');
  }
});
