import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestHttp, type TestHttp } from '../http.fixture.ts';

const WINDOW_MS = 1_000;
const BYTES_PER_S = 20;
let http: TestHttp;
let node: Awaited<ReturnType<TestHttp['startNode']>>;

beforeAll(async () => {
  http = await createTestHttp();
  node = await http.startNode({ bodyRate: { bytesPerS: BYTES_PER_S, windowMs: WINDOW_MS } });
});
afterAll(async () => {
  await node.app.close();
  await http.close();
});

/** Starts a request. Its body is written to the socket; `text` is the whole response once the connection has ended. */
async function begin(type: string, length: number) {
  const path = type === 'application/octet-stream' ? '/slot' : '/things';
  const { hostname, port } = new URL(node.api.base);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-api-key: k-write\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`,
  );
  return { socket, over: once(socket, 'close').then(() => text) };
}

test.each(['application/json', 'application/x-www-form-urlencoded'])(
  'a body of %s that stops coming is not waited for without end',
  async (type) => {
    const { socket, over } = await begin(type, 100);
    socket.write('{"name":');
    expect(await over).toMatch(/^HTTP\/1.1 408 /);
  },
);

test.each(['application/json', 'application/x-www-form-urlencoded', 'application/octet-stream'])(
  'nor is one of %s that trickles',
  async (type) => {
    const { socket, over } = await begin(type, 1_000);
    const timer = setInterval(() => socket.write(' '), WINDOW_MS / 4);
    expect(await over).toMatch(/^HTTP\/1.1 408 .*"error":"request_invalid"/s);
    clearInterval(timer);
  },
);

test('one that keeps the rate is', async () => {
  const body = JSON.stringify({ name: 'slowly', code: null, ids: null, pad: 'x'.repeat(40 * BYTES_PER_S) });
  const { socket, over } = await begin('application/json', body.length);
  // By the clock, at ten times the rate, so that a busy machine does not make it slower.
  const start = performance.now();
  for (let sent = 0; sent < body.length; ) {
    await sleep(20);
    const due = Math.floor(((performance.now() - start) / 1000) * 10 * BYTES_PER_S);
    socket.write(body.slice(sent, due));
    sent = Math.max(sent, due);
  }
  expect(await over).toMatch(/^HTTP\/1.1 200 /);
});

test('a peer that vanished is found out by asking', () => {
  expect(node.app.server).toMatchObject({ keepAlive: true, keepAliveInitialDelay: expect.any(Number) });
});
