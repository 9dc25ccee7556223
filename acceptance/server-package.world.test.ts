// The service as its users get it: the package installed into an empty folder and started by each Node that it
// supports, the archive that runs after unpacking, and a clone without the development dependencies.
import { execFile } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { writeRelease } from '../scripts/packages/release.ts';
import { footage, hasFootage } from '../server/test/footage.ts';
import { sceneClip } from '../server/test/media/clips.ts';
import { DARK } from './harness/answers.ts';
import { launch, type RunningCommand } from './harness/command.ts';
import { STARTED_SERVICES } from './harness/end-services.ts';
import { diskUse, installedPackages, installOnline, NODES, runNpmOffline } from './harness/npm.ts';
import { endTree, until } from './harness/processes.ts';
import { PROGRAM } from './harness/program.ts';
import { REPOSITORY } from './harness/repository.ts';
import { environment, makeFolder } from './harness/service.ts';

const TIMEOUT_MS = 600_000;
/** Largest production install on Linux x64. */
const MAX_MB = 700;
const run = promisify(execFile);

type Folder = Awaited<ReturnType<typeof makeFolder>>;
/** Runs a command with `--json`. Returns the lines that it prints. */
type UserCommand = (...args: string[]) => Promise<Record<string, unknown>[]>;
type Started = { url: string; service: RunningCommand; user: UserCommand };

/** Runs `start` of a program, with its data in a folder of the same place, and commands of users by that program. */
async function start(program: readonly string[], cwd: string, use: (started: Started) => Promise<void>): Promise<void> {
  const env = await environment(join(cwd, 'data'));
  const [command, ...args] = program as [string, ...string[]];
  const service = launch(command, [...args, 'start'], { cwd, env });
  appendFileSync(join(inject('folder'), STARTED_SERVICES), `${service.pid}\n`);
  try {
    const url = `http://localhost:${env.SIGHTLINE_PORT}`;
    const login = { SIGHTLINE_URL: url, SIGHTLINE_API_KEY: env.SIGHTLINE_BOOTSTRAP_KEY!, HOME: cwd };
    const user: UserCommand = async (...more) => {
      const options = { cwd, env: { ...login, PATH: process.env.PATH! } };
      const { stdout } = await run(command, [...args, '--json', ...more], options);
      return stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    };
    await use({ url, service, user });
  } finally {
    await endTree(service.pid);
  }
}

/** The first answer of a service that is starting. */
const firstPage = (url: string, path = '/') =>
  until(() => fetch(url + path).catch(() => null), 'the service to listen', 120_000);

/** Expects that the first page is the console, and not one that waits for it. */
async function expectConsole(url: string): Promise<void> {
  const response = await firstPage(url);
  const page = await response.text();
  expect([response.status, page]).toEqual([200, expect.stringContaining('/assets/')]);
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)![1]!;
  expect((await fetch(url + script)).headers.get('content-type')).toContain('javascript');
}

/** Expects an event by what no model is needed for, and one by the detector where its weights are there. */
async function expectEvents(user: UserCommand): Promise<void> {
  const found = async (clip: string, prompt: string) => {
    const [uploaded] = await user('upload', clip);
    const steps = await user('ask', prompt, '--video', String(uploaded!.video_id));
    expect(steps.at(-1)).toMatchObject({ kind: 'done', data: { status: 'completed' } });
    expect(steps.map(({ kind }) => kind)).toContain('finding');
  };
  await found(await sceneClip(), DARK);
  if (hasFootage) await found(footage('road/kitti_seq1_10fps.mp4'), 'a car');
}

describe("the service's package", { timeout: TIMEOUT_MS }, () => {
  let folder: Folder;
  let tarball: string;
  let project: string;
  const program = () => join(project, 'node_modules/.bin/sightline');

  beforeAll(async () => {
    folder = await makeFolder();
    project = join(folder.path, 'empty project');
    await mkdir(project);
    const { stdout } = await run('npm', ['pack', dirname(PROGRAM)], { cwd: folder.path });
    tarball = join(folder.path, stdout.trim());
    // Also brings the packages of the registry into npm's cache.
    await installOnline(project, tarball);
  }, TIMEOUT_MS);
  afterAll(() => folder?.remove());

  test('is small, and has no install scripts and one build of ONNX Runtime', async () => {
    expect(await diskUse(project)).toBeLessThanOrEqual(MAX_MB);
    const packages = await installedPackages(project);
    expect(Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
    expect(Object.keys(packages).filter((path) => /onnxruntime|werift|vite/.test(path))).toEqual([]);
    const { stdout } = await run('find', [project, '-name', '*onnxruntime*.*', '-not', '-name', '*.js']);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((path) => path.split('/').slice(-3).join('/'))
        .sort(),
    ).toEqual([
      `platform-${process.platform}-${process.arch}/onnxruntime/libonnxruntime.so.1`,
      `platform-${process.platform}-${process.arch}/onnxruntime/onnxruntime_binding.node`,
    ]);
  });

  // Without scripts it was installed above; no package has any.
  test.each(NODES)('$name installs it without a network and without a warning', async (node) => {
    const other = await makeFolder();
    try {
      await writeFile(join(other.path, 'package.json'), '{ "private": true }');
      const { stdout, stderr } = await runNpmOffline(node, ['install', tarball], other.path);
      expect([stdout, stderr]).toEqual([expect.stringMatching(/^\s*added \d+ packages/), '']);
      expect(Object.keys(await installedPackages(other.path))).toEqual(Object.keys(await installedPackages(project)));
    } finally {
      await other.remove();
    }
  });

  test('serves the console at once and finds events', async () => {
    await start([process.execPath, program()], project, async ({ url, service, user }) => {
      await expectConsole(url);
      await service.says('is ready');
      await expectEvents(user);
    });
  });

  test.each(NODES)('started by $name, runs with Node 24', async ({ node }) => {
    await start([node, program()], project, async ({ service, user }) => {
      await service.says('is ready');
      const [listed] = await user('videos', 'list');
      expect(listed).toMatchObject({
        videos: expect.arrayContaining([expect.objectContaining({ video_name: 'scene.mp4' })]),
      });
    });
  });

  test('npx finds the program', async () => {
    const { version } = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8'));
    const { stdout } = await run('npx', ['--no-install', 'sightline', '--version'], { cwd: project });
    expect(stdout.trim()).toBe(version);
  });
});

describe('the release', { timeout: TIMEOUT_MS }, () => {
  let folder: Folder;
  let release: string;

  beforeAll(async () => {
    folder = await makeFolder();
    const archive = await writeRelease(dirname(PROGRAM), join(folder.path, 'scratch'), folder.path, 1);
    await run('tar', ['--extract', '--gzip', '--file', archive, '--directory', folder.path]);
    release = archive.replace(/\.tar\.gz$/, '');
  }, TIMEOUT_MS);
  afterAll(() => folder?.remove());

  test('has no links to where it was packed', async () => {
    expect(await run('find', [release, '-type', 'l', '-lname', '/*'])).toMatchObject({ stdout: '' });
  });

  test('is small, serves the console at once and finds events, without another Node', async () => {
    expect(await diskUse(release)).toBeLessThanOrEqual(MAX_MB);
    // As a command in PATH, from another folder.
    const elsewhere = join(folder.path, 'elsewhere');
    await mkdir(elsewhere);
    const program = join(elsewhere, 'sightline');
    await run('ln', ['--symbolic', join(release, 'bin/sightline'), program]);
    await start(
      ['env', '--unset=NODE_PATH', 'PATH=/usr/bin:/bin', program],
      elsewhere,
      async ({ url, service, user }) => {
        await expectConsole(url);
        await service.says('is ready');
        expect(service.stdout()).toContain(`${join(release, 'bin/sightline')}" accounts link`);
        await expectEvents(user);
      },
    );
  });
});

test('a clone without the development dependencies serves the API, and says how to get the console', {
  timeout: TIMEOUT_MS,
}, async () => {
  const folder = await makeFolder();
  try {
    const clone = join(folder.path, 'clone');
    const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: REPOSITORY,
      maxBuffer: 2 ** 26,
    });
    for (const path of stdout.split('\0').filter(Boolean))
      await cp(join(REPOSITORY, path), join(clone, path)).catch((error) => {
        // It was removed, but not committed.
        if (error.code !== 'ENOENT') throw error;
      });
    const { stderr } = await run('npm', ['ci', '--omit=dev', '--prefer-offline'], { cwd: clone });
    expect(stderr).toBe('');
    await start(['npm', 'run', '--silent', 'cli', '--'], clone, async ({ url, service }) => {
      const what = /run npm ci without --omit=dev/;
      const first = await firstPage(url);
      expect(await first.text()).not.toContain('</script>');
      await service.says('is ready');
      const page = await fetch(url);
      expect([page.status, await page.text()]).toEqual([200, expect.stringMatching(what)]);
      expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
      expect(service.stdout()).toMatch(what);
      expect(service.stderr()).not.toMatch(/^\s+at /m);
    });
  } finally {
    await folder.remove();
  }
});
