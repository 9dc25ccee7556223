import { chmod, chown, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createSightline } from '@sightline/sdk';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApiClient } from '../server/test/http.ts';
import { sceneClip } from '../server/test/media/clips.ts';
import { ask, DARK } from './harness/answers.ts';
import { begin, launch, type RunningCommand, sightline } from './harness/command.ts';
import { checkoutFor, NOBODY } from './harness/ordinary-user.ts';
import { killAll, running, send, treeOf, until } from './harness/processes.ts';
import { environment, KEY, makeFolder, startService } from './harness/service.ts';

/** Starting, stopping, and commands beside a running service. */
let folder: Awaited<ReturnType<typeof makeFolder>>;
const started: RunningCommand[] = [];

beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(async () => {
  for (const { pid } of started.splice(0)) await killAll(treeOf(pid));
  await folder.remove();
});

function keep<T extends RunningCommand>(command: T): T {
  started.push(command);
  return command;
}

async function withoutKey(): Promise<Record<string, string>> {
  const { SIGHTLINE_BOOTSTRAP_KEY: _, ...env } = await environment(join(folder.path, 'data'));
  return env;
}

const printedKey = (text: string) => /\bsk_[A-Za-z0-9]{32,}\b/.exec(text)?.[0];

test('npm start: the first start prints a key once, a second start on its folder or port is refused, Ctrl-C ends everything', {
  timeout: 300_000,
}, async () => {
  const env = await withoutKey();
  const service = keep(launch('npm', ['start'], { env }));
  await service.says('is ready');
  const url = `http://localhost:${env.SIGHTLINE_PORT}`;
  const output = service.stdout();
  for (const text of [url, `${url}/docs`, env.SIGHTLINE_DATA_DIR!]) expect(output).toContain(text);
  const key = printedKey(output)!;
  expect(output).toMatch(new RegExp(`^    export KEY=${key}$`, 'm'));
  expect(output).toMatch(/^First start: .* about half a minute, later starts a few seconds\.$/m);
  const { call } = createApiClient(url);
  expect((await call('POST', '/api/keys/verify', { key })).json).toMatchObject({
    permissions: ['read', 'write', 'admin'],
  });

  const second = await sightline(['start'], {
    env: { ...env, SIGHTLINE_PORT: String(Number(env.SIGHTLINE_PORT) - 1) },
  });
  expect([second.code, second.stdout]).toEqual([1, '']);
  expect(second.stderr).toMatch(
    /^Sightline is already running on .*data \(process \d+\)\. .*SIGHTLINE_DATA_DIR.*\.\n$/,
  );
  const elsewhere = { ...env, SIGHTLINE_DATA_DIR: join(folder.path, 'other') };
  const third = await sightline(['start'], { env: elsewhere });
  // The key of a new folder is never shown again, so it is printed even if the port is taken.
  expect([third.code, printedKey(third.stdout)]).toEqual([1, expect.any(String)]);
  expect(third.stderr).toContain(env.SIGHTLINE_PORT);
  expect(third.stderr).toMatch(/^[^\n]+\.\n$/);
  expect((await call('GET', '/ready')).status).toBe(200);

  const { video_id } = await createSightline({ baseUrl: url, apiKey: key }).upload(
    new Blob([await readFile(await sceneClip())]),
  );
  // Like a terminal, which signals every process of the group.
  const tree = treeOf(service.pid);
  expect(tree.length).toBeGreaterThan(4); // npm, a shell, node, PostgreSQL and its workers.
  send(-service.pid, 'SIGINT');
  await service.ended;
  await until(() => running(tree).length === 0, 'all processes to end');
  expect(service.stdout()).toContain('Stopping.');
  await expect(fetch(`${url}/health`)).rejects.toThrow();

  const again = keep(begin(['start'], { env: { ...env, SIGHTLINE_PORT: '0' } }));
  await again.says('is ready');
  expect(printedKey(again.stdout())).toBeUndefined();
  expect(again.stdout()).not.toContain('First start');
  const [first] = again.stdout().split('\n');
  const files = join(env.SIGHTLINE_DATA_DIR!, 'files');
  expect(first).toContain(` (embedded); storage ${files}; models `);
  expect(first).toMatch(
    /^Sightline \S+ is ready on http:\/\/localhost:\d+: PostgreSQL [\d.]+ .*; workers \d+\. Missing: .*image search\.$/,
  );
  expect(again.stdout()).toContain('npx sightline accounts create-key --name NAME');
  // Links use the port that was found.
  const here = /http:\/\/localhost:[1-9]\d+/.exec(again.stdout())![0];
  const signed = await createApiClient(here).call('POST', `/api/video/${video_id}/signed-url`, { key });
  expect(signed.json.url).toContain(`${here}/api/media/${video_id}`);
  expect((await fetch(String(signed.json.url), { method: 'HEAD' })).status).toBe(200);
  send(again.pid, 'SIGINT');
  expect(await again.ended).toBe(0);

  // The reader of its output may leave, as `tee` does on Ctrl-C: the service continues and shuts down cleanly.
  const piped = 'set -o pipefail; "$0" server/src/main.ts start | sed "/is ready/q"';
  const unheard = keep(
    launch('bash', ['-c', piped, process.execPath], { env: { ...env, SIGHTLINE_LOG_LEVEL: 'error' } }),
  );
  await unheard.says('is ready');
  await until(async () => (await call('GET', '/ready')).status === 200, 'the service');
  send(-unheard.pid, 'SIGINT');
  expect([await unheard.ended, unheard.stderr()]).toEqual([0, '']);
});

test('Ctrl-C during an analysis shuts down cleanly; the next start resumes the analysis', async () => {
  const service = await startService(join(folder.path, 'data'));
  keep(service.command);
  const videoId = await service.upload(await sceneClip());
  const { json } = await service.call('POST', '/api/router/v2/query/start', {
    json: { query: DARK, video_id: videoId },
  });
  const stream = await fetch(`${service.url}/api/router/v2/query/events/${json.stream_id}`, {
    headers: { 'x-api-key': KEY },
  });
  const tree = treeOf(service.pid);
  const began = performance.now();
  expect(await service.stop()).toBe(0);
  expect(performance.now() - began).toBeLessThan(15_000);
  expect(running(tree)).toEqual([]);
  await stream.text().catch(() => {}); // The stream ended with the service.

  const next = await startService(service.dataDir, { env: service.env });
  keep(next.command);
  const batch = await until(async () => {
    const answer = await next.call('GET', `/api/batch/${json.batch_id}/status`);
    return answer.json.status === 'completed' ? answer.json : null;
  }, 'the analysis to be completed');
  expect(batch.aggregated_progress).toEqual({ total: 1, completed: 1, failed: 0 });
  await next.stop();
});

describe('an invalid configuration', () => {
  test.each([
    [{ SIGHTLINE_PROT: '80' }, /SIGHTLINE_PROT is not a variable of Sightline; did you mean SIGHTLINE_PORT\?/],
    [{ SIGHTLINE_PORT: 'eighty' }, /SIGHTLINE_PORT must be a whole number/],
    [{ SIGHTLINE_BOOTSTRAP_KEY: 'sk_secret' }, /SIGHTLINE_BOOTSTRAP_KEY is too weak/],
  ])('%o is refused with a sentence, and nothing is left running', async (wrong, sentence) => {
    const env: Record<string, string> = { ...(await withoutKey()), ...wrong };
    const { code, stderr, stdout } = await sightline(['start'], { env });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/\n {4}at /);
  });
});

// Without root the whole test file runs as an ordinary user already.
test.runIf(process.getuid?.() === 0)('an ordinary user can start it as root can', async () => {
  const cwd = await checkoutFor(NOBODY, folder.path);
  const data = join(folder.path, 'data of nobody');
  await mkdir(data);
  await chown(data, NOBODY, NOBODY);
  await chmod(folder.path, 0o755);
  const service = await startService(data, { uid: NOBODY, cwd, env: { HOME: data } });
  keep(service.command);
  const { document } = await ask(service, { query: DARK, video_id: await service.upload(await sceneClip()) });
  expect(document.analysis.events).toHaveLength(1);
  expect((await stat(join(data, 'db', 'pg'))).uid).toBe(NOBODY);
  expect(await service.stop()).toBe(0);
});
