import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { sceneClip } from '#test/media/clips';
import { openUploads, type UploadsFixture } from './uploads.fixture.ts';

/** The uploads room and a clip, for each test file that imports this. */

export let desk: UploadsFixture;
export let clip: Buffer;
beforeAll(async () => {
  clip = await readFile(await sceneClip());
  desk = await openUploads();
});
afterAll(() => desk?.close());

export const stored = (id: string) => readFile(join(desk.library.filesDir, 'contents', id, 'source'));
export const status = async (id: unknown) =>
  (await desk.api.call('GET', `/api/video/${id}/status`, { key: desk.me.key })).json;
export const idOf = (answer: { json: Record<string, unknown> }) => answer.json.video_id as string;
