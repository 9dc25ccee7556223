import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { REPOSITORY } from './bundle.ts';

type Manifest = {
  name: string;
  version: string;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
};

/** The manifest of a package. `folder` is relative to the repository. */
export async function readManifest(folder: string): Promise<Manifest> {
  const manifest = JSON.parse(await readFile(resolve(REPOSITORY, folder, 'package.json'), 'utf8'));
  return { dependencies: {}, optionalDependencies: {}, ...manifest };
}

/** Writes the manifest of a package. */
export async function writeManifest(out: string, fields: object): Promise<void> {
  const manifest = {
    license: 'Apache-2.0',
    type: 'module',
    ...fields,
    publishConfig: { access: 'public', provenance: true },
  };
  await writeFile(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Writes the files of a workspace's package: its manifest, the license, and the README. */
export async function writeCommonFiles(out: string, workspace: 'sdk' | 'server', fields: object): Promise<void> {
  await writeManifest(out, fields);
  await copyFile(join(REPOSITORY, 'LICENSE'), join(out, 'LICENSE'));
  await copyFile(join(REPOSITORY, workspace, 'README.md'), join(out, 'README.md'));
}

/** Writes the licenses of packages that are part of a bundle. `folders` are relative to the repository. */
export async function writeBundledLicenses(out: string, folders: readonly string[]): Promise<void> {
  const texts = await Promise.all(folders.map(licenseOf));
  await writeFile(join(out, 'THIRD-PARTY-LICENSES.txt'), texts.join('\n---\n\n'));
}

async function licenseOf(folder: string): Promise<string> {
  const path = join(REPOSITORY, folder);
  const { name, version, license, author } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8'));
  const files = (await readdir(path)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(path, file), 'utf8')));
  // Some packages only name their license.
  const owner = typeof author === 'string' ? author : author?.name;
  if (texts.length === 0) texts.push(`Copyright of ${owner ?? `the authors of ${name}`}.`);
  return `${name} ${version} (${license})\n\n${texts.map((text) => text.trim()).join('\n\n')}\n`;
}
