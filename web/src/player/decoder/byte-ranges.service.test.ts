import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ByteRanges } from './byte-ranges.ts';

const FILE = Uint8Array.from({ length: 3_000_000 }, (_, index) => index % 251);
const CACHE_BYTES = 1_500_000;
const KB = 1024;

let server: Server;
let url: string;
/** Ranges that were requested, and those whose response was canceled. */
let requested: string[] = [];
let canceled = 0;
/** Bytes after which a response stops to send. */
let stallsAt = Number.POSITIVE_INFINITY;

beforeAll(async () => {
  server = createServer((request, response) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (request.url === '/whole' || from === undefined) return response.end(FILE);
    requested.push(`${from}-${to}`);
    const [start, end] = [Number(from), Math.min(FILE.length, Number(to) + 1)];
    response.writeHead(206, {
      'content-range': `bytes ${start}-${end - 1}/${FILE.length}`,
      'content-length': end - start,
    });
    response.on('close', () => !response.writableEnded && canceled++);
    if (end - start > stallsAt) response.write(FILE.subarray(start, start + stallsAt));
    else response.end(FILE.subarray(start, end));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  requested = [];
  canceled = 0;
  stallsAt = Number.POSITIVE_INFINITY;
});

const isFile = (bytes: Uint8Array, start: number) => bytes.every((byte, index) => byte === FILE[start + index]);

test('reads of a seek share one request, and later ones near to it need none', async () => {
  const ranges = new ByteRanges(url, CACHE_BYTES);
  expect(await ranges.size()).toBe(FILE.length);
  ranges.expect(600 * KB);
  for (let start = 1_000_000; start < 1_600_000; start += 50_000)
    expect(isFile(await ranges.read(start, start + 50_000), start)).toBe(true);
  expect(isFile(await ranges.read(1_200_000, 1_200_010), 1_200_000)).toBe(true);
  expect(isFile(await ranges.read(4, 8), 4)).toBe(true);
  expect(requested).toEqual([`0-${256 * KB - 1}`, `1000000-${1_000_000 + 600 * KB - 1}`]);
});

test('no request goes beyond the file, and one is as long as its read', async () => {
  const ranges = new ByteRanges(url, CACHE_BYTES);
  expect(isFile(await ranges.read(2_900_000, 3_000_000), 2_900_000)).toBe(true);
  expect(isFile(await ranges.read(500_000, 2_500_000), 500_000)).toBe(true);
  expect(requested.slice(1)).toEqual(['2900000-2999999', '500000-2499999']);
});

test('bytes are read while the rest of their range arrives; the rest is canceled when nobody waits for it', async () => {
  const ranges = new ByteRanges(url, CACHE_BYTES);
  await ranges.size();
  stallsAt = 100_000;
  ranges.expect(900_000);
  expect(isFile(await ranges.read(1_000_000, 1_000_500), 1_000_000)).toBe(true);
  stallsAt = Number.POSITIVE_INFINITY;
  expect(isFile(await ranges.read(2_000_000, 2_000_500), 2_000_000)).toBe(true);
  await expect.poll(() => canceled).toBe(1);
  // It is fetched again.
  expect(isFile(await ranges.read(1_500_000, 1_500_500), 1_500_000)).toBe(true);
});

test('ranges that were not used for long make room for others', async () => {
  const ranges = new ByteRanges(url, CACHE_BYTES);
  ranges.expect(500_000);
  for (const start of [1_000_000, 2_000_000, 1_000_000, 300_000, 2_400_000, 1_000_000, 2_000_000])
    await ranges.read(start, start + 500_000);
  expect(requested.map((range) => range.split('-')[0])).toEqual([
    '0',
    '1000000',
    '2000000',
    '300000',
    '2400000',
    '2000000',
  ]);
});

test('a server that does not send parts, and one that is not there, are failures; a later read tries again', async () => {
  await expect(new ByteRanges(`${url}whole`, CACHE_BYTES).size()).rejects.toThrow('Status 200');
  const ranges = new ByteRanges(url, CACHE_BYTES);
  await ranges.size();
  stallsAt = 1_000;
  const read = ranges.read(1_000_000, 1_100_000);
  await expect.poll(() => requested.length).toBe(2);
  server.closeAllConnections();
  await expect(read).rejects.toThrow();
  stallsAt = Number.POSITIVE_INFINITY;
  expect(isFile(await ranges.read(1_000_000, 1_100_000), 1_000_000)).toBe(true);
});
