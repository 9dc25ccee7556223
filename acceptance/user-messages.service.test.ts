// The user command line with what tells a user of changes: watching, saved questions and webhooks.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DARK } from './harness/answers.ts';
import { beginUser, user } from './harness/command.ts';
import { type CommandLine, openCommandLine } from './harness/command-line.ts';

let line: CommandLine;
let env: Record<string, string>;
const text = (...args: string[]) => line.text(...args);
const json = (...args: string[]) => line.json(...args);

beforeAll(async () => {
  line = await openCommandLine({ logIn: true });
  ({ env } = line);
});
afterAll(() => line?.close());

test('watch prints what changes until it is interrupted, and resumes after an event', async () => {
  const watching = beginUser(['watch', '--only', 'video'], { env });
  await watching.says('Waiting for changes');
  const [made] = await json('upload', line.clip);
  const id = String(made!.video_id);
  await watching.says(new RegExp(`video ${id} status \\(uploaded\\)`));
  const position = /position (\d+)/.exec(watching.stdout())![1]!;
  process.kill(watching.pid, 'SIGINT');
  await watching.ended;
  const again = beginUser(['watch', '--last-id', position, '--json'], { env });
  await again.says(`"id":"${id}"`);
  expect(JSON.parse(again.stdout().split('\n')[0]!)).toMatchObject({ type: 'video', change: 'created' });
  process.kill(again.pid, 'SIGINT');
  await again.ended;
  expect((await user(['watch', '--last-id', 'x'], { env })).code).toBe(1);
});

test('a saved question runs on a new video, is snoozed, paused, run on existing videos and deleted', async () => {
  const refused = await user(['questions', 'save', 'Feelings', 'somebody is suspicious'], { env });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^No part of this prompt.*"suspicious"/)]);
  const [folder] = await json('folders', 'create', `watched ${Date.now()}`);
  const place = ['--folder-id', String(folder!.id)];
  const alerts = ['--cooldown', '600', '--quiet', '02:00-02:01', '--time-zone', 'UTC', '--labels', 'dark'];
  const [saved] = await json('questions', 'save', 'Dark', DARK, ...place, ...alerts);
  const id = String(saved!.saved_question_id);
  expect(saved).toMatchObject({ state: 'active', folder_id: folder!.id, rule: { cooldown_s: 600, labels: ['dark'] } });
  const uploaded = await json('upload', line.clip, '--folder', String(folder!.name), '--name', 'watched.mp4');
  type Runs = { runs: { status: string }[] };
  const run = async () => ((await json('questions', 'runs', id)) as unknown as [Runs])[0].runs;
  await expect.poll(async () => (await run())[0]?.status, { timeout: 60_000, interval: 200 }).toBe('completed');
  expect(await run()).toMatchObject([{ video_id: uploaded[0]!.video_id, matching_count: 1, alert_count: 1 }]);
  expect(await text('questions', 'runs', id)).toMatch(/watched\.mp4 .* completed .* 1 .* 1 /);
  const nothing = await user(['questions', 'run', id], { env });
  expect([nothing.code, nothing.stderr]).toEqual([1, expect.stringContaining('has already run')]);
  expect(await text('questions', 'change', id, '--prompt', `${DARK}, a cut`, '--name', 'Night')).toMatch(/^Night: /);
  expect(await text('questions', 'snooze', id, '--hours', '2')).toMatch(/^Night is snoozed until \d{4}-/);
  expect(await text('questions', 'snooze', id, '--hours', '0')).toBe('Night is active.');
  expect(await text('questions', 'pause', id)).toBe('Night is paused.');
  expect(await text('questions', 'resume', id)).toBe('Night is active.');
  expect(await text('questions')).toMatch(new RegExp(`${id} .* Night .* active .* ${folder!.name} `));
  expect(await text('questions', 'delete', id)).toBe(`Deleted ${id}.`);

  const [again] = await json('questions', 'save', 'Dark', DARK, ...place, '--fast');
  expect(await text('questions', 'run', String(again!.saved_question_id), '--announce')).toMatch(/of 1 video\.$/);
  await text('questions', 'delete', String(again!.saved_question_id));
});

test('webhooks are created, tested, changed and deleted; messages are verified as documented', async () => {
  const messages: { headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    messages.push({ headers: request.headers, body: Buffer.concat(await request.toArray()).toString() });
    response.writeHead(messages.length === 1 ? 200 : 500).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  try {
    const [created] = await json('webhooks', 'create', url, '--types', 'video.ready', '--description', 'Door');
    expect(created).toMatchObject({ url, event_types: ['video.ready'], enabled: true });
    const { webhook_id: id, secret } = created as unknown as { webhook_id: string; secret: string };
    expect(await text('webhooks', 'ping', id)).toMatch(/^status 200 after \d+ ms$/);
    expect(messages).toHaveLength(1);
    const page = await readFile(new URL('../docs/webhooks.md', import.meta.url), 'utf8');
    const block = (language: string) => new RegExp(`\`\`\`${language}\n(.+?)\`\`\``, 's').exec(page)![1]!;
    const { verify } = await import(`data:text/javascript,${encodeURIComponent(block('js'))}`);
    const { headers, body } = messages[0]!;
    expect(verify(secret, headers, body)).toMatchObject({ type: 'webhook.ping' });
    expect(() => verify(secret, headers, `${body} `)).toThrow('signature');
    const script = `${block('python')}\nimport sys\nprint(verify(*json.load(sys.stdin))["type"])`;
    const python = (given: string) =>
      spawnSync('python3', ['-c', script], { input: JSON.stringify([secret, headers, given]), encoding: 'utf8' });
    expect(python(body).stdout).toBe('webhook.ping\n');
    expect(python(`${body} `).stderr).toContain('The signature is wrong.');

    const failed = await user(['webhooks', 'ping', id], { env });
    expect([failed.code, failed.stdout]).toEqual([1, 'The endpoint responded with status 500.\n']);
    const [log] = (await json('webhooks', 'deliveries', id, '--status', 'failed')) as unknown as {
      deliveries: { delivery_id: string }[];
    }[];
    expect(log!.deliveries).toMatchObject([{ type: 'webhook.ping', attempts: 1, response_status: 500 }]);
    expect(await text('webhooks', 'resend', id, log!.deliveries[0]!.delivery_id)).toContain('webhook.ping');
    expect(await text('webhooks', 'rotate', id, '--overlap', '1')).toMatch(/^whsec_/);
    expect(await text('webhooks', 'disable', id)).toContain('is disabled.');
    expect(await text('webhooks', 'list')).toContain('disabled');
    expect(await text('webhooks', 'enable', id)).toContain('is enabled.');
    expect(await text('webhooks', 'change', id, '--types', 'live.event', 'live.ended')).toContain(
      'live.event live.ended',
    );
    expect(await text('webhooks', 'delete', id)).toContain(id);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
