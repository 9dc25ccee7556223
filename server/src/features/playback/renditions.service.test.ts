import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createStorage } from '#platform/storage/index';
import { temporaryFolder } from '#test/temporary-folder';
import { removeOldRenditions } from './renditions.ts';

test('clips and segments that were made long ago go, and nothing else', async () => {
  const dir = await temporaryFolder();
  const storage = await createStorage({ kind: 'file', dir }, { dataDir: dir, reserveBytes: 0 });
  const lasting = ['source', 'playback/poster-1.jpg', 'playback/storyboard-1.jpg', 'playback/hls-2.json'];
  const rangeKeys = ['playback/clip-2-0-1500.mp4', 'playback/hls-2-init.mp4', 'playback/hls-2-7.m4s'];
  for (const name of [...lasting, ...rangeKeys]) {
    for (const id of ['old', 'new']) await storage.write(`videos/${id}/${name}`, Buffer.from(name));
    await utimes(join(dir, 'videos', 'old', name), new Date(0), new Date(0));
  }
  const signal = AbortSignal.timeout(10_000);
  expect(await removeOldRenditions(storage, new Date(Date.now() - 60_000), signal)).toBe(rangeKeys.length);
  const left: string[] = [];
  for await (const { key } of storage.list('videos/')) left.push(key);
  const all = [...lasting, ...rangeKeys].map((name) => `videos/new/${name}`);
  expect(left.sort()).toEqual([...all, ...lasting.map((name) => `videos/old/${name}`)].sort());
  await expect(removeOldRenditions(storage, new Date(), AbortSignal.abort(new Error('closing')))).rejects.toThrow(
    'closing',
  );
  await storage.close();
});
