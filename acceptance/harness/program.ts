import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeServerPackage } from '../../scripts/packages/server-package.ts';
import { digestFiles } from '../../server/src/features/console/sources.ts';
import { running } from './processes.ts';
import { REPOSITORY } from './repository.ts';

const BUILDS = join(REPOSITORY, 'server/dist');
const INPUTS = ['server/src', 'server/migrations', 'sdk/src', 'web/src', 'scripts/packages', 'package-lock.json'];
const BUILD_MS = 300_000;
const POLL_MS = 100;

/**
 * The service as its package contains it: what users install, and what starts in half the time of the sources. Rebuilt
 * when its sources changed, by one of the workers that need it; the others wait.
 */
async function buildProgram(): Promise<string> {
  const digest = (await digestFiles(INPUTS)).slice(0, 16);
  const folder = join(BUILDS, digest);
  await mkdir(BUILDS, { recursive: true });
  while (!existsSync(folder)) {
    const release = await takeTurn(join(BUILDS, `.${digest}.pid`));
    if (!release) await sleep(POLL_MS);
    else if (existsSync(folder)) await release();
    else await build(digest, folder).finally(release);
  }
  return join(folder, 'main.js');
}

async function build(digest: string, folder: string): Promise<void> {
  const temporary = join(BUILDS, `.${process.pid}-${digest}`);
  await writeServerPackage(temporary, AbortSignal.timeout(BUILD_MS));
  for (const name of await readdir(BUILDS))
    if (!name.startsWith('.') && name !== digest) await rm(join(BUILDS, name), { recursive: true, force: true });
  // It appears whole or not at all.
  await rename(temporary, folder).catch(async (error) => {
    await rm(temporary, { recursive: true, force: true });
    // A run that another process took for a killed one was faster.
    if (!existsSync(folder)) throw error;
  });
}

/** Returns a function that ends the turn of this process; null while another one has it. */
async function takeTurn(file: string): Promise<(() => Promise<void>) | null> {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' });
    return () => rm(file, { force: true });
  } catch {
    const pid = Number(await readFile(file, 'utf8').catch(() => ''));
    // One that was killed leaves its file.
    if (pid > 0 && running([pid]).length === 0) await rm(file, { force: true });
    return null;
  }
}

export const PROGRAM = await buildProgram();
