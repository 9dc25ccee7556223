import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundle, REPOSITORY } from './bundle.ts';
import { readManifest, writeBundledLicenses, writeCommonFiles } from './manifest.ts';

const TSC = join(REPOSITORY, 'node_modules/typescript-native/bin/tsc');

/** Dependencies of the package: its types are part of those of the client. */
const EXTERNAL = ['openapi-fetch'];

/** Writes the package of the client and its command line into `out`: JavaScript for Node 20 and browsers, and types. */
export async function writeSdkPackage(out: string): Promise<void> {
  await mkdir(out, { recursive: true });
  const entries = { index: 'sdk/src/index.ts', sightline: 'sdk/src/cli/main.ts' };
  await writeBundledLicenses(out, await bundle({ entries, out, external: EXTERNAL }));
  await writeTypes(join(out, 'types'));
  const { name, version, dependencies: versions } = await readManifest('sdk');
  await writeCommonFiles(out, 'sdk', {
    name,
    version,
    description: 'Client and command line of Sightline, the self-hosted video analysis service.',
    engines: { node: '>=20' },
    exports: { '.': { types: './types/index.d.ts', default: './index.js' } },
    types: './types/index.d.ts',
    bin: { sightline: './sightline.js' },
    sideEffects: ['./sightline.js'],
    dependencies: Object.fromEntries(EXTERNAL.map((each) => [each, versions[each]])),
  });
}

async function writeTypes(out: string): Promise<void> {
  const compilerOptions = {
    noEmit: false,
    incremental: false,
    tsBuildInfoFile: null,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: out,
    rootDir: join(REPOSITORY, 'sdk/src'),
    typeRoots: [join(REPOSITORY, 'node_modules/@types')],
  };
  const files = [join(REPOSITORY, 'sdk/src/index.ts')];
  await mkdir(out, { recursive: true });
  const project = join(out, 'tsconfig.json');
  await writeFile(
    project,
    JSON.stringify({ extends: join(REPOSITORY, 'tsconfig.json'), compilerOptions, files, include: [] }),
  );
  await promisify(execFile)(process.execPath, [TSC, '--project', project]);
  await rm(project);
  // The compiler keeps `.ts` in the imports of declarations.
  for (const entry of await readdir(out, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(/(from ')(\.[^']+)\.ts(')/g, '$1$2.js$3'));
  }
}
