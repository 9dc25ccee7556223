/**
 * Builds the packages for npm and packs them into a folder (default: `packages`), ready to publish. With `--release` it
 * also writes the archive for this platform that runs after unpacking.
 * `npm run pack -- [folder] [--release]`
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { PLATFORM, platformPackage } from './platform-package.ts';
import { writeRelease } from './release.ts';
import { writeSdkPackage } from './sdk-package.ts';
import { writeServerPackage } from './server-package.ts';

const BUILD_MS = 300_000;

const { values, positionals } = parseArgs({ options: { release: { type: 'boolean' } }, allowPositionals: true });
const out = resolve(positionals[0] ?? 'packages');
await mkdir(out, { recursive: true });
const folder = await mkdtemp(join(tmpdir(), 'sightline packages '));
try {
  const server = join(folder, 'server');
  await writeSdkPackage(join(folder, 'sdk'));
  await writeServerPackage(server, AbortSignal.timeout(BUILD_MS));
  // The package for this platform is also one of its own, for the packages of the service that other platforms pack.
  for (const each of [join(folder, 'sdk'), server, join(server, 'node_modules', platformPackage(PLATFORM))]) {
    const { stdout } = await promisify(execFile)('npm', ['pack', each, '--pack-destination', out]);
    console.log(join(out, stdout.trim()));
  }
  if (values.release) console.log(await writeRelease(server, join(folder, 'release'), out));
} finally {
  await rm(folder, { recursive: true, force: true });
}
