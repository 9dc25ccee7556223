import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY } from './bundle.ts';

type Manifest = {
  name: string;
  version: string;
  dependencies: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

/** The manifest of a workspace, or of the repository. */
export async function manifestOf(workspace: 'sdk' | 'server' | '.'): Promise<Manifest> {
  return JSON.parse(await readFile(join(REPOSITORY, workspace, 'package.json'), 'utf8'));
}

/** Writes the files that every package has: its manifest, the license, and the workspace's README. */
export async function writeCommonFiles(out: string, workspace: 'sdk' | 'server', fields: object): Promise<void> {
  const manifest = {
    license: 'Apache-2.0',
    type: 'module',
    ...fields,
    publishConfig: { access: 'public', provenance: true },
  };
  await writeFile(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await copyFile(join(REPOSITORY, 'LICENSE'), join(out, 'LICENSE'));
  await copyFile(join(REPOSITORY, workspace, 'README.md'), join(out, 'README.md'));
}

/** Writes the licenses of libraries whose code is part of a bundle. */
export async function writeBundledLicenses(out: string, packages: readonly string[]): Promise<void> {
  const texts = packages.map(async (name) => {
    const folder = join(REPOSITORY, 'node_modules', name);
    const { version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const names = ['LICENSE', 'LICENSE.md', 'license'];
    const found = await Promise.any(names.map((each) => readFile(join(folder, each), 'utf8')));
    return `${name} ${version} (${license})\n\n${found.trim()}\n`;
  });
  await writeFile(join(out, 'THIRD-PARTY-LICENSES.txt'), (await Promise.all(texts)).join('\n---\n\n'));
}
