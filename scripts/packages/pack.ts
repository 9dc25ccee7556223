/**
 * Builds the packages for npm and packs them into a folder (default: `packages`), ready to publish.
 * `npm run pack -- [folder]`
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { writeSdkPackage } from './sdk-package.ts';
import { writeServerPackage } from './server-package.ts';

const BUILD_MS = 300_000;

const out = resolve(process.argv[2] ?? 'packages');
await mkdir(out, { recursive: true });
const folder = await mkdtemp(join(tmpdir(), 'sightline packages '));
try {
  await writeSdkPackage(join(folder, 'sdk'));
  await writeServerPackage(join(folder, 'server'), AbortSignal.timeout(BUILD_MS));
  for (const name of ['sdk', 'server']) {
    const { stdout } = await promisify(execFile)('npm', ['pack', join(folder, name), '--pack-destination', out]);
    console.log(join(out, stdout.trim()));
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
