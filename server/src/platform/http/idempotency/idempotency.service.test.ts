import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiClient } from '#test/http';
import { createTestHttp, type TestHttp } from '../http.fixture.ts';
import { createIdempotencyStore } from './store.ts';

let http: TestHttp;
let api: ApiClient;

beforeAll(async () => {
  http = await createTestHttp();
  api = http.api;
});
afterAll(() => http.close());

let serial = 0;
const fresh = () => `key-${serial++}`;
const send = (key: string, json: unknown, options: { key?: string; signal?: AbortSignal } = {}) =>
  api.call('POST', '/things', { key: 'k-write', headers: { 'idempotency-key': key }, json, ...options });
const rows = () => http.database.db.selectFrom('idempotencyKeys').selectAll().orderBy('createdAt', 'desc').execute();
const claimed = (key: string) => expect.poll(async () => (await rows()).some((row) => row.key === key)).toBe(true);

test('a repeat gets the first answer, word for word', async () => {
  const key = fresh();
  const first = await send(key, { name: 'a' });
  const again = await send(key, { name: 'a' });
  expect(first.headers.get('idempotency-replayed')).toBeNull();
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect([again.status, again.text, again.headers.get('content-type')]).toEqual([
    200,
    first.text,
    first.headers.get('content-type'),
  ]);
});

test('twenty at once run once', async () => {
  const key = fresh();
  const before = http.ran.things ?? 0;
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(key, { name: 'race', count: 100 })));
  expect(new Set(answers.map((a) => `${a.status} ${a.text}`)).size).toBe(1);
  expect(answers.filter((a) => a.headers.get('idempotency-replayed') === null)).toHaveLength(1);
  expect(http.ran.things).toBe(before + 1);
});

test('another body under the same key is 409; another caller’s same key is another key', async () => {
  const key = fresh();
  await send(key, { name: 'a' });
  expect(await send(key, { name: 'b' })).toMatchObject({ status: 409, json: { error: 'idempotency_conflict' } });
  const other = await send(key, { name: 'b' }, { key: 'k-admin' });
  expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([200, null]);
});

test('refusals are replayed, failures of ours are not', async () => {
  const headers = { 'idempotency-key': fresh() };
  const refusals = [1, 2].map(() => api.call('POST', '/refuses', { key: 'k-write', headers }));
  const [a, b] = await Promise.all(refusals);
  expect([a!.status, a!.text]).toEqual([404, b!.text]);
  const before = http.ran.fails ?? 0;
  await api.call('POST', '/fails', { key: 'k-write', headers: { 'idempotency-key': 'f1' } });
  const again = await api.call('POST', '/fails', { key: 'k-write', headers: { 'idempotency-key': 'f1' } });
  expect([again.status, http.ran.fails]).toEqual([500, before + 2]);
});

test('a body that is refused as invalid does not use the key up', async () => {
  const key = fresh();
  expect((await send(key, { name: '' })).status).toBe(400);
  expect((await send(key, { name: 'better' })).status).toBe(200);
});

test.each(['', 'a b', 'ü', 'x'.repeat(256)])('the key %j is refused', async (key) => {
  const headers = { 'idempotency-key': Buffer.from(key, 'utf8').toString('latin1') };
  const answer = await api.call('POST', '/upload', { key: 'k-write', headers });
  expect(answer).toMatchObject({ status: 400, json: { error: 'idempotency_key_invalid' } });
});

test('a client that leaves before the answer finds it when it returns', async () => {
  const key = fresh();
  const before = http.ran.things ?? 0;
  const client = new AbortController();
  const leaving = expect(send(key, { name: 'later', count: 1_000 }, { signal: client.signal })).rejects.toThrow();
  await claimed(key);
  client.abort();
  await leaving;
  const again = await send(key, { name: 'later', count: 1_000 });
  expect([again.status, again.headers.get('idempotency-replayed'), http.ran.things]).toEqual([200, 'true', before + 1]);
});

test('a crashed first is taken over, and writes nothing if it was only asleep', async () => {
  const store = createIdempotencyStore(http.database);
  const ticket = { scope: 'k-write', key: fresh(), fingerprint: 'f', holder: 'dead' };
  const answer = { status: 200, contentType: 'application/json', body: Buffer.from('"new"') };
  expect(await store.claim(ticket)).toEqual({ state: 'mine', reference: null });
  expect(await store.claim({ ...ticket, holder: 'second' })).toEqual({ state: 'running' });
  const lockOf = async () => (await rows()).find((row) => row.key === ticket.key)!.lockedUntil.getTime() - Date.now();
  const expire = () =>
    http.database.db
      .updateTable('idempotencyKeys')
      .set({ lockedUntil: new Date(Date.now() - 1) })
      .where('key', '=', ticket.key)
      .execute();
  await expire();
  await store.extend({ ...ticket, holder: 'second' });
  expect(await lockOf()).toBeLessThan(0);
  await store.extend(ticket);
  expect(await lockOf()).toBeGreaterThan(10_000);
  await expire();
  const claims = await Promise.all(['b', 'c', 'd'].map((holder) => store.claim({ ...ticket, holder })));
  expect(claims.map((c) => c.state).sort()).toEqual(['mine', 'running', 'running']);
  const winner = ['b', 'c', 'd'][claims.findIndex((c) => c.state === 'mine')]!;
  expect(await store.complete({ ...ticket, holder: 'dead' }, { ...answer, body: Buffer.from('"old"') })).toBe(false);
  expect(await store.complete({ ...ticket, holder: winner }, answer)).toBe(true);
  expect(await store.claim({ ...ticket, holder: 'e' })).toMatchObject({ state: 'answered', answer });
  expect(await store.claim({ ...ticket, fingerprint: 'g', holder: 'e' })).toEqual({ state: 'conflict' });
});

test('a repeat on another node waits for the first, takes over when that node dies, and gives up in time', async () => {
  const { app: other, api: node } = await http.startNode({ idempotencyWaitS: 3 });
  const key = fresh();
  const headers = { 'idempotency-key': key };
  const json = { name: 'slow', count: 150 };
  const first = send(key, json);
  await claimed(key);
  const waited = await node.call('POST', '/things', { key: 'k-write', headers, json });
  expect([waited.text, waited.headers.get('idempotency-replayed')]).toEqual([(await first).text, 'true']);

  const dies = (ms: number) =>
    http.database.db
      .updateTable('idempotencyKeys')
      .set({ status: null, lockedUntil: new Date(Date.now() + ms) })
      .where('key', '=', key)
      .execute();
  await dies(60_000);
  const gaveUp = await node.call('POST', '/things', { key: 'k-write', headers, json });
  expect(gaveUp).toMatchObject({ status: 409, json: { error: 'idempotency_in_progress' } });
  expect(gaveUp.headers.get('retry-after')).toBe('2');
  await dies(150);
  const before = http.ran.things ?? 0;
  const tookOver = await node.call('POST', '/things', { key: 'k-write', headers, json });
  expect([tookOver.status, http.ran.things]).toEqual([200, before + 1]);
  await other.close();
});

test('a client that was refused because it left is not refused when it returns', async () => {
  const headers = { 'idempotency-key': fresh() };
  const client = new AbortController();
  const { signal } = client;
  const left = api.call('POST', '/leaves', { key: 'k-write', headers: { ...headers, 'x-wait': '1' }, signal });
  const leaving = expect(left).rejects.toThrow();
  await expect.poll(() => http.ran.leaves).toBe(1);
  client.abort();
  await leaving;
  await api.call('POST', '/leaves', { key: 'k-write', headers });
  expect(http.ran.leaves).toBe(2);
});

test('after a day a key is free again, and old rows are purged', async () => {
  const key = fresh();
  await send(key, { name: 'a' });
  const old = new Date(Date.now() - 25 * 3_600_000);
  await http.database.db.updateTable('idempotencyKeys').set({ createdAt: old }).where('key', '=', key).execute();
  const again = await send(key, { name: 'b' });
  expect([again.status, again.json.name, again.headers.get('idempotency-replayed')]).toEqual([200, 'b', null]);
  await http.database.db.updateTable('idempotencyKeys').set({ createdAt: old }).where('key', '=', key).execute();
  expect(await createIdempotencyStore(http.database).purge(new Date(Date.now() - 24 * 3_600_000))).toBe(1);
  expect((await rows()).some((row) => row.key === key)).toBe(false);
});

test('a stream’s repeat attaches to the same stream', async () => {
  const headers = { 'idempotency-key': fresh() };
  const first = await api.call('POST', '/query/stream', { key: 'k-write', headers });
  const again = await api.call('POST', '/query/stream', { key: 'k-write', headers });
  expect(first.text).toContain('data: {"stream":"stream-7"}');
  expect(again.text).toBe(first.text);
  expect([first, again].map((a) => a.headers.get('idempotency-replayed'))).toEqual([null, 'true']);
  expect(http.ran.query).toBe(1);
});
