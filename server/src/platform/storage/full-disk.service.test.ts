import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { downloadPinnedFile, FETCH_RATE } from '../net/index.ts';
import { createStorage, stageFile } from './index.ts';

const command = promisify(execFile);
const MB = 2 ** 20;

test('a disk that is really full refuses a file in one sentence, keeps nothing of it, and takes it once there is room', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline small disk '));
  const disk = join(folder, 'disk');
  await mkdir(disk);
  const mounted = await command('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk]).catch(
    (error: Error) => error,
  );
  try {
    if (mounted instanceof Error) {
      // Only a privileged user can make a small disk; CI does.
      expect(mounted.message).toMatch(/superuser|permission|permitted|denied/i);
      return;
    }
    const dir = join(disk, 'files');
    const storage = await createStorage({ kind: 'file', dir }, { dataDir: join(folder, 'data'), reserveBytes: 0 });
    await storage.write('live/0', Buffer.alloc(2 * MB, 'a'));
    await writeFile(join(disk, 'ballast'), Buffer.alloc(5 * MB));
    const refused = { code: 'storage_full', status: 507, message: expect.stringMatching(/full/) };
    await expect(storage.write('live/1', Buffer.alloc(3 * MB, 'b'))).rejects.toMatchObject(refused);
    expect(await storage.stat('live/1')).toBeNull();
    expect(await readdir(join(dir, '.partial'))).toEqual([]);
    expect(await storage.stat('live/0')).toMatchObject({ size: 2 * MB });
    const staged = stageFile(join(disk, 'models', 'a'), Readable.from([Buffer.alloc(3 * MB)]), { maxBytes: 4 * MB });
    await expect(staged).rejects.toMatchObject(refused);
    const url = new URL('http://example.com/a');
    const body = () => Readable.from([Buffer.alloc(1 * MB), Buffer.alloc(3 * MB)]);
    const get = async () => ({ status: 200, headers: {}, body: body(), url });
    const pinned = { urls: [url.href], bytes: 4 * MB, sha256: '0'.repeat(64), path: join(disk, 'models', 'a') };
    await expect(downloadPinnedFile({ get, minimumRate: FETCH_RATE }, pinned)).rejects.toMatchObject(refused);
    expect(await readdir(join(disk, 'models'))).toEqual([]);

    await rm(join(disk, 'ballast'));
    await storage.write('live/1', Buffer.alloc(3 * MB, 'b'));
    expect(await storage.stat('live/1')).toMatchObject({ size: 3 * MB });
  } finally {
    if (!(mounted instanceof Error)) await command('umount', [disk]);
    await rmdir(disk);
    await rm(folder, { recursive: true });
  }
});
