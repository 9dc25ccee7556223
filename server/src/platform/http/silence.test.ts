import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestHttp, type TestHttp } from './http.fixture.ts';

const SILENCE_MS = 1_000;
let http: TestHttp;
let node: Awaited<ReturnType<TestHttp['startNode']>>;

beforeAll(async () => {
  http = await createTestHttp();
  node = await http.startNode({ bodySilenceMs: SILENCE_MS });
});
afterAll(async () => {
  await node.app.close();
  await http.close();
});

/** Begins a request; what it sends further goes through the socket, and `text` is all that came back once the connection is over. */
async function begin(type: string, length: number) {
  const { hostname, port } = new URL(node.api.base);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  socket.write(
    `POST /things HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-api-key: k-write\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`,
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
  10_000,
);

test('one that comes slowly is', async () => {
  const body = JSON.stringify({ name: 'slowly but surely' });
  const { socket, over } = await begin('application/json', body.length);
  for (const letter of body) {
    socket.write(letter);
    await sleep((3 * SILENCE_MS) / body.length);
  }
  expect(await over).toMatch(/^HTTP\/1.1 200 /);
}, 20_000);

test('a peer that vanished is found out by asking', () => {
  expect(node.app.server).toMatchObject({ keepAlive: true, keepAliveInitialDelay: expect.any(Number) });
});
