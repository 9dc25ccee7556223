import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sceneClip } from '../server/test/media/clips.ts';
import { until } from './harness/processes.ts';
import { KEY, makeFolder, type Service, startService, storedFiles } from './harness/service.ts';

/** Resumable uploads by the tus protocol, across crashes of the client and of the service. */
const TUS = { 'tus-resumable': '1.0.0' };
let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Service;
beforeAll(async () => {
  folder = await makeFolder();
  const env = { SIGHTLINE_MEDIA_PROCESSES: '1', SIGHTLINE_MODELS_DIR: `${folder.path}/data/models` };
  service = await startService(`${folder.path}/data`, { env });
});
afterAll(async () => {
  await service?.stop();
  await folder?.remove();
});

test('client and service are killed during an upload, and the stored file is identical', async () => {
  const bytes = await readFile(await sceneClip());
  const third = Math.floor(bytes.length / 3);
  const created = await service.call('POST', '/api/uploads', {
    headers: { ...TUS, 'upload-length': String(bytes.length), 'upload-metadata': `filename ${btoa('ride.mp4')}` },
  });
  const path = String(created.headers.get('location'));
  const id = path.split('/').at(-1);
  const offset = async () =>
    Number((await service.call('HEAD', path, { headers: TUS })).headers.get('upload-offset') ?? Number.NaN);

  // The client disconnects in the middle of a part; the bytes that it sent are stored.
  const leaving = new AbortController();
  const disconnected = send(path, 0, bytes.subarray(0, third), leaving.signal);
  await until(async () => (await storedFiles(service)).some((name) => name.startsWith('.partial')), 'the first bytes');
  leaving.abort();
  await until(async () => (await offset()) > 0, 'the piece to be stored');
  expect(await disconnected).toBe('broken off');
  const first = await offset();
  expect(first).toBeLessThanOrEqual(third);

  // The service crashes in the middle of the next part; the acknowledged bytes are stored.
  const hanging = send(path, first, bytes.subarray(first, 2 * third));
  const drafted = async () => {
    const [name] = (await storedFiles(service)).filter((file) => file.startsWith('.partial'));
    return (await stat(join(service.dataDir, 'files', name!))).size;
  };
  await until(async () => (await drafted()) > first, 'some of the next piece');
  await service.kill();
  expect(await hanging).toBe('broken off');
  service = await startService(service.dataDir, { env: service.env });
  const stored = await offset();
  expect(stored).toBeGreaterThanOrEqual(first);

  const rest = await service.call('PATCH', path, {
    headers: { ...TUS, 'upload-offset': String(stored), 'content-type': 'application/offset+octet-stream' },
    body: bytes.subarray(stored) as Uint8Array<ArrayBuffer>,
  });
  expect([rest.status, rest.headers.get('upload-offset')]).toEqual([204, String(bytes.length)]);
  const video = () => service.call('GET', `/api/video/${id}/status`);
  await until(async () => (await video()).json.status === 'uploaded', 'the video');
  const { metadata } = (await video()).json as { metadata: Record<string, unknown> };
  expect(metadata.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect((await storedFiles(service)).filter((name) => name.startsWith('.partial'))).toEqual([]);
}, 120_000);

/** Sends a part that never ends. */
async function send(path: string, offset: number, bytes: Uint8Array, signal?: AbortSignal): Promise<string> {
  const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(bytes) });
  const type = 'application/offset+octet-stream';
  const headers = { ...TUS, 'x-api-key': KEY, 'upload-offset': String(offset), 'content-type': type };
  const request = { method: 'PATCH', headers, body, signal, duplex: 'half' };
  return fetch(service.url + path, request as RequestInit).then(
    (answer) => `answered with ${answer.status}`,
    () => 'broken off',
  );
}
