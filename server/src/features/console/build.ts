import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { BUILDS, digestSources, WEB } from './sources.ts';

/** A build takes about ten seconds on two cores. */
const BUILD_TIMEOUT_MS = 300_000;
/** Characters of the digest in the name of a build. */
const NAME_LENGTH = 16;
const OUTPUT_BYTES = 2 ** 20;

const run = promisify(execFile);

/** The console is not built, and the packages that build it are not installed. The message says what to do. */
export class MissingBuildTools extends Error {
  override name = 'MissingBuildTools';

  constructor() {
    super(
      'The console is not built, because its development dependencies are not installed: run npm ci without --omit=dev, then start again.',
    );
  }
}

/** Returns the folder with the built console; null if it must be built first. Throws if it cannot be built here. */
export const findBuild = async (): Promise<string | null> => (await locate()).built;

/**
 * Returns the folder with the built console, which is built first if its sources changed. The build runs in a process
 * of its own, and its folder appears whole or not at all, so that several nodes may build at the same time.
 */
export async function buildConsole(signal: AbortSignal): Promise<string> {
  const { built, folder } = await locate();
  if (built !== null) return built;
  const temporary = join(BUILDS, `.${process.pid}-${basename(folder)}`);
  await mkdir(BUILDS, { recursive: true });
  try {
    await run(process.execPath, [join(WEB, 'build.ts'), temporary], {
      cwd: WEB,
      signal,
      timeout: BUILD_TIMEOUT_MS,
      maxBuffer: OUTPUT_BYTES,
      // Nothing of the service's environment, which contains secrets.
      env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production' },
    });
    await removeOtherBuilds(folder, temporary);
    await rename(temporary, folder).catch((error) => {
      // Another node was faster.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return folder;
}

/** The folder for a build of these sources, and the one of an existing build. */
async function locate(): Promise<{ folder: string; built: string | null }> {
  const digest = await digestSources();
  const folder = digest === null ? await findPackagedBuild() : join(BUILDS, digest.slice(0, NAME_LENGTH));
  const built = existsSync(folder) ? folder : null;
  if (built === null && !hasBuildTools()) throw new MissingBuildTools();
  return { folder, built };
}

/** False after `npm ci --omit=dev`. */
function hasBuildTools(): boolean {
  try {
    createRequire(join(WEB, 'build.ts')).resolve('vite/package.json');
    return true;
  } catch {
    return false;
  }
}

/** Builds of other sources. Those of running builds begin with a dot. */
async function removeOtherBuilds(...current: string[]): Promise<void> {
  const names = (await readdir(BUILDS)).filter((name) => !name.startsWith('.'));
  const others = names.map((name) => join(BUILDS, name)).filter((path) => !current.includes(path));
  await Promise.all(others.map((path) => rm(path, { recursive: true, force: true })));
}

async function findPackagedBuild(): Promise<string> {
  const [name] = await readdir(BUILDS).catch(() => []);
  if (!name) throw new Error('This installation contains neither the console nor its sources.');
  return join(BUILDS, name);
}
