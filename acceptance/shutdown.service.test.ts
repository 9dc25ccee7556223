// Ends `npm start` in every way that a terminal, `kill` or a service manager ends it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { launch, type RunningCommand } from './harness/command.ts';
import { killAll, running, send, treeOf, until } from './harness/processes.ts';
import { environment, makeFolder, prepareData } from './harness/service.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: RunningCommand;
let tree: number[];
let dataDir: string;

beforeEach(async () => {
  folder = await makeFolder();
  dataDir = join(folder.path, 'data');
  await prepareData(dataDir);
  service = launch('npm', ['start'], { env: await environment(dataDir) });
  await service.says('is ready');
  tree = treeOf(service.pid);
  expect(tree.length).toBeGreaterThan(4); // npm, possibly a shell, node, PostgreSQL and its processes.
});
afterEach(async () => {
  await killAll(tree);
  await folder.remove();
});

test.each([
  ['SIGTERM to npm alone', 'SIGTERM', 'npm'],
  ['SIGINT to npm alone', 'SIGINT', 'npm'],
  ['SIGHUP to npm alone', 'SIGHUP', 'npm'],
  ['SIGKILL to npm alone', 'SIGKILL', 'npm'],
  ['SIGTERM to the process group', 'SIGTERM', 'group'],
  ['SIGINT to the process group, as a terminal sends it', 'SIGINT', 'group'],
  ['SIGHUP to the process group, as a closed terminal sends it', 'SIGHUP', 'group'],
] as const)('%s ends npm start in order, PostgreSQL included', async (_, signal, receiver) => {
  send(receiver === 'npm' ? service.pid : -service.pid, signal);
  await until(() => running(tree).length === 0, 'all processes to end');
  expect(service.stdout()).toContain('Stopping.');
  expect(service.stderr()).not.toContain('Error');
  const log = await readFile(join(dataDir, 'db', 'postgres.log'), 'utf8');
  expect(log.trimEnd().split('\n').at(-1)).toContain('database system is shut down');
});
