import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeServerPackage } from '../../scripts/packages/server-package.ts';
import { digestFiles } from '../../server/src/features/console/sources.ts';
import { REPOSITORY } from './repository.ts';

const BUILDS = join(REPOSITORY, 'server/dist');
const INPUTS = ['server/src', 'server/migrations', 'sdk/src', 'web/src', 'scripts/packages', 'package-lock.json'];
const BUILD_MS = 300_000;

/**
 * The service as its package contains it: what users install, and what starts in half the time of the sources. Rebuilt
 * when its sources changed; appears whole or not at all, so that several processes may build at the same time.
 */
async function buildProgram(): Promise<string> {
  const digest = (await digestFiles(INPUTS)).slice(0, 16);
  const folder = join(BUILDS, digest);
  if (!existsSync(folder)) {
    const temporary = join(BUILDS, `.${process.pid}-${digest}`);
    await mkdir(BUILDS, { recursive: true });
    await writeServerPackage(temporary, AbortSignal.timeout(BUILD_MS));
    for (const name of await readdir(BUILDS))
      if (!name.startsWith('.') && name !== digest) await rm(join(BUILDS, name), { recursive: true, force: true });
    await rename(temporary, folder).catch(async (error) => {
      await rm(temporary, { recursive: true, force: true });
      // Another process was faster.
      if (!existsSync(folder)) throw error;
    });
  }
  return join(folder, 'main.js');
}

export const PROGRAM = await buildProgram();
