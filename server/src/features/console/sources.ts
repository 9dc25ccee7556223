import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

const REPOSITORY = join(import.meta.dirname, '../../../..');
/** Everything that the build reads. The lock file stands for the versions of all packages. */
const INPUTS = ['web/src', 'web/index.html', 'web/build.ts', 'web/vite.config.ts', 'web/lingui.config.ts', 'sdk/src'];
const LOCK = 'package-lock.json';

export const WEB = join(REPOSITORY, 'web');
/** Contains one folder for each build, named by the digest of its sources. */
export const BUILDS = join(WEB, 'dist');

/** SHA-256 of the sources of the console, as hex; null for an installation that contains only the built console. */
export async function digestSources(): Promise<string | null> {
  if (!existsSync(join(WEB, 'build.ts'))) return null;
  const files = (await Promise.all(INPUTS.map((path) => filesOf(join(REPOSITORY, path))))).flat();
  const digest = createHash('sha256');
  for (const path of [...files, join(REPOSITORY, LOCK)].sort()) {
    digest
      .update(`${relative(REPOSITORY, path)}\0`)
      .update(await readFile(path))
      .update('\0');
  }
  return digest.digest('hex');
}

async function filesOf(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (!entries) return [path];
  // Tests are not part of the application.
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name));
}
