import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll } from 'vitest';
import type { Caller } from '#platform/http/index';
import type { Media } from '#platform/media/index';
import { createSecrets, type Secrets } from '#platform/secrets/index';
import type { ApiClient } from '#test/http';
import { openLibrary, PROBE, type TestLibrary } from '#test/library';
import { createTestMedia } from '#test/media/clips';
import { createPlayback, playbackRoutes } from './index.ts';

/** A library with playback, served over HTTP for each test file that imports this: a video and a key of its owner. */

export let library: TestLibrary;
export let api: ApiClient;
export let secrets: Secrets;
export let me: { key: string; caller: Caller };
export let original: Buffer;
export let videoId: string;
export let media: Media;

beforeAll(async () => {
  library = await openLibrary();
  secrets = createSecrets('s'.repeat(32));
  media = await createTestMedia();
  const playback = createPlayback({ ...library, media, secrets, publicUrl: 'http://public.example' });
  playbackRoutes(library.app, playback);
  api = await library.serve();
  me = await library.keyOf(library.owner, ['read', 'write']);
  original = randomBytes(1_000_000);
  videoId = await add(original, { name: 'Junction – "day" 雪.mp4' });
});
afterAll(async () => {
  library?.app.server.closeAllConnections();
  await library?.close();
  await media?.close();
});

/** Adds a stored video, as after an upload. */
export async function add(bytes: Buffer, more: Parameters<TestLibrary['add']>[1] = {}, probe = PROBE): Promise<string> {
  const id = await library.add(me.caller, more);
  const video = await library.videos.find(id);
  const { size, sha256 } = await library.storage.write(video!.storageKey, bytes);
  await library.database.transaction((trx) => library.videos.markReady(trx, id, { probe, sizeBytes: size, sha256 }));
  return id;
}

/** Adds a clip, as after an upload. */
export const addClip = async (path: string) => add(await readFile(path), {}, await media.probe(path));

export const sign = (id: string, body?: unknown, key = me.key) =>
  api.call('POST', `/api/video/${id}/signed-url`, { key, ...(body === undefined ? {} : { json: body }) });
/** Path and query of a signed URL. */
export const pathOf = (answer: { json: Record<string, unknown> }) =>
  (answer.json.url as string).replace('http://public.example', '');
export async function play(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(api.base + path, { method, headers });
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
}
