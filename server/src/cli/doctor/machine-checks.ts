import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#platform/config/index';
import { attempt, type Finding, failed, ok, warning } from './finding.ts';

const GIB = 2 ** 30;
/** Free space below which the service refuses writes, and below which it soon will. */
const LEAST_FREE = GIB / 4;
const LITTLE_FREE = 10 * GIB;

/** Folders of this machine: permissions, free space, the root secret. */
export async function checkMachine(config: Pick<Config, 'dataDir' | 'storage' | 'modelsDir' | 'secret'>) {
  const folders: [string, string, string][] = [
    ['data folder', config.dataDir, 'SIGHTLINE_DATA_DIR'],
    ['models folder', config.modelsDir, 'SIGHTLINE_MODELS_DIR'],
    ...(config.storage.kind === 'file'
      ? [['files folder', config.storage.dir, 'SIGHTLINE_STORAGE'] as [string, string, string]]
      : []),
  ];
  const findings: Finding[] = [];
  for (const [name, path, variable] of folders) findings.push(...(await checkFolder(name, path, variable)));
  findings.push(await checkSecret(config));
  return findings;
}

async function checkFolder(name: string, path: string, variable: string): Promise<Finding[]> {
  const remedy = `Give the user that runs Sightline the folder ${path}, or set ${variable} to another one.`;
  return attempt(name, remedy, async () => {
    await mkdir(path, { recursive: true });
    const probe = join(path, `.doctor-${randomUUID()}`);
    try {
      await writeFile(probe, 'x', { flush: true });
    } finally {
      await rm(probe, { force: true });
    }
    const { bavail, bsize } = await statfs(path);
    const free = `${path}, ${((bavail * bsize) / GIB).toFixed(1)} GiB free`;
    const advice = 'Free space on its disk, or move it to a larger one.';
    if (bavail * bsize < LEAST_FREE) return failed(name, `${free}: the service refuses writes`, advice);
    return bavail * bsize < LITTLE_FREE ? warning(name, free, advice) : ok(name, free);
  });
}

/** The secret that signs URLs, in a variable or a file that others must not read. */
async function checkSecret({ secret, dataDir }: Pick<Config, 'secret' | 'dataDir'>): Promise<Finding> {
  if (secret !== null) return ok('root secret', 'SIGHTLINE_SECRET');
  const path = join(dataDir, 'secret');
  const found = await stat(path).catch(() => null);
  if (!found) return ok('root secret', `${path}, made by the first start`);
  const mode = found.mode & 0o777;
  if ((mode & 0o077) === 0) return ok('root secret', path);
  return failed('root secret', `other users may read ${path} (mode ${mode.toString(8)})`, `Run "chmod 600 ${path}".`);
}
