import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openKept } from './kept.ts';

test('uploads that are begun and ended at the same time are all known to be taken up again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline kept '));
  try {
    const kept = openKept({ XDG_CONFIG_HOME: folder });
    const files = Array.from({ length: 8 }, (_, i) => `file-${i}`);
    await Promise.all(files.map((file) => kept.keepUpload(file, `id of ${file}`)));
    await Promise.all(files.slice(4).map((file) => kept.forgetUpload(file)));
    const known = await Promise.all(files.map((file) => kept.upload(file)));
    expect(known).toEqual([...files.slice(0, 4).map((file) => `id of ${file}`), ...Array(4).fill(undefined)]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
