import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const WEB = fileURLToPath(new URL('../../../../web/', import.meta.url));
const REPOSITORY = join(WEB, '..');
/** Everything that the build reads. The lock file stands for the versions of all packages. */
const INPUTS = [
  'web/src',
  'web/index.html',
  'web/build.ts',
  'web/chunks.ts',
  'web/vite.config.ts',
  'web/lingui.config.ts',
  'sdk/src',
];
const LOCK = 'package-lock.json';

/** Contains one folder for each build, named by the digest of its sources. */
export const BUILDS = join(WEB, 'dist');

/** SHA-256 of the sources of the console, as hex; null for an installation that contains only the built console. */
export async function digestSources(): Promise<string | null> {
  return existsSync(join(WEB, 'build.ts')) ? digestFiles([...INPUTS, LOCK]) : null;
}

/** SHA-256, as hex, of files and of folders' files; paths are relative to the repository. Tests are left out. */
export async function digestFiles(paths: readonly string[]): Promise<string> {
  const files = (await Promise.all(paths.map((path) => listFiles(join(REPOSITORY, path))))).flat();
  const digest = createHash('sha256');
  for (const path of files.sort()) {
    digest
      .update(`${relative(REPOSITORY, path)}\0`)
      .update(await readFile(path))
      .update('\0');
  }
  return digest.digest('hex');
}

async function listFiles(path: string): Promise<string[]> {
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
