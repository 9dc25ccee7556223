import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openS3 } from './s3.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let folder: string;
let endpoint: string;
let answer: Answer;
const requests: string[] = [];
const server = createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`);
  if (request.method === 'HEAD') response.end();
  else answer(request, response);
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline silent '));
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  await once(server.listen(0, '127.0.0.1'), 'listening');
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const open = (socketTimeout = 60_000, removesAbandoned = true) =>
  openS3(
    {
      bucket: 'films',
      prefix: '',
      endpoint,
      region: 'us-east-1',
      cacheDir: join(folder, 'cache'),
      cacheBytes: 1,
      removesAbandoned,
    },
    { connectionTimeout: 5_000, socketTimeout },
  );
const uploads = (name: string, more = '') =>
  `<ListMultipartUploadsResult>${more}<Upload><Key>${name}</Key><UploadId>${name}</UploadId></Upload></ListMultipartUploadsResult>`;
/** A store without uploads that says nothing to anything else. */
const silent: Answer = (request, response) => {
  if (request.url?.includes('uploads')) response.end('<ListMultipartUploadsResult/>');
};

test('a store that falls silent fails the request, before its answer and in the middle of it', async () => {
  answer = silent;
  const storage = await open(200);
  await expect(storage.write('a/file', Buffer.from('film'))).rejects.toMatchObject({ name: 'TimeoutError' });
  answer = (_, response) => void response.writeHead(200, { 'content-length': 100 }).write('half');
  await expect(storage.readAll('a/file')).rejects.toMatchObject({ name: 'TimeoutError' });
  await storage.close();
});

test('a write that is aborted does not wait for a request that is out', async () => {
  answer = silent;
  const storage = await open();
  const stop = new AbortController();
  const writing = expect(storage.write('b/file', Buffer.from('film'), { signal: stop.signal })).rejects.toThrow('gone');
  await vi.waitFor(() => expect(requests.at(-1)).toMatch(/^PUT .*b.file/), 30_000);
  stop.abort(new Error('gone'));
  await writing;
  await storage.close();
});

test('ends every upload in parts that nobody completes, also those past the first page', async () => {
  answer = (request, response) => {
    if (request.method === 'DELETE') response.writeHead(204).end();
    else if (request.url?.includes('key-marker=one')) response.end(uploads('two'));
    else {
      const next = '<NextKeyMarker>one</NextKeyMarker><NextUploadIdMarker>one</NextUploadIdMarker>';
      response.end(uploads('one', `<IsTruncated>true</IsTruncated>${next}`));
    }
  };
  requests.length = 0;
  const storage = await open();
  expect(requests.filter((line) => line.startsWith('DELETE'))).toEqual([
    expect.stringContaining('uploadId=one'),
    expect.stringContaining('uploadId=two'),
  ]);
  await storage.close();
});

test('leaves them to workers on nodes that are none', async () => {
  requests.length = 0;
  await (await open(60_000, false)).close();
  expect(requests).toEqual([expect.stringMatching(/^HEAD /)]);
});
