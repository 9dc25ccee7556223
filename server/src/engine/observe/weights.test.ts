import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '#platform/log';
import { createWeights, type WeightsSource } from './weights.ts';

const log = createLog('silent');
const content = Buffer.alloc(300_000, 'weights');
const sha256 = createHash('sha256').update(content).digest('hex');
const closing: (() => unknown)[] = [];
let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'weights-'));
  closing.push(() => rm(dir, { recursive: true }));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Serves on a free port; counts the requests. */
async function serve(listener: RequestListener): Promise<{ source: WeightsSource; requests: () => number }> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    source: { url: `http://127.0.0.1:${port}/w.onnx`, sha256, bytes: content.length },
    requests: () => requests,
  };
}

const reason = (found: object) =>
  'unavailable' in found ? String(found.unavailable) : expect.fail('weights were found');

test('weights are downloaded once with progress, then found in the folder', async () => {
  const { source, requests } = await serve((_, response) => response.end(content));
  const progress: number[] = [];
  const models = join(dir, 'new', 'models');
  const weights = createWeights({
    dir: models,
    download: true,
    log,
    source,
    onProgress: (done) => progress.push(done),
  });
  const [first, second] = await Promise.all([weights.find(), weights.find()]);
  expect(first).toEqual({ path: join(models, 'yolox_nano.onnx'), name: 'yolox_nano', digest: sha256 });
  expect(second).toEqual(first);
  expect(progress.at(-1)).toBe(1);
  await weights.find();
  expect(requests()).toBe(1);
  expect(await readFile(join(models, 'yolox_nano.onnx'))).toEqual(content);
  expect(await readdir(models)).toEqual(['yolox_nano.onnx']);
});

test.for<[string, RequestListener, string]>([
  ['another file', (_, response) => response.end(Buffer.alloc(300_000, 'other')), 'is not the published one'],
  ['a file that is too large', (_, response) => response.end(Buffer.alloc(400_000)), 'larger than the published one'],
  ['an error', (_, response) => response.writeHead(404).end(), 'the server returned 404'],
  [
    'an incomplete file',
    (_, response) =>
      response
        .writeHead(200, { 'content-length': content.length })
        .write(content.subarray(0, 9), () => response.destroy()),
    'could not be downloaded',
  ],
])('%s is rejected, deleted and not requested again at once', async ([, listener, why]) => {
  const { source, requests } = await serve(listener);
  const weights = createWeights({ dir, download: true, log, source });
  expect(reason(await weights.find())).toContain(why);
  expect(reason(await weights.find())).toContain(`save it as ${join(dir, 'yolox_nano.onnx')}.`);
  expect(requests()).toBe(1);
  expect(await readdir(dir)).toEqual([]);
});

test('a missing network is reported at once', async () => {
  const { source } = await serve(() => {});
  await closing.pop()!();
  const started = performance.now();
  const found = await createWeights({ dir, download: true, log, source }).find();
  expect(reason(found)).toMatch(/could not be downloaded \(the connection was refused\)/);
  // The reason has all that is needed to add the file by hand.
  for (const part of [source.url, sha256, '300000 bytes', join(dir, 'yolox_nano.onnx')])
    expect(reason(found)).toContain(part);
  expect(performance.now() - started).toBeLessThan(3_000);
});

test('a server that does not respond is given up after five seconds', async () => {
  const { source } = await serve(() => {});
  const started = performance.now();
  expect(reason(await createWeights({ dir, download: true, log, source }).find())).toContain('no response within 5 s');
  expect(performance.now() - started).toBeLessThan(8_000);
});

test('a file in the folder is used, the larger model first, and read again when it changes', async () => {
  const weights = createWeights({ dir, download: false, log });
  expect(reason(await weights.find())).toContain('turned off');
  await writeFile(join(dir, 'yolox_nano.onnx'), 'nano');
  expect(await weights.find()).toMatchObject({ name: 'yolox_nano' });
  await writeFile(join(dir, 'yolox_tiny.onnx'), 'tiny');
  const before = await weights.find();
  await writeFile(join(dir, 'yolox_tiny.onnx'), 'another');
  const after = await weights.find();
  expect([before, after]).toMatchObject([{ name: 'yolox_tiny' }, { name: 'yolox_tiny' }]);
  expect(after).not.toEqual(before);
});
