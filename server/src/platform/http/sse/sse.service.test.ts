import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Problem } from '#platform/problem';
import type { ApiClient } from '#test/http';
import { createTestHttp, type TestHttp } from '../http.fixture.ts';

let http: TestHttp;
let api: ApiClient;

beforeAll(async () => {
  http = await createTestHttp();
  api = http.api;
});
afterAll(() => http.close());

test('stored JSON goes out as it is', async () => {
  const answer = await api.call('GET', '/text', { key: 'k-read' });
  expect([answer.text, answer.headers.get('content-type')]).toEqual(['{"a":[1,2]}', 'application/json; charset=utf-8']);
});

test('events arrive in order and the stream ends with its source', async () => {
  const answer = await api.call('GET', '/stream?n=3', { key: 'k-read', headers: { origin: 'https://x' } });
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(answer.headers.get('x-accel-buffering')).toBe('no');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.get('x-request-id')).toBeTruthy();
  const ids = [...answer.text.matchAll(/^id: (\d+)\nevent: progress\ndata: (.*)$/gm)].map((m) => [
    m[1],
    JSON.parse(m[2]!).id,
  ]);
  expect(ids).toEqual([
    ['1', 1],
    ['2', 2],
    ['3', 3],
  ]);
});

test('headers and keep-alive comments come while nothing happens; leaving aborts and ends the source', async () => {
  const leaving = new AbortController();
  const response = await fetch(`${api.base}/stream?n=0`, {
    headers: { 'x-api-key': 'k-read' },
    signal: leaving.signal,
  });
  let text = '';
  for await (const chunk of response.body!) {
    text += Buffer.from(chunk);
    if (text.split(': keep-alive').length > 3) break;
  }
  leaving.abort();
  expect(await http.stream.gone).toBe('the client went away');
  await http.stream.ended;
});

test('a slow reader slows the source down and still gets everything', async () => {
  const response = await fetch(`${api.base}/stream?n=20000`, { headers: { 'x-api-key': 'k-read' } });
  await sleep(200);
  const text = await response.text();
  expect(text.match(/^id: /gm)).toHaveLength(20_000);
});

test('a source that fails ends with one error event that says nothing of the inside', async () => {
  const answer = await api.call('GET', '/stream?n=1&fail=1', { key: 'k-read' });
  expect(answer.text).toMatch(/event: error\ndata: \{.*"code":"internal_error".*\}\n\n$/);
  expect(answer.text).not.toContain('hunter2');
});

/** A node whose key may be revoked, and how often it was checked. */
async function startRevocable() {
  const state = { revoked: false, checks: 0 };
  const node = await http.startNode({
    async authenticate() {
      state.checks++;
      if (state.revoked) throw new Problem({ status: 401, code: 'key_revoked', message: 'This key was revoked.' });
      const expiresAt = new Date(Date.now() + 1e6);
      return { keyId: 'k', userId: 'u', orgId: 'o', email: 'a@b', scopes: ['read'], expiresAt };
    },
  });
  return { ...node, state };
}

test.each([0, 1_000_000])('a key that ends takes its streams along, of %d events to come', async (n) => {
  const { app: other, api: node, state } = await startRevocable();
  const response = await fetch(`${node.base}/stream?n=${n}`, { headers: { 'x-api-key': 'k' } });
  state.revoked = true;
  let text = '';
  for await (const chunk of response.body!) {
    text = (text + Buffer.from(chunk)).slice(-1_000);
    // As fast as a reader on the other side of the world.
    await sleep(5);
  }
  expect(text).toMatch(/event: error\ndata: \{.*"code":"key_revoked"\}\n\n$/);
  await other.close();
});

test('a revoked key ends all of its idle streams within a second, by one check for all of them', async () => {
  const { app: other, api: node, state } = await startRevocable();
  const streams = await Promise.all(
    Array.from({ length: 20 }, () => fetch(`${node.base}/stream?n=0&quiet=1`, { headers: { 'x-api-key': 'k' } })),
  );
  const before = state.checks;
  const texts = streams.map((stream) => stream.text());
  state.revoked = true;
  const revokedAt = performance.now();
  for (const text of texts) expect(await text).toContain('"code":"key_revoked"');
  // Long before the next comment that keeps the connection open.
  expect(performance.now() - revokedAt).toBeLessThan(10_000);
  expect(state.checks - before).toBeLessThan(streams.length);
  await other.close();
});

test('only so many streams are open of one key, and of one address; a closed one makes room', async () => {
  const { app: other, api: node } = await http.startNode({
    streams: { perKey: 2, perAddress: 3 },
    trustedProxies: ['127.0.0.1/32'],
  });
  const leaving = new AbortController();
  const open = (key: string, from: string, signal: AbortSignal | null = null) =>
    fetch(`${node.base}/stream?n=0`, { headers: { 'x-api-key': key, 'x-forwarded-for': from }, signal });
  await open('k-read', '192.0.2.1', leaving.signal);
  await open('k-read', '192.0.2.2');
  const refused = await open('k-read', '192.0.2.3');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  expect(await refused.json()).toMatchObject({ error: 'too_many_streams', detail: expect.any(String) });
  await open('k-admin', '192.0.2.2');
  leaving.abort();
  await expect.poll(async () => (await open('k-read', '192.0.2.3')).status).toBe(200);
  await other.close();
});

test('the connection of a reader that reads nothing ends, and an idle one that reads stays', async () => {
  const { app: other, api: node } = await http.startNode({ unreadMs: 500 });
  const { hostname, port } = new URL(node.base);
  const begin = async (path: string) => {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: k-read\r\n\r\n`);
    return socket;
  };
  const deaf = await begin('/stream?n=100000000');
  await once(deaf, 'readable');
  expect(await http.stream.gone).toBe('the client went away');
  deaf.destroy();
  const idle = await begin('/stream?n=0');
  idle.resume();
  await sleep(1_500);
  expect(idle.closed).toBe(false);
  idle.destroy();
  await other.close();
});

test('open streams do not keep the server from closing', async () => {
  const { app: other, api: node } = await http.startNode();
  const response = await fetch(`${node.base}/stream?n=0`, { headers: { 'x-api-key': 'k-read' } });
  const reading = response.text();
  const before = Date.now();
  await other.close();
  expect(Date.now() - before).toBeLessThan(3_000);
  expect(await reading).toContain(': stream');
  expect(await http.stream.gone).toBe('the server is closing');
});
