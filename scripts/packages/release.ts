import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { linkLibraries } from '../../server/src/platform/db/embedded/binaries.ts';
import { REPOSITORY } from './bundle.ts';
import { readManifest } from './manifest.ts';
import { PLATFORM, platformPackage } from './platform-package.ts';

const FILES = join(import.meta.dirname, 'release');
const GPL = join(import.meta.dirname, 'licenses/GPL-3.0.txt');
const MODULES = join(REPOSITORY, 'node_modules');

/**
 * Writes an archive that runs after unpacking, without npm and without a network: the package of the service in
 * `serverPackage`, the packages for this platform that it depends on, and Node. `level`: of the compression, 1 (fast)
 * to 9. Returns the archive's path.
 */
export async function writeRelease(serverPackage: string, scratch: string, out: string, level = 6): Promise<string> {
  if (process.platform === 'win32')
    throw new Error('Releases are for Linux and macOS: their program is a shell script.');
  const { version } = await readManifest('.');
  const name = `sightline-${version}-${PLATFORM}`;
  const release = join(scratch, name);
  const modules = join(release, 'lib/node_modules');
  await cp(serverPackage, join(release, 'lib'), { recursive: true, verbatimSymlinks: true });
  for (const each of await installedDependencies(serverPackage))
    await cp(join(MODULES, each), join(modules, each), { recursive: true, verbatimSymlinks: true });
  // An archive can contain symbolic links, and its folder may be read-only later.
  linkLibraries(join(modules, platformPackage(PLATFORM), 'postgres/native'));
  const node = join(MODULES, await installedNode());
  await mkdir(join(release, 'bin'));
  await mkdir(join(release, 'licenses'));
  for (const [source, target] of [
    [join(node, 'bin/node'), 'bin/node'],
    [join(FILES, 'sightline'), 'bin/sightline'],
    [join(FILES, 'README.md'), 'README.md'],
    [join(node, 'LICENSE'), 'licenses/node.txt'],
    [GPL, 'licenses/GPL-3.0.txt'],
  ] as const)
    await cp(source, join(release, target));
  const sbom = [join(REPOSITORY, 'scripts/sbom.ts'), join(release, 'licenses/sightline.cdx.json')];
  await promisify(execFile)(process.execPath, sbom, { cwd: REPOSITORY });
  const archive = join(out, `${name}.tar.gz`);
  const compress = `--use-compress-program=gzip -${level}`;
  await promisify(execFile)('tar', ['--create', compress, '--file', archive, '--directory', dirname(release), name]);
  return archive;
}

/** Names of the packages that the package of the service needs and that npm installed for this platform. */
async function installedDependencies(serverPackage: string): Promise<Set<string>> {
  const found = new Set<string>();
  async function add(folder: string): Promise<void> {
    const { dependencies, optionalDependencies } = await readManifest(folder);
    const optional = Object.keys(optionalDependencies).filter((name) => existsSync(join(MODULES, name)));
    for (const name of [...Object.keys(dependencies), ...optional]) {
      if (found.has(name)) continue;
      found.add(name);
      await add(join(MODULES, name));
    }
  }
  await add(serverPackage);
  // Of its package only the program is needed.
  found.delete(await installedNode());
  return found;
}

/** Name of the package that contains Node for this platform. */
async function installedNode(): Promise<string> {
  const { optionalDependencies } = await readManifest('.');
  const name = Object.keys(optionalDependencies).find((each) => existsSync(join(MODULES, each)));
  if (!name) throw new Error('npm did not install Node for this platform: run npm ci without --omit=optional.');
  return name;
}
