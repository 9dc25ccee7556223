// The service's package as npm users get it: installed into an empty folder, and started by each Node that it supports.
import { execFile } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sceneClip } from '../server/test/media/clips.ts';
import { DARK } from './harness/answers.ts';
import { launch, REPOSITORY } from './harness/command.ts';
import { STARTED_SERVICES } from './harness/end-services.ts';
import { endTree, until } from './harness/processes.ts';
import { PROGRAM } from './harness/program.ts';
import { environment, makeFolder } from './harness/service.ts';

const TIMEOUT_MS = 300_000;
const { nodes } = inject('programs');
const run = promisify(execFile);

/** Runs a command with `--json`. Returns the lines that it prints. */
type UserCommand = (...args: string[]) => Promise<Record<string, unknown>[]>;

describe("the service's package", { timeout: TIMEOUT_MS }, () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let project: string;

  beforeAll(async () => {
    folder = await makeFolder();
    project = join(folder.path, 'empty project');
    await mkdir(project);
    const { stdout } = await run('npm', ['pack', dirname(PROGRAM)], { cwd: folder.path });
    await install(join(folder.path, stdout.trim()), project);
  }, TIMEOUT_MS);
  afterAll(() => folder?.remove());

  /** Runs `sightline start` by a Node, with its data in the folder `data`, and commands of users by that program. */
  async function start(node: string, use: (url: string, user: UserCommand) => Promise<void>): Promise<void> {
    const { SIGHTLINE_DATA_DIR: _, SIGHTLINE_MODELS_DIR: __, ...env } = await environment('');
    const program = join(project, 'node_modules/.bin/sightline');
    const service = launch(node, [program, 'start'], { cwd: project, env });
    appendFileSync(join(inject('folder'), STARTED_SERVICES), `${service.pid}\n`);
    try {
      await service.says('is ready');
      const url = `http://localhost:${env.SIGHTLINE_PORT}`;
      const login = { SIGHTLINE_URL: url, SIGHTLINE_API_KEY: env.SIGHTLINE_BOOTSTRAP_KEY!, HOME: folder.path };
      await use(url, async (...args) => {
        const options = { cwd: project, env: { ...login, PATH: process.env.PATH! } };
        const { stdout } = await run(node, [program, '--json', ...args], options);
        return stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));
      });
    } finally {
      await endTree(service.pid);
    }
  }

  test('serves the console and answers a prompt', async () => {
    await start(process.execPath, async (url, user) => {
      const page = await until(async () => {
        const text = await (await fetch(url)).text();
        // Until the files of the console are read, the page is another one.
        return text.includes('/assets/') ? text : null;
      }, 'the console');
      const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)![1]!;
      expect((await fetch(url + script)).headers.get('content-type')).toContain('javascript');

      const [uploaded] = await user('upload', await sceneClip());
      const steps = await user('ask', DARK, '--video', String(uploaded!.video_id));
      expect(steps.at(-1)).toMatchObject({ kind: 'done', data: { status: 'completed' } });
      expect(steps.map(({ kind }) => kind)).toContain('finding');
    });
  });

  test.each(Object.values(nodes ?? {}))('started by %s, runs with Node 24', async (node) => {
    await start(node, async (_, user) => {
      const [listed] = await user('videos', 'list');
      expect(listed).toMatchObject({ videos: [{ video_name: 'scene.mp4' }] });
    });
  });

  test('npx finds the program', async () => {
    const { version } = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8'));
    const { stdout } = await run('npx', ['--no-install', 'sightline', '--version'], { cwd: project });
    expect(stdout.trim()).toBe(version);
  });
});

/**
 * Installs a package into an empty folder: in CI as users do, which unpacks a gigabyte. Elsewhere only the package is
 * unpacked, and those dependencies that it declares are links to those of the repository; one that it lacks is missed
 * in the same way.
 */
async function install(tarball: string, project: string): Promise<void> {
  await writeFile(join(project, 'package.json'), '{ "private": true }');
  if (process.env.CI === 'true') {
    await run('npm', ['install', '--prefer-offline', '--ignore-scripts', tarball], { cwd: project });
    return;
  }
  const modules = join(project, 'node_modules');
  const target = join(modules, 'sightline');
  await mkdir(target, { recursive: true });
  await run('tar', ['--extract', '--strip-components=1', '--file', tarball, '--directory', target]);
  const { bin, dependencies, optionalDependencies } = JSON.parse(await readFile(join(target, 'package.json'), 'utf8'));
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(REPOSITORY, 'node_modules', name), join(modules, name));
  }
  await mkdir(join(modules, '.bin'));
  await symlink(join(target, bin.sightline), join(modules, '.bin/sightline'));
}
