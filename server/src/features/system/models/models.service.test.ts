import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSightline } from '@sightline/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CATALOG, isPinned, type ModelEntry } from '#engine/index';
import { startTestNode, type TestNode } from '#test/app';
import { nextMessage } from '#test/child-messages';
import { openLibrary, type TestLibrary } from '#test/library';
import { rawDetrModel } from '../../../engine/observe/objects/detector/detr-model.fixture.ts';
import { constantModel } from '../../../engine/observe/objects/detector/model.fixture.ts';
import type { Model } from './schema.ts';

const WEIGHTS = constantModel({ className: 'person', score: 0.8 });
const HALF = Math.floor(WEIGHTS.length / 2);
const OWN = constantModel({ className: 'car', score: 0.8 });
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** The detectors, with files that tests can make. */
const catalog = CATALOG.filter(({ task }) => task === 'objects').map(
  (model): ModelEntry =>
    isPinned(model.files[0]) && !model.isFallback
      ? { ...model, files: [{ ...model.files[0], bytes: WEIGHTS.length, sha256: digest(WEIGHTS) }] }
      : model,
);
const sendWeights: RequestListener = (request, response) => {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const range = { 'content-range': `bytes ${from}-${WEIGHTS.length - 1}/${WEIGHTS.length}` };
  response
    .writeHead(from > 0 ? 206 : 200, { 'content-length': WEIGHTS.length - from, ...(from > 0 ? range : {}) })
    .end(WEIGHTS.subarray(from));
};
/** Sends the first half of the file, then nothing. */
const stall: RequestListener = (request, response) => {
  if (request.headers.range) return sendWeights(request, response);
  response.writeHead(200, { 'content-length': WEIGHTS.length }).write(WEIGHTS.subarray(0, HALF));
};

let publisher: Server;
let publish: RequestListener = sendWeights;
let ranges: (string | undefined)[];
let folder: string;
let env: Record<string, string>;
let library: TestLibrary;
/** Another node of the same service, with a models folder of its own. */
let other: TestNode;
let admin: string;
let otherAdmin: string;

beforeAll(async () => {
  publisher = createServer((request, response) => {
    ranges.push(request.headers.range);
    publish(request, response);
  });
  ranges = [];
  await new Promise<void>((resolve) => publisher.listen(0, '127.0.0.1', resolve));
  folder = await mkdtemp(join(tmpdir(), 'models '));
  env = {
    SIGHTLINE_MODELS_DOWNLOAD: 'true',
    SIGHTLINE_MODELS_URL: `http://127.0.0.1:${(publisher.address() as AddressInfo).port}/models/`,
  };
  library = await openLibrary(
    { ...env, SIGHTLINE_MODELS_DIR: join(folder, 'a') },
    { worker: true, overrides: { catalog } },
  );
  const overrides = { catalog };
  other = await startTestNode(
    { ...library.env, SIGHTLINE_MODELS_DIR: join(folder, 'b') },
    { roles: { api: true, worker: false }, overrides },
  );
  admin = (await library.keyOf(library.owner, ['admin'])).key;
  otherAdmin = (await library.keyOf(await library.addUser(), ['admin'])).key;
});
afterAll(async () => {
  await other?.close();
  await library?.close();
  publisher?.closeAllConnections();
  publisher?.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  publisher.closeAllConnections();
  publish = sendWeights;
  ranges = [];
});

const PATH = '/api/system/models';
/** Files in a models folder, besides those that are converted from packages. */
const filesIn = async (dir: string) => (await readdir(dir)).filter((name) => name !== 'converted');
type Wire = Pick<Model, 'name' | 'status' | 'verified' | 'problem'> & { bytes_done: number };
const call = async (method: string, path: string, options: object = {}, node: { api: TestNode['api'] } = library) =>
  node.api.call(method, path, { key: admin, ...options });
const nano = async (node: { api: TestNode['api'] } = library) =>
  ((await call('GET', PATH, {}, node)).json.models as Wire[]).find(({ name }) => name === 'yolox_nano')!;
const download = (key = admin) => call('POST', PATH, { key, json: { name: 'yolox_nano' } });
const provide = (bytes: Buffer, { key = admin, query = '' } = {}) =>
  call('PUT', `${PATH}/yolox_nano/files/yolox_nano.onnx${query}`, {
    key,
    body: bytes,
    headers: { 'content-type': 'application/octet-stream' },
  });
const remove = (key = admin) => call('DELETE', `${PATH}/yolox_nano`, { key });
const ended = () => expect.poll(async () => (await nano()).status).not.toBe('downloading');
const objects = async (node: { api: TestNode['api'] } = library) => {
  const { json } = await call('GET', '/api/system', {}, node);
  return (json.observers as { kind: string; available: boolean; version: string }[]).find(
    ({ kind }) => kind === 'objects',
  )!;
};

test('the default is downloaded on the first start, and used by every node without a restart', async () => {
  await ended();
  expect(await nano()).toMatchObject({ status: 'ready', verified: true, problem: null });
  expect(await objects()).toMatchObject({
    available: true,
    version: expect.stringContaining(digest(WEIGHTS).slice(0, 12)),
  });
  expect(await nano(other)).toMatchObject({ status: 'ready', verified: true });
  expect(await objects(other)).toMatchObject({ available: true });
  expect(await filesIn(join(folder, 'b'))).toEqual(['yolox_nano.onnx']);
  const { json } = await call('GET', `${PATH}`);
  expect(json.downloads_allowed).toBe(true);
  expect((json.models as Wire[]).map(({ name, status }) => [name, status])).toEqual([
    ['yolox_nano', 'ready'],
    ['yolox_tiny', 'missing'],
    ['yolox_s', 'missing'],
    ['dfine_n', 'missing'],
    // It comes with the installation, and has not kept the default one from being downloaded.
    ['ssd_mobilenet_v2', 'ready'],
  ]);
  // A file without a known checksum is not downloaded, not even from a mirror.
  const { status, json: refused } = await call('POST', PATH, { json: { name: 'dfine_n' } });
  expect([status, refused.error]).toEqual([409, 'model_not_published']);
});

test('only administrators see and change models', async () => {
  const { key } = await library.keyOf(await library.addUser(library.owner.orgId), ['read', 'write']);
  for (const [method, path] of [
    ['GET', PATH],
    ['POST', PATH],
    ['POST', `${PATH}/yolox_nano/cancel`],
    ['DELETE', `${PATH}/yolox_nano`],
    ['PUT', `${PATH}/yolox_nano/files/yolox_nano.onnx`],
  ] as const) {
    expect(await call(method, path, { key })).toMatchObject({ status: 403, json: { error: 'scope_missing' } });
  }
});

test('only administrators of the first organization change models, which all organizations use', async () => {
  const body = { body: WEIGHTS, headers: { 'content-type': 'application/octet-stream' } };
  for (const [method, path, request] of [
    ['POST', PATH, { json: { name: 'yolox_nano' } }],
    ['POST', PATH, { json: { name: 'yolox_tiny' } }],
    ['POST', `${PATH}/yolox_nano/cancel`, {}],
    ['DELETE', `${PATH}/yolox_nano`, {}],
    ['PUT', `${PATH}/yolox_nano/files/yolox_nano.onnx`, body],
  ] as const) {
    expect(await call(method, path, { key: otherAdmin, ...request }), `${method} ${path}`).toMatchObject({
      status: 403,
      json: { error: 'operator_needed' },
    });
  }
  expect((await call('GET', PATH, { key: otherAdmin })).status).toBe(200);
});

test('a removed model is missing on all nodes, until one is put into a folder', async () => {
  expect((await remove()).json).toMatchObject({ status: 'missing', verified: null });
  expect(await objects()).toMatchObject({ available: false });
  expect(await objects(other)).toMatchObject({ available: false });
  expect(await filesIn(join(folder, 'a'))).toEqual([]);
  await writeFile(join(folder, 'b', 'yolox_nano.onnx'), OWN);
  expect(await nano(other)).toMatchObject({ status: 'ready', verified: false });
  expect(await objects(other)).toMatchObject({
    available: true,
    version: expect.stringContaining(digest(OWN).slice(0, 12)),
  });
  expect(await objects()).toMatchObject({ available: false });
  await remove();
});

test('a download shows its progress, can be canceled, and continues', async () => {
  publish = stall;
  expect((await download()).json).toMatchObject({ status: 'downloading' });
  await expect.poll(async () => (await nano(other)).bytes_done).toBe(HALF);
  expect((await download()).json).toMatchObject({ status: 'downloading', bytes_done: HALF });
  expect(ranges).toEqual([undefined]);
  expect((await call('POST', `${PATH}/yolox_nano/cancel`)).json).toMatchObject({ status: 'canceled', bytes_done: 0 });
  await expect.poll(async () => filesIn(join(folder, 'a'))).toEqual([expect.stringMatching(/\.partial$/)]);
  expect((await nano()).status).toBe('canceled');
  await download();
  await ended();
  expect(await nano(other)).toMatchObject({ status: 'ready', verified: true });
  expect(ranges).toEqual([undefined, `bytes=${HALF}-`]);
  const { json } = await call('GET', '/api/audit-events');
  type Entry = { action: string; outcome: string; subject_id: string; user_id: string | null };
  const actions = (json.events as Entry[]).filter(
    ({ subject_id, outcome }) => subject_id === 'yolox_nano' && outcome === 'succeeded',
  );
  expect(actions.map(({ action }) => action)).toEqual([
    'model.download_started',
    'model.download_canceled',
    'model.download_started',
    'model.removed',
    'model.removed',
    'model.download_started',
  ]);
  expect(actions.map(({ user_id }) => user_id)).toEqual([...Array(5).fill(library.owner.userId), null]);
});

test.for<[string, RequestListener, string, string]>([
  ['another file', (_, response) => response.end(OWN), 'fetch_wrong_file', 'published one'],
  ['nothing', (_, response) => response.writeHead(404).end(), 'fetch_refused', 'returned status 404'],
  [
    'a way into the private network',
    (_, response) => response.writeHead(302, { location: 'http://192.168.1.1/' }).end(),
    'fetch_address_refused',
    'not a public address',
  ],
])('a publisher that offers %s fails the download with a sentence', async ([, listener, code, sentence]) => {
  await remove();
  publish = listener;
  await download();
  await ended();
  expect(await nano()).toMatchObject({
    status: 'failed',
    problem: { code, message: expect.stringContaining(sentence) },
  });
  expect(await filesIn(join(folder, 'a'))).toEqual([]);
  publish = sendWeights;
  await download();
  await ended();
  expect(await nano()).toMatchObject({ status: 'ready', problem: null });
});

describe('a provided file', () => {
  test('is used at once on all nodes, also if it is not the published one', async () => {
    await remove();
    expect((await provide(WEIGHTS)).json).toMatchObject({ status: 'ready', verified: true });
    expect((await provide(OWN)).json).toMatchObject({ status: 'ready', verified: false });
    const version = expect.stringContaining(digest(OWN).slice(0, 12));
    expect(await objects()).toMatchObject({ available: true, version });
    expect(await objects(other)).toMatchObject({ available: true, version });
    await download();
    await ended();
    expect(await nano(other)).toMatchObject({ status: 'ready', verified: true });
    expect(await objects(other)).toMatchObject({ version: expect.stringContaining(digest(WEIGHTS).slice(0, 12)) });
  });

  test('that does not work, or is not what was stated, changes nothing', async () => {
    const rows = constantModel({ className: 'car', score: 1, rows: 10 });
    for (const [bytes, query, error, message] of [
      [Buffer.from('no model'), '', 'model_unusable', 'cannot use this file: '],
      [rows, '', 'model_unusable', '850 numbers'],
      [Buffer.alloc(0), '', 'model_unusable', ''],
      [OWN, `?sha256=${digest(WEIGHTS)}`, 'model_digest_mismatch', ''],
    ] as const) {
      expect(await provide(bytes, { query })).toMatchObject({
        status: 400,
        json: { error, message: expect.stringContaining(message) },
      });
    }
    expect(await nano()).toMatchObject({ status: 'ready', verified: true });
    expect(await objects()).toMatchObject({ available: true });
    expect(await filesIn(join(folder, 'a'))).toEqual(['yolox_nano.onnx']);
  });

  test('of an unknown model or name is refused', async () => {
    const send = { body: WEIGHTS, headers: { 'content-type': 'application/octet-stream' } };
    expect((await call('PUT', `${PATH}/nothing/files/a`, send)).json.error).toBe('model_not_found');
    expect((await call('PUT', `${PATH}/yolox_nano/files/..%2fa`, send)).json.error).toBe('model_file_not_found');
    expect((await call('POST', PATH, { json: { name: 'nothing' } })).json.error).toBe('model_not_found');
  });
});

test('the client downloads a model, reports its progress and failure, and provides a file', async () => {
  await remove();
  const client = createSightline({ baseUrl: library.api.base, apiKey: admin });
  const seen: string[] = [];
  const onAnswer = ({ status }: { status: string }) => seen.push(status);
  expect(await client.downloadModel('yolox_nano', { onAnswer })).toMatchObject({ status: 'ready', verified: true });
  expect(seen.at(-1)).toBe('ready');
  await remove();
  publish = (_, response) => response.writeHead(404).end();
  await expect(client.downloadModel('yolox_nano')).rejects.toMatchObject({ code: 'fetch_refused' });
  const own = new Blob([OWN as Uint8Array<ArrayBuffer>]);
  const provided = await client.provideModelFile('yolox_nano', 'yolox_nano.onnx', own);
  expect(provided).toMatchObject({ status: 'ready', verified: false });
  await expect(client.provideModelFile('yolox_nano', 'none', own)).rejects.toMatchObject({
    code: 'model_file_not_found',
  });
});

test('the operator can turn downloads off', async () => {
  await remove();
  const off = await startTestNode(
    { ...library.env, SIGHTLINE_MODELS_DOWNLOAD: 'false' },
    { roles: { api: true, worker: false }, overrides: { catalog } },
  );
  try {
    const refused = await off.api.call('POST', PATH, { key: admin, json: { name: 'yolox_nano' } });
    expect(refused).toMatchObject({ status: 409, json: { error: 'model_download_off' } });
    expect((await off.api.call('GET', PATH, { key: admin })).json.downloads_allowed).toBe(false);
  } finally {
    await off.close();
  }
});

test('a download whose worker is killed is continued by the next one', async () => {
  const service = await openLibrary({ ...env, SIGHTLINE_MODELS_DIR: join(folder, 'c') }, { overrides: { catalog } });
  const workers: ChildProcess[] = [];
  const spawn = async () => {
    const args = [service.env, catalog].map((value) => JSON.stringify(value));
    const child = fork(new URL('worker.fixture.ts', import.meta.url), args, { execArgv: [] });
    workers.push(child);
    await nextMessage(child);
    return child;
  };
  try {
    const { key } = await service.keyOf(service.owner, ['admin']);
    const state = async () => {
      const { json } = await service.api.call('GET', PATH, { key });
      return (json.models as Wire[]).find(({ name }) => name === 'yolox_nano')!;
    };
    publish = stall;
    // The first worker starts the download of the default.
    const first = await spawn();
    await expect.poll(async () => (await state()).bytes_done).toBe(HALF);
    first.kill('SIGKILL');
    await once(first, 'exit');
    await spawn();
    await expect.poll(async () => (await state()).status, { timeout: 60_000 }).toBe('ready');
    expect(ranges).toEqual([undefined, `bytes=${HALF}-`]);
  } finally {
    for (const each of workers) each.kill('SIGKILL');
    await service.close();
  }
});

test('a model that is not published for download is listed with its license, and refused until a file is uploaded', async () => {
  const { SIGHTLINE_MODELS_URL: _, ...withoutMirror } = env;
  const own = { SIGHTLINE_MODELS_DOWNLOAD: 'false', SIGHTLINE_MODELS_DIR: join(folder, 'd') };
  const service = await openLibrary({ ...withoutMirror, ...own });
  try {
    const { key } = await service.keyOf(service.owner, ['admin', 'read']);
    const json = { name: 'yamnet' };
    expect((await service.api.call('POST', PATH, { key, json })).json).toMatchObject({ error: 'model_not_published' });
    const { json: listed } = await service.api.call('GET', PATH, { key });
    const model = (listed.models as (Wire & { task: string; files: object[] })[]).find(({ name }) => name === 'yamnet');
    expect(model).toMatchObject({ task: 'sounds', status: 'missing', files: [{ name: 'yamnet.onnx', urls: [] }] });
    const { json: system } = await service.api.call('GET', '/api/system', { key });
    expect(system.models).toContainEqual({
      name: 'yamnet',
      title: 'YAMNet',
      task: 'sounds',
      license: { name: 'Apache-2.0', url: expect.stringMatching(/^https:/) },
    });
    expect(system.observers).toContainEqual(
      expect.objectContaining({ kind: 'sounds', available: false, reason: expect.stringContaining('yamnet.onnx') }),
    );
    // The detector's file is an ONNX model too, of another shape.
    const upload = await service.api.call('PUT', `${PATH}/yamnet/files/yamnet.onnx`, {
      key,
      body: WEIGHTS,
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect(upload.json).toMatchObject({ error: 'model_unusable' });

    // No checksum of this one is known: any file that works is taken, with a warning.
    const put = (body: Buffer) =>
      service.api.call('PUT', `${PATH}/dfine_n/files/dfine_n.onnx`, {
        key,
        body,
        headers: { 'content-type': 'application/octet-stream' },
      });
    expect((await put(WEIGHTS)).json).toMatchObject({ error: 'model_unusable' });
    const provided = rawDetrModel({ side: 640 });
    expect((await put(provided)).json).toMatchObject({
      status: 'ready',
      verified: false,
      files: [{ sha256: '', installed_sha256: digest(provided), urls: [] }],
    });
  } finally {
    await service.close();
  }
});
