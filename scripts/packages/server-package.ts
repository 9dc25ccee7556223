import { chmod, cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole } from '../../server/src/features/console/build.ts';
import { MIGRATIONS } from '../../server/src/platform/db/migrations/files.ts';
import { bundle, placeOf, REPOSITORY } from './bundle.ts';
import { manifestOf, writeBundledLicenses, writeCommonFiles } from './manifest.ts';

/** Program of the package for any Node from 20 on: runs the service with Node 24, which is a dependency. */
const PROGRAM = 'scripts/packages/sightline.js';

/** Writes the package of the service into `out`: its bundle, migrations, the built console, and the program. */
export async function writeServerPackage(out: string, signal: AbortSignal): Promise<void> {
  await mkdir(out, { recursive: true });
  const { bundled } = await bundle({ main: 'server/src/main.ts' }, out, signal);
  await writeBundledLicenses(out, bundled);
  for (const folder of [await buildConsole(signal), fileURLToPath(MIGRATIONS)])
    await cp(folder, join(out, placeOf(folder)), { recursive: true });
  const [server, sdk, root] = await Promise.all([manifestOf('server'), manifestOf('sdk'), manifestOf('.')]);
  const { [sdk.name]: _, ...own } = server.dependencies;
  const remaining = Object.entries({ ...sdk.dependencies, ...own }).filter(([name]) => !bundled.includes(name));
  await cp(join(REPOSITORY, PROGRAM), join(out, 'sightline.js'));
  await chmod(join(out, 'sightline.js'), 0o755);
  await writeCommonFiles(out, 'server', {
    name: 'sightline',
    version: server.version,
    description: 'Self-hosted video analysis: ask in plain words what happened, get time-stamped, evidenced events.',
    engines: { node: '>=20' },
    bin: { sightline: './sightline.js' },
    dependencies: Object.fromEntries(remaining.sort(([a], [b]) => (a < b ? -1 : 1))),
    optionalDependencies: { ...server.optionalDependencies, ...root.optionalDependencies },
  });
}
