import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { sceneClip } from '#test/media/clips';
import { openUploads, type UploadsFixture } from './uploads.fixture.ts';

/** The service and a clip. */

export let desk: UploadsFixture;
export let clip: Buffer;
/** Opens the service before the tests of a file, and closes it after them. */
export function useUploads(): void {
  beforeAll(async () => {
    clip = await readFile(await sceneClip());
    desk = await openUploads();
  });
  afterAll(() => desk?.close());
}

export const stored = (id: string) => readFile(join(desk.library.filesDir, 'contents', id, 'source'));
export const status = async (id: unknown) =>
  (await desk.api.call('GET', `/api/video/${id}/status`, { key: desk.me.key })).json;
export const idOf = (answer: { json: Record<string, unknown> }) => answer.json.video_id as string;
