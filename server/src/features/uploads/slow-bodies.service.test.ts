// Bodies of uploads that trickle: one byte now and then keeps no connection.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTusClient, openUploads, slowUpload, type UploadsFixture } from './uploads.fixture.ts';

const WINDOW_MS = 1_000;
let desk: UploadsFixture;
beforeAll(async () => {
  desk = await openUploads({}, { overrides: { bodyRate: { bytesPerS: 100, windowMs: WINDOW_MS } } });
});
afterAll(() => desk?.close());

test('a slow form is ended and leaves nothing', async () => {
  const upload = slowUpload(desk.api.base, desk.me.key);
  const timer = setInterval(() => void upload.write(new Uint8Array(1)), WINDOW_MS / 4);
  const answer = await upload.answered.catch((error) => error.code);
  clearInterval(timer);
  expect(answer).toMatchObject({ status: 408, json: { error: 'request_invalid' } });
  await expect.poll(() => desk.remains()).toEqual({ rows: 0, files: 0, partial: 0 });
});

test('a slow chunk of a resumable upload is ended, and its bytes are retained', async () => {
  const client = createTusClient(desk.api, desk.me.key);
  const { id } = await client.begin(1_000);
  const { hostname, port } = new URL(desk.api.base);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = {
    host: 'x',
    'x-api-key': desk.me.key,
    ...client.headers,
    'upload-offset': '0',
    'content-length': '1000',
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`PATCH /api/uploads/${id} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const timer = setInterval(() => socket.write('x'), WINDOW_MS / 4);
  socket.resume();
  await once(socket, 'close');
  clearInterval(timer);
  await expect.poll(() => client.offset(id)).toBeGreaterThan(0);
});
