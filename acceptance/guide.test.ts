// Every command of the guide is run as it is printed, in one shell, by a reader who has the first key and a clip.
import { spawn } from 'node:child_process';
import { copyFile, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sceneClip } from '../server/test/clips.ts';
import { REPOSITORY } from './harness/command.ts';
import { KEY, makeFolder, type Service, startService } from './harness/service.ts';

const PATIENCE_MS = 120_000;
let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Service;
beforeAll(async () => {
  folder = await makeFolder();
  // The guide's own URL import fetches from this machine.
  const env = { SIGHTLINE_MODELS_DIR: `${folder.path}/no models`, SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8' };
  service = await startService(`${folder.path}/data`, { env });
});
afterAll(async () => {
  await service?.stop();
  await folder?.remove();
});

test('every command of the guide works as it is printed', { timeout: PATIENCE_MS }, async () => {
  const clip = await sceneClip();
  await copyFile(clip, join(folder.path, 'clip.mp4'));
  const site = createServer(async (_, response) => response.end(await readFile(clip)));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const clipUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}/clip.mp4`;
  const commands = commandsOf(await readFile(join(REPOSITORY, 'docs/guide.md'), 'utf8'));
  expect(commands.length).toBeGreaterThan(10);
  try {
    const { code, said } = await shell(
      commands.map(
        (block, i) =>
          // The reader's own address and key stand where the guide has examples of them.
          `echo "== ${i}"; ${i === 0 ? `export SIGHTLINE_URL=${service.url} SIGHTLINE_API_KEY=${KEY}` : block}`,
      ),
      { CLIP_URL: clipUrl, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    );
    expect(code, said).toBe(0);
    expect(said).toContain('"event":"done"');
    const [first, second] = said
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

const commandsOf = (markdown: string) => [...markdown.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!);

async function shell(blocks: string[], env: Record<string, string>): Promise<{ code: number; said: string }> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', `exec 2>&1\n${blocks.join('\n')}`], {
    cwd: folder.path,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: PATIENCE_MS,
  });
  const [said, code] = await Promise.all([
    text(child.stdout),
    new Promise<number>((resolve) => child.once('exit', (exit) => resolve(exit ?? 1))),
  ]);
  return { code, said };
}
