import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Media } from '#platform/media/index';
import type { ApiClient } from '#test/http';
import { openLibrary, PUBLIC_URL, type TestLibrary } from '#test/library';
import { sceneClip } from '#test/media/clips';

/** Planning of segments before playback, and the limit of concurrent plans. */
const LARGE = 2 ** 30;
let library: TestLibrary;
let media: Media;
let api: ApiClient;
let key: string;
let clip: Buffer;

beforeAll(async () => {
  library = await openLibrary({}, { worker: true });
  ({ api, media } = library);
  key = (await library.keyOf(library.owner, ['read', 'write'])).key;
  clip = await readFile(await sceneClip());
});
afterAll(() => library?.close());

/** Adds a ready video with this claimed size. */
async function add(sizeBytes: number): Promise<string> {
  const id = await library.add(library.owner);
  const { storageKey } = (await library.videos.find(id))!;
  const { sha256 } = await library.storage.write(storageKey, clip);
  const facts = { probe: await media.probe(await sceneClip()), sizeBytes, sha256 };
  await library.database.transaction((trx) => library.videos.markReady(trx, id, facts));
  return id;
}

async function ask(id: string, kind: 'hls' | 'poster') {
  const { json } = await api.call('POST', `/api/video/${id}/signed-url`, { key, json: { kind } });
  const response = await fetch(String(json.url).replace(PUBLIC_URL, api.base));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test('a large video is indexed after its upload, so that no player waits for that; a small one when it is played', async () => {
  const look = vi.spyOn(media, 'planSegments');
  const send = vi.spyOn(library.jobs, 'send');
  const small = await add(1_000);
  expect(send).not.toHaveBeenCalled();
  const large = await add(LARGE);
  const planOf = (id: string) => library.storage.stat(`videos/${id}/playback/hls-2.json`);
  await vi.waitFor(async () => expect(await planOf(large)).not.toBeNull(), { timeout: 30_000, interval: 50 });
  expect(look).toHaveBeenCalledTimes(1);
  expect([(await ask(large, 'hls')).status, look.mock.calls.length]).toEqual([200, 1]);
  expect([(await ask(small, 'hls')).status, look.mock.calls.length]).toEqual([200, 2]);
  vi.restoreAllMocks();
});

test('requests beyond the indexing capacity get 503 with Retry-After; queued requests and images continue', async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, () => add(1_000)));
  const { promise: turn, resolve: next } = Promise.withResolvers<void>();
  const real = media.planSegments;
  const look = vi.spyOn(media, 'planSegments').mockImplementation(async (path, options) => {
    await turn;
    return real(path, options);
  });
  const inLine = ids.slice(0, 4).map((id) => ask(id, 'hls'));
  await vi.waitFor(() => expect(look).toHaveBeenCalledTimes(4), { timeout: 30_000, interval: 20 });
  const refused = await ask(ids[4]!, 'hls');
  expect([refused.status, JSON.parse(refused.text).error]).toEqual([503, 'playback_busy']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  // Further requests for a video that is being planned are not limited.
  const another = ask(ids[0]!, 'hls');
  expect((await ask(ids[4]!, 'poster')).status).toBe(200);
  next();
  for (const { status } of await Promise.all([...inLine, another])) expect(status).toBe(200);
  expect((await ask(ids[4]!, 'hls')).status).toBe(200);
  vi.restoreAllMocks();
});
