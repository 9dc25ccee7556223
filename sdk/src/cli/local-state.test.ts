import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLocalState } from './local-state.ts';

test('concurrent changes of uploads are all stored', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline state '));
  try {
    const state = openLocalState({ XDG_CONFIG_HOME: folder });
    const files = Array.from({ length: 8 }, (_, i) => `file-${i}`);
    await Promise.all(files.map((file) => state.saveUpload(file, `id of ${file}`)));
    await Promise.all(files.slice(4).map((file) => state.deleteUpload(file)));
    const known = await Promise.all(files.map((file) => state.upload(file)));
    expect(known).toEqual([...files.slice(0, 4).map((file) => `id of ${file}`), ...Array(4).fill(undefined)]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
