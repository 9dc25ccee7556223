// Runs every command of the guide and of the README as printed, in one shell, as a reader with the first key and a
// clip.
import { spawnSync } from 'node:child_process';
import { copyFile, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sceneClip } from '../server/test/media/clips.ts';
import { REPOSITORY } from './harness/command.ts';
import { runPage } from './harness/page.ts';
import { makeFolder, type Service, startService } from './harness/service.ts';

const TIMEOUT_MS = 120_000;
let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Service;
beforeAll(async () => {
  folder = await makeFolder();
  // The guide's URL import fetches from this machine.
  const env = { SIGHTLINE_MODELS_DIR: `${folder.path}/data/models`, SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8' };
  service = await startService(`${folder.path}/data`, { env });
});
afterAll(async () => {
  await service?.stop();
  await folder?.remove();
});

test('every command of the guide works as printed', { timeout: TIMEOUT_MS }, async () => {
  const clip = await sceneClip();
  await copyFile(clip, join(folder.path, 'clip.mp4'));
  const site = createServer(async (_, response) => response.end(await readFile(clip)));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const clipUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/clip.mp4`;
  try {
    const { code, output, blocks } = await runPage('guide', service, folder.path, { CLIP_URL: clipUrl });
    expect(blocks).toBeGreaterThan(10);
    expect(code, output).toBe(0);
    expect(output).toContain('"event":"done"');
    const [first, second] = output
      .split('== ')
      .find((part) => /^\d+\n[0-9a-f]{32}\n[0-9a-f]{32}\n$/.test(part))!
      .split('\n')
      .slice(1);
    expect(second, 'a repeat with an Idempotency-Key').toBe(first);
    expect(await readFile(join(folder.path, 'film.mp4'))).toEqual(await readFile(clip));
  } finally {
    site.close();
    site.closeAllConnections();
  }
});

test('commands of the README work as pasted, with the printed key', async () => {
  await copyFile(await sceneClip(), join(folder.path, 'clip.mp4'));
  const readme = await readFile(join(REPOSITORY, 'README.md'), 'utf8');
  const commands = /^```\n(export KEY=.*?)^```$/ms.exec(readme)![1]!;
  const pasted = commands.replace(/sk_\S+/, service.key).replaceAll('http://localhost:8099', service.url);
  const { stdout, stderr } = spawnSync('bash', ['-c', pasted], {
    cwd: folder.path,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  });
  expect(stdout, stderr).toMatch(/^event: done$/m);
});
