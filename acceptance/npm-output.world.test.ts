// Output of npm for a newcomer, with the settings of this repository.
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch, REPOSITORY } from './harness/command.ts';
import { makeFolder } from './harness/service.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;

beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder.remove());

/** A project with a dependency that requires a newer Node, for a user with settings that npm warns about. */
async function project(name: string): Promise<(...args: string[]) => Promise<[number | NodeJS.Signals, string]>> {
  const cwd = join(folder.path, name);
  await mkdir(join(cwd, 'newer'), { recursive: true });
  const newer = { name: 'newer', version: '1.0.0', engines: { node: '>=99' } };
  await writeFile(join(cwd, 'newer/package.json'), JSON.stringify(newer));
  const scripts = { hello: 'node -p 1' };
  await writeFile(join(cwd, 'package.json'), JSON.stringify({ scripts, dependencies: { newer: 'file:newer' } }));
  const userconfig = join(cwd, 'userconfig');
  await writeFile(userconfig, 'nodedir=/usr\n');
  return async (...args) => {
    const command = launch('npm', args, { cwd, env: { npm_config_userconfig: userconfig } });
    return [await command.ended, command.stderr()];
  };
}

test('npm prints no warnings about engines and settings, but still its errors', async () => {
  const loud = await project('without settings');
  expect(await loud('install', '--offline')).toEqual([0, expect.stringContaining('EBADENGINE')]);

  const npm = await project('with settings');
  await cp(join(REPOSITORY, '.npmrc'), join(folder.path, 'with settings/.npmrc'));
  expect(await npm('install', '--offline')).toEqual([0, '']);
  expect(await npm('ci', '--offline')).toEqual([0, '']);
  expect(await npm('run', 'hello')).toEqual([0, '']);
  expect(await npm('run', 'unknown')).toEqual([1, expect.stringContaining('Missing script: "unknown"')]);
  expect(await npm('install', '--offline', 'nowhere-to-be-found')).toEqual([1, expect.stringContaining('ENOTCACHED')]);
});
