/** Size of production installs on this platform: the package of the service, installed by npm, and the release. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeRelease } from '../scripts/packages/release.ts';
import { writeServerPackage } from '../scripts/packages/server-package.ts';
import type { BenchmarkRow } from './run.ts';

const BUILD_MS = 300_000;
/** Megabytes. */
const BAR = { max: 700 };
const execute = promisify(execFile);

export async function* run(): AsyncGenerator<BenchmarkRow> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline install '));
  try {
    const server = join(folder, 'server');
    const project = join(folder, 'project');
    await writeServerPackage(server, AbortSignal.timeout(BUILD_MS));
    const { stdout } = await execute('npm', ['pack', server], { cwd: folder });
    const tarball = join(folder, stdout.trim());
    yield { name: 'package, as a file', value: await megabytes(tarball), unit: 'MB' };
    await mkdir(project);
    await writeFile(join(project, 'package.json'), '{ "private": true }');
    await execute('npm', ['install', '--prefer-offline', tarball], { cwd: project });
    yield { name: 'package, installed', value: await megabytes(project), unit: 'MB', bar: BAR };
    const { packages } = JSON.parse(await readFile(join(project, 'node_modules/.package-lock.json'), 'utf8'));
    const fetched = Object.values<{ inBundle?: boolean }>(packages).filter(({ inBundle }) => !inBundle);
    yield { name: 'packages that npm installs', value: fetched.length, unit: '' };
    const scratch = join(folder, 'scratch');
    const archive = await writeRelease(server, scratch, folder);
    yield { name: 'release, as a file', value: await megabytes(archive), unit: 'MB' };
    yield { name: 'release, unpacked', value: await megabytes(scratch), unit: 'MB', bar: BAR };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Size of a file or folder on disk. */
const megabytes = async (path: string) => Number.parseInt((await execute('du', ['-sm', path])).stdout, 10);
