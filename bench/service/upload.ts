/**
 * One large file in and out, against plain streams on the same disk in the same process and run: an upload of 1 GB by
 * `POST /api/upload-video` against an HTTP server that pipes its body to a file, with the growth of memory; ranges of
 * the video by its signed URL against an HTTP server that pipes them from the file.
 * `npm run bench -- upload [MB]`
 */
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sceneClip } from '../../server/test/media/clips.ts';
import { interleave, median, timed } from '../lib/measure.ts';
import { type BenchmarkService, startService } from '../lib/service.ts';
import type { BenchmarkRow } from '../run.ts';

const ROUNDS = 3;
const RANGES = 16;
const RANGE_BYTES = 8 * 2 ** 20;
const BOUNDARY = 'bench';
const MB = 2 ** 20;

export async function run([megabytes = '1024']: string[]): Promise<BenchmarkRow[]> {
  const size = Number(megabytes) * MB;
  const service = await startService();
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-'));
  const plain = await startPlain(join(folder, 'plain'));
  const clip = await readFile(await sceneClip());
  let video = '';
  let growth = 0;
  try {
    const upload = async () => {
      if (video) await call(service, 'DELETE', `/api/video/${video}?erase=true`);
      const watch = watchMemory();
      const started = performance.now();
      video = await sendForm(service, clip, size);
      const seconds = (performance.now() - started) / 1000;
      growth = Math.max(growth, watch.end());
      return size / MB / seconds;
    };
    const stream = async () => size / MB / ((await timed(() => post(plain.base, {}, enlarged(clip, size)))) / 1000);
    const rates = await interleave(ROUNDS, { stream, upload });
    const url = String((await call(service, 'POST', `/api/video/${video}/signed-url`)).url);
    const read = (from: string) => async () =>
      (RANGES * RANGE_BYTES) / MB / ((await timed(() => readRanges(from, size))) / 1000);
    const reads = await interleave(2 * ROUNDS, { plain: read(plain.base), signed: read(url) });
    const ratio = (a: number[], b: number[]) => median(a.map((value, round) => value / b[round]!));
    return [
      { name: `upload of ${megabytes} MB`, value: median(rates.upload), unit: 'MB/s' },
      {
        name: 'upload against a plain stream to the same disk',
        value: ratio(rates.upload, rates.stream),
        unit: '×',
        bar: { min: 0.7 },
        note: `plain: ${median(rates.stream).toFixed(0)} MB/s`,
      },
      { name: 'growth of memory in an upload, client and service', value: growth / MB, unit: 'MB', bar: { max: 150 } },
      {
        name: 'ranges by the signed URL against plain streams from the same disk',
        value: ratio(reads.signed, reads.plain),
        unit: '×',
        bar: { min: 0.8 },
        note: `${median(reads.signed).toFixed(0)} against ${median(reads.plain).toFixed(0)} MB/s`,
      },
    ];
  } finally {
    plain.server.close();
    plain.server.closeAllConnections();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The clip, enlarged to the requested size by a box that players skip. */
function* enlarged(clip: Buffer, size: number): Generator<Buffer> {
  yield clip;
  const padding = Buffer.alloc(16);
  padding.writeUInt32BE(1);
  padding.write('free', 4);
  padding.writeBigUInt64BE(BigInt(size - clip.length), 8);
  yield padding;
  const piece = Buffer.alloc(MB);
  for (let left = size - clip.length - 16; left > 0; left -= MB) yield piece.subarray(0, left);
}

function* form(clip: Buffer, size: number): Generator<Buffer> {
  const part = (head: string) => Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`);
  yield part('name="source"');
  yield Buffer.from('file\r\n');
  yield part('name="file"; filename="large.mp4"');
  yield* enlarged(clip, size);
  yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
}

async function sendForm({ baseUrl, apiKey }: BenchmarkService, clip: Buffer, size: number): Promise<string> {
  const headers = { 'x-api-key': apiKey, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const answer = JSON.parse(await post(`${baseUrl}/api/upload-video`, headers, form(clip, size)));
  if (answer.status !== 'uploaded') throw new Error(`the upload was refused: ${answer.message}`);
  return answer.video_id;
}

async function post(url: string, headers: Record<string, string>, body: Generator<Buffer>): Promise<string> {
  const sent = request(url, { method: 'POST', headers });
  const answered = once(sent, 'response');
  await pipeline(Readable.from(body), sent);
  const [answer] = await answered;
  return Buffer.concat(await answer.toArray()).toString();
}

async function call(
  { baseUrl, apiKey }: BenchmarkService,
  method: string,
  path: string,
): Promise<Record<string, unknown>> {
  const answer = await fetch(baseUrl + path, { method, headers: { 'x-api-key': apiKey } });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Record<string, unknown>;
}

/** Reads ranges from all over the file to their end. */
async function readRanges(url: string, size: number): Promise<void> {
  for (let i = 0; i < RANGES; i++) {
    const start = Math.floor(((size - RANGE_BYTES) * i) / RANGES);
    const sent = request(url, { headers: { range: `bytes=${start}-${start + RANGE_BYTES - 1}` } });
    sent.end();
    const [answer] = await once(sent, 'response');
    let came = 0;
    for await (const chunk of answer) came += chunk.length;
    if (answer.statusCode !== 206 || came !== RANGE_BYTES) throw new Error(`${answer.statusCode}: ${came} bytes`);
  }
}

/** A server that only streams: a body to the file, flushed to disk; a range from it. */
async function startPlain(path: string): Promise<{ base: string; server: Server }> {
  const server = createServer(async (incoming, answer) => {
    if (incoming.method === 'POST') {
      await pipeline(incoming, createWriteStream(path, { flush: true }));
      return answer.end();
    }
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(incoming.headers.range!)!;
    answer.writeHead(206);
    await pipeline(createReadStream(path, { start: Number(start), end: Number(end) }), answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

/** Measures the growth of resident memory of this process from now on. */
function watchMemory() {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 50);
  return {
    end() {
      clearInterval(timer);
      return most - before;
    },
  };
}
