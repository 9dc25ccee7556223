// The client's package as npm users get it: installed into an empty folder, on each Node that it supports, with
// its types, and bundled for a browser.
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { writeSdkPackage } from '../scripts/packages/sdk-package.ts';
import { sceneClip } from '../server/test/media/clips.ts';
import { REPOSITORY } from './harness/command.ts';
import { diskUse, installedPackages, installOnline, NODES, runNpmOffline } from './harness/npm.ts';
import { makeFolder, type Service, startService } from './harness/service.ts';

const TIMEOUT_MS = 180_000;
const { chromium: browserProgram } = inject('programs');
/** Largest install of the client. */
const MAX_MB = 3;
const TSC = join(REPOSITORY, 'node_modules/typescript-native/bin/tsc');
const run = promisify(execFile);

const LIST = `
import { createSightline, SightlineError } from '@sightline/sdk';
const sightline = createSightline({ baseUrl: process.env.SIGHTLINE_URL, apiKey: process.env.SIGHTLINE_API_KEY });
const { data } = await sightline.api.GET('/api/my-videos');
const error = await sightline.ready('missing').catch((error) => error);
console.log(JSON.stringify([process.versions.node, data.videos.length, error instanceof SightlineError && error.status]));
`;

describe("the client's package", { timeout: TIMEOUT_MS }, () => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let tarball: string;
  let project: string;
  let service: Service;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await makeFolder();
    project = join(folder.path, 'empty project');
    await mkdir(project);
    await writeSdkPackage(join(folder.path, 'package'));
    const { stdout } = await run('npm', ['pack', join(folder.path, 'package')], { cwd: folder.path });
    tarball = join(folder.path, stdout.trim());
    await installOnline(project, tarball);
    service = await startService(`${folder.path}/data`);
    await service.upload(await sceneClip());
    env = { SIGHTLINE_URL: service.url, SIGHTLINE_API_KEY: service.key, HOME: folder.path, PATH: process.env.PATH! };
  }, TIMEOUT_MS);
  afterAll(async () => {
    await service?.stop();
    await folder?.remove();
  });

  test('is small', async () => {
    expect(await diskUse(project)).toBeLessThanOrEqual(MAX_MB);
  });

  test.each(NODES)('$name installs it without a network and without a warning', async (node) => {
    const other = join(folder.path, node.name);
    await mkdir(other);
    await writeFile(join(other, 'package.json'), '{ "private": true }');
    const { stdout, stderr } = await runNpmOffline(node, ['install', tarball], other);
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^\s*added \d+ packages/), '']);
    expect(Object.keys(await installedPackages(other))).toEqual(Object.keys(await installedPackages(project)));
  });

  test.each(NODES)('$name runs the client and the command line', async ({ node }) => {
    await writeFile(join(project, 'list.js'), LIST);
    const { stdout } = await run(node, ['list.js'], { cwd: project, env });
    expect(JSON.parse(stdout)).toEqual([expect.stringMatching(/^\d/), 1, 404]);
    const command = join(project, 'node_modules/.bin/sightline');
    const listed = await run(node, [command, '--json', 'videos', 'list'], { cwd: project, env });
    expect(JSON.parse(listed.stdout)).toMatchObject({ videos: [{ video_name: 'scene.mp4' }] });
  });

  test.each(['nodenext', 'bundler'])('has types for projects that resolve modules as %s', async (moduleResolution) => {
    const module = moduleResolution === 'bundler' ? 'esnext' : 'nodenext';
    const settings = { strict: true, noEmit: true, target: 'es2022', lib: ['es2024', 'dom'], types: [] };
    const compilerOptions = { ...settings, module, moduleResolution };
    const files = ['typed.ts'];
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const typed = (name: string) => `
      import { createSightline, type StreamEvent } from '@sightline/sdk';
      const sightline = createSightline({ baseUrl: 'http://localhost' });
      export async function first(): Promise<StreamEvent | undefined> {
        for await (const event of sightline.ask({ query: 'a dog', ${name}: ['v'] })) return event;
      }`;
    await writeFile(join(project, 'typed.ts'), typed('videoIds'));
    await run(process.execPath, [TSC, '--project', project]);
    await writeFile(join(project, 'typed.ts'), typed('videos'));
    const error = await run(process.execPath, [TSC, '--project', project]).catch((error) => error);
    expect(error.stdout).toContain("'videos' does not exist in type 'Question'");
  });

  test.runIf(browserProgram)('works in a page, bundled, without anything of Node', async () => {
    await writeFile(
      join(project, 'page.js'),
      "import { createSightline } from '@sightline/sdk'; window.create = createSightline;",
    );
    const bundle = await rolldown({ input: join(project, 'page.js'), platform: 'browser' });
    const { output } = await bundle.generate({ format: 'iife' });
    await bundle.close();
    const { code } = output[0];
    expect(code).not.toMatch(/require\(|["']node:/);
    const args = ['--no-sandbox', '--disable-features=LocalNetworkAccessChecks'];
    const browser = await chromium.launch({ executablePath: browserProgram!, args });
    try {
      const page = await browser.newPage();
      await page.route('http://app.example/', (route) => route.fulfill({ contentType: 'text/html', body: '<p>' }));
      await page.goto('http://app.example/');
      await page.addScriptTag({ content: code });
      const clip = (await readFile(await sceneClip())).toString('base64');
      const found = await page.evaluate(
        async ({ url, key, bytes }) => {
          const sightline = (
            globalThis as unknown as { create: typeof import('@sightline/sdk').createSightline }
          ).create({
            baseUrl: url,
            apiKey: key,
          });
          const blob = await (await fetch(`data:video/mp4;base64,${bytes}`)).blob();
          const { video_id } = await sightline.upload(blob, { name: 'page.mp4' });
          await sightline.ready(video_id);
          const kinds: string[] = [];
          for await (const { kind } of sightline.ask({ query: 'the picture gets dark', videoIds: [video_id] }))
            kinds.push(kind);
          return kinds;
        },
        { url: service.url, key: service.key, bytes: clip },
      );
      expect(found.at(-1)).toBe('done');
      expect(found.length).toBeGreaterThan(2);
    } finally {
      await browser.close();
    }
  });
});
