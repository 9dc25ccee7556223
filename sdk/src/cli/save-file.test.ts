import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { saveFile } from './save-file.ts';

test('a download that breaks off leaves the earlier file, and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-save-'));
  try {
    const path = join(folder, 'dataset.json');
    await saveFile(new Blob(['whole']).stream(), path);
    const broken = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('ha')),
      pull: (controller) => controller.error(new Error('connection lost')),
    });
    await expect(saveFile(broken, path)).rejects.toThrow('connection lost');
    expect(await readFile(path, 'utf8')).toBe('whole');
    expect(await readdir(folder)).toEqual(['dataset.json']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
