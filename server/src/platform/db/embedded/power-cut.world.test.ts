import { execFile } from 'node:child_process';
import { copyFile, mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { createLog } from '#platform/log';
import { startCrashChild } from '#test/database/crash';
import { auditLedger } from '#test/database/ledger';
import { temporaryFolder } from '#test/temporary-folder';
import { startEmbedded } from './index.ts';

/**
 * Simulates a power cut: the database is on a disk image, all writers are frozen, and the image is copied. The copy
 * contains flushed data only.
 */
const ROUNDS = Math.min(inject('crashRounds'), 10);
const DISK_BYTES = 256 * 2 ** 20;
const command = promisify(execFile);
const log = createLog('silent');

/** Mounts a disk image. Returns the function that unmounts it. */
async function mount(image: string): Promise<{ path: string; release: () => Promise<unknown> }> {
  const path = join(await temporaryFolder(), 'disk');
  await mkdir(path);
  await command('mount', ['-o', 'loop', image, path]);
  return { path, release: () => command('umount', ['--lazy', path]) };
}

/** Creates a disk image with a file system, or returns the reason why this user or machine cannot. */
async function makeDisk(): Promise<{ image: string } | { reason: string }> {
  const image = join(await temporaryFolder(), 'disk.img');
  await writeFile(image, '');
  await truncate(image, DISK_BYTES);
  try {
    await command('mkfs.ext4', ['-q', '-F', image], { env: { PATH: `${process.env.PATH}:/sbin:/usr/sbin` } });
    await (await mount(image)).release();
    return { image };
  } catch (error) {
    return { reason: (error as Error).message };
  }
}

test('a power cut while writing: nothing acknowledged is lost', { timeout: ROUNDS * 60_000 }, async () => {
  const disk = await makeDisk();
  if ('reason' in disk) {
    // Only a privileged user may mount, and not in every container. `crash.world.test.ts` tests kills for all users.
    expect(disk.reason).toMatch(/superuser|permi|denied|loop device|ENOENT|unknown filesystem/i);
    return;
  }
  const before = await mount(disk.image);
  const acknowledged: number[] = [];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const child = startCrashChild(join(before.path, 'data', 'db'), 'own', 'write', String(round * 1_000_000));
      await child.ready;
      await expect.poll(() => child.acknowledged.length, { interval: 5 }).toBeGreaterThan(20);
      await sleep(Math.random() * 400);
      child.freeze();
      const copy = join(await temporaryFolder(), 'disk.img');
      await copyFile(disk.image, copy);
      await child.kill('everything');
      acknowledged.push(...child.acknowledged);

      const after = await mount(copy);
      try {
        const server = await startEmbedded({ dir: join(after.path, 'data', 'db'), log, mode: 'own' });
        const found = await auditLedger(server, acknowledged).finally(server.stop);
        expect(found).toMatchObject({ lost: [], torn: [], corrupt: [] });
      } finally {
        await after.release();
      }
    }
  } finally {
    await before.release();
  }
});
