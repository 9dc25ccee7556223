import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll } from 'vitest';
import type { Caller } from '#platform/http/index';
import type { Media } from '#platform/media/index';
import type { Secrets } from '#platform/secrets/index';
import type { ApiClient } from '#test/http';
import { openLibrary, PUBLIC_URL, type TestLibrary } from '#test/library';

/** The service, a video and a key of its owner. */

export let library: TestLibrary;
export let api: ApiClient;
export let secrets: Secrets;
export let me: { key: string; caller: Caller };
export let original: Buffer;
export let videoId: string;
export let media: Media;

/** Opens the library before the tests of a file, and closes it after them. */
export function usePlayback(): void {
  beforeAll(async () => {
    library = await openLibrary();
    ({ api, media, secrets } = library);
    me = await library.keyOf(library.owner, ['read', 'write']);
    original = randomBytes(1_000_000);
    videoId = await add(original, { name: 'Junction – "day" 雪.mp4' });
  });
  afterAll(() => library?.close());
}

/** Adds a stored video, as after an upload. */
export const add = (bytes: Buffer, more?: Parameters<TestLibrary['addStored']>[2]) =>
  library.addStored(me.caller, bytes, more);

/** Adds a clip, as after an upload. */
export const addClip = async (path: string) => add(await readFile(path), { probe: await media.probe(path) });

export const sign = (id: string, body?: unknown, key = me.key) =>
  api.call('POST', `/api/video/${id}/signed-url`, { key, ...(body === undefined ? {} : { json: body }) });
/** Path and query of a signed URL. */
export const pathOf = (answer: { json: Record<string, unknown> }) =>
  (answer.json.url as string).replace(PUBLIC_URL, '');
export async function play(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(api.base + path, { method, headers });
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
}
