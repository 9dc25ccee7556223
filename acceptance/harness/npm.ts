import { execFile, spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';

/** A Node and the npm that users of it have. */
export type NodeWithNpm = { name: string; node: string; npm: string };

/** Node 24, which runs the tests, and the older ones that the packages support. */
export const NODES: readonly NodeWithNpm[] = [
  { name: 'Node 24', node: process.execPath, npm: findNpm() },
  ...Object.entries(inject('programs').nodes ?? {}).map(([major, node]) => ({
    name: `Node ${major}`,
    node,
    npm: join(node, '../../../npm/bin/npm-cli.js'),
  })),
];

/** Runs a command without a network where this machine allows it: then nothing can be downloaded unnoticed. */
const WITHOUT_NETWORK = ['unshare', '--map-root-user', '--net'] as const;
const canLeaveNetwork = spawnSync(WITHOUT_NETWORK[0], [...WITHOUT_NETWORK.slice(1), 'true']).status === 0;

const run = promisify(execFile);

/** Runs npm in a folder, with what it has in its cache. Returns what it printed. */
export async function runNpmOffline(
  { node, npm }: NodeWithNpm,
  args: readonly string[],
  cwd: string,
): Promise<{ stdout: string; stderr: string }> {
  const command = [node, npm, ...args, '--offline'];
  const [program, ...rest] = canLeaveNetwork ? [...WITHOUT_NETWORK, ...command] : command;
  // npm runs scripts with the Node that its user has.
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  return run(program!, rest, { cwd, env });
}

/** Makes an empty project and installs packages, also from the registry. */
export async function installOnline(project: string, ...packages: string[]): Promise<void> {
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  await run('npm', ['install', '--prefer-offline', '--ignore-scripts', ...packages], { cwd: project });
}

/** Packages that npm installed in a project, by their path. */
export async function installedPackages(project: string): Promise<Record<string, { hasInstallScript?: boolean }>> {
  return JSON.parse(await readFile(join(project, 'node_modules/.package-lock.json'), 'utf8')).packages;
}

/** Megabytes of a folder on disk. */
export async function diskUse(folder: string): Promise<number> {
  return Number.parseInt((await run('du', ['-sm', folder])).stdout, 10);
}

/** The script of the npm in PATH. */
function findNpm(): string {
  const program = process.env
    .PATH!.split(delimiter)
    .map((folder) => join(folder, 'npm'))
    .find((path) => existsSync(path));
  return realpathSync(program!);
}
