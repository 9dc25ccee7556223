import { fork } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nextMessage } from '#test/child-messages';
import { createGuardedFetch, downloadPinnedFile, removePartialFiles } from './index.ts';

const content = randomBytes(400_000);
const sha256 = createHash('sha256').update(content).digest('hex');
const other = Buffer.alloc(content.length, 'other');
const pinned = { bytes: content.length, sha256 };
const closing: (() => unknown)[] = [];
let dir: string;
let path: string;
const net = createGuardedFetch({ allowedNetworks: ['127.0.0.0/8'] });

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pinned '));
  path = join(dir, 'models', 'w.onnx');
  closing.push(() => rm(dir, { recursive: true }));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Serves on a free port. `ranges` are the `Range` headers of the requests. */
async function serve(listener: RequestListener): Promise<{ url: string; ranges: (string | undefined)[] }> {
  const ranges: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    ranges.push(request.headers.range);
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/w.onnx`, ranges };
}

const offsetOf = ({ headers }: IncomingMessage) => Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);

/** An ordinary server with ranges. `until`: the connection breaks after this many bytes of the file. */
function send(request: IncomingMessage, response: ServerResponse, file = content, until = file.length): void {
  const from = offsetOf(request);
  const range = { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` };
  response.writeHead(from > 0 ? 206 : 200, { 'content-length': file.length - from, ...(from > 0 ? range : {}) });
  if (until === file.length) return void response.end(file.subarray(from));
  response.write(file.subarray(from, until), () => response.destroy());
}

const fetchFrom = (url: string, options = {}) => downloadPinnedFile(net, { urls: [url], ...pinned, path }, options);

test('is stored whole, with progress, and nothing stays beside it', async () => {
  const { url } = await serve((request, response) => send(request, response));
  const progress: number[] = [];
  await fetchFrom(url, { onProgress: (bytes: number) => progress.push(bytes) });
  expect(await readFile(path)).toEqual(content);
  expect(progress.at(-1)).toBe(content.length);
  expect(await readdir(join(dir, 'models'))).toEqual(['w.onnx']);
});

test('a broken connection continues where it broke', async () => {
  let requests = 0;
  const { url, ranges } = await serve((request, response) =>
    send(request, response, content, ++requests === 1 ? 150_000 : content.length),
  );
  await fetchFrom(url);
  expect(await readFile(path)).toEqual(content);
  expect(ranges).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
});

test('what a canceled download has received is used by the next one', async () => {
  const { url, ranges } = await serve((request, response) => {
    if (offsetOf(request) > 0) return send(request, response);
    response.writeHead(200, { 'content-length': content.length }).write(content.subarray(0, 100_000));
  });
  const abort = new AbortController();
  const onProgress = (bytes: number) => bytes === 100_000 && abort.abort(new Error('canceled'));
  await expect(fetchFrom(url, { signal: abort.signal, onProgress })).rejects.toThrow('canceled');
  expect(await readdir(join(dir, 'models'))).toEqual([expect.stringMatching(/^\.w\.onnx\.\w+\.partial$/)]);
  await fetchFrom(url);
  expect(ranges).toEqual([undefined, 'bytes=100000-']);
  expect(await readFile(path)).toEqual(content);
});

test('what a killed process has received is used, that of a running one is not', async () => {
  const { url, ranges } = await serve((request, response) => {
    if (offsetOf(request) > 0 || ranges.length > 2) return send(request, response);
    response.writeHead(200, { 'content-length': content.length }).write(content.subarray(0, 100_000));
  });
  const child = fork(new URL('pinned-file.fixture.ts', import.meta.url), [
    JSON.stringify({ urls: [url], ...pinned, path }),
  ]);
  closing.push(() => child.kill('SIGKILL'));
  await nextMessage(child);
  const abort = new AbortController();
  const second = fetchFrom(url, { signal: abort.signal, onProgress: () => abort.abort(new Error('canceled')) });
  await expect(second).rejects.toThrow('canceled');
  expect(ranges).toEqual([undefined, undefined]);
  await removePartialFiles(path);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await fetchFrom(url);
  expect(ranges[2]).toBe('bytes=100000-');
  expect(await readFile(path)).toEqual(content);
  expect(await readdir(join(dir, 'models'))).toEqual(['w.onnx']);
});

test.for<[string, RequestListener]>([
  ['ignores ranges', (_, response) => response.end(content)],
  [
    'sends another range',
    (request, response) => {
      const headers = { 'content-range': `bytes 5-${content.length - 1}/${content.length}` };
      if (offsetOf(request) > 0) return response.writeHead(206, headers).end(content.subarray(5));
      response.end(content);
    },
  ],
  [
    'claims that the range is not satisfiable',
    (request, response) => {
      if (offsetOf(request) > 0) return response.writeHead(416).end();
      response.end(content);
    },
  ],
  ['has another version of the first part', (request, response) => send(request, response)],
])('a server that %s gets the request for the whole file', async ([, listener]) => {
  await mkdir(join(dir, 'models'));
  await writeFile(join(dir, 'models', `.w.onnx.${sha256.slice(0, 12)}.partial`), other.subarray(0, 1_000));
  const { url, ranges } = await serve(listener);
  await fetchFrom(url);
  expect(ranges[0]).toBe('bytes=1000-');
  expect(await readFile(path)).toEqual(content);
});

test.for<[string, RequestListener, string]>([
  ['another file of the same size', (_, response) => response.end(other), 'fetch_wrong_file'],
  ['a larger file than it states', (_, response) => response.end(Buffer.concat([content, other])), 'fetch_wrong_file'],
  [
    'a file of another size',
    (_, response) => response.writeHead(200, { 'content-length': 9 }).end('123456789'),
    'fetch_wrong_file',
  ],
  ['an error', (_, response) => response.writeHead(404).end(), 'fetch_refused'],
  ['a range that nobody requested', (_, response) => response.writeHead(206).end(content), 'fetch_refused'],
  [
    'a redirect to a private address',
    (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/w.onnx' }).end(),
    'fetch_address_refused',
  ],
  [
    'a request to come back in an hour',
    (_, response) => response.writeHead(503, { 'retry-after': '3600' }).end(),
    'fetch_unavailable',
  ],
])('a server that sends %s is refused, and no file appears', async ([, listener, code]) => {
  const { url } = await serve(listener);
  await expect(fetchFrom(url)).rejects.toMatchObject({ code });
  expect(await readdir(join(dir, 'models'))).toEqual([]);
});

test('a server that asks for a pause gets it, and a broken one several attempts', async () => {
  const times: number[] = [];
  const { url } = await serve((request, response) => {
    times.push(performance.now());
    if (times.length === 1) return void response.writeHead(503, { 'retry-after': '1' }).end();
    if (times.length === 2) return void response.destroy();
    send(request, response);
  });
  await fetchFrom(url);
  expect(times[1]! - times[0]!).toBeGreaterThan(950);
  expect(times).toHaveLength(3);
});

test('the next address is used if the first does not have the file', async () => {
  const wrong = await serve((_, response) => void response.end(other));
  const right = await serve((request, response) => send(request, response));
  await downloadPinnedFile(net, { urls: [wrong.url, right.url], ...pinned, path });
  expect(await readFile(path)).toEqual(content);
});

test('a private address is refused unless the operator allows its network', async () => {
  const { url, ranges } = await serve((request, response) => send(request, response));
  const guarded = createGuardedFetch({ allowedNetworks: [] });
  closing.push(() => guarded.close());
  const refused = downloadPinnedFile(guarded, { urls: [url], ...pinned, path });
  await expect(refused).rejects.toMatchObject({ code: 'fetch_address_refused' });
  expect(ranges).toEqual([]);
});

test('a file that is there is replaced only by a complete one', async () => {
  await mkdir(join(dir, 'models'));
  await writeFile(path, 'previous');
  const wrong = await serve((_, response) => void response.end(other));
  await expect(fetchFrom(wrong.url)).rejects.toMatchObject({ code: 'fetch_wrong_file' });
  expect(await readFile(path, 'utf8')).toBe('previous');
  const right = await serve((request, response) => send(request, response));
  await fetchFrom(right.url);
  expect(await readFile(path)).toEqual(content);
});
