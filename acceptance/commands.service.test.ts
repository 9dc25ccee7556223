import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sceneClip } from '../server/test/media/clips.ts';
import { ask, DARK, fetchDocument } from './harness/answers.ts';
import { begin, type CommandOptions, sightline } from './harness/command.ts';
import { send, until } from './harness/processes.ts';
import { environment, makeFolder, type Service, startService } from './harness/service.ts';

/** Commands other than `start`. (`keys` is tested with the requests that need keys.) */
let folder: Awaited<ReturnType<typeof makeFolder>>;
let clip: string;
let service: Service | undefined;

beforeAll(async () => {
  folder = await makeFolder();
  clip = await sceneClip();
});
afterAll(async () => {
  await service?.stop();
  await folder.remove();
});

/** A machine without model weights and without a network to download them. */
async function demoEnvironment(): Promise<Record<string, string>> {
  const { SIGHTLINE_BOOTSTRAP_KEY: _, SIGHTLINE_DETECTOR: __, ...env } = await environment(join(folder.path, 'demo'));
  return { ...env, SIGHTLINE_MODELS_DIR: join(folder.path, 'no models') };
}

async function run(args: string[], env: Record<string, string>, options: CommandOptions = {}) {
  return sightline(args, { ...options, env, timeoutMs: 240_000 });
}

test('demo renders a scene, analyzes it, shows progress and events with images, prints the first key, and exits with 0', async () => {
  const { code, stdout, stderr } = await run(['demo'], await demoEnvironment());
  expect([code, stderr]).toEqual([0, expect.stringMatching(/uploading.*observing.*%/s)]);
  expect(stdout).toMatch(/│ time .*│ event .*│ confidence .*│ image/);
  // The detector that comes with the installation finds these, and says which one knows buses.
  expect(stdout).toMatch(/│ red car enters from the left\s+│/);
  expect(stdout).toMatch(/│ person .*│ 0\.[5-9]\d\s+│/);
  expect(stdout).toMatch(/│ bus\s+│ not looked for │.*does not know buses, but yolox_nano does/);
  expect(stdout).toMatch(
    /\nThe weights of yolox_nano, a better object detector, are missing\. .*models fetch yolox_nano/,
  );
  expect(stdout).toMatch(/\bsk_[A-Za-z0-9]{32,}\b/);
  const images = (await readdir(join(folder.path, 'demo', 'demo'))).filter((name) => name.endsWith('.jpg'));
  expect(images.length).toBeGreaterThan(0);
  for (const name of images) {
    const bytes = await readFile(join(folder.path, 'demo', 'demo', name));
    expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0xd8]);
    expect(stdout).toContain(name);
  }
}, 300_000);

test('demo with a clip and a prompt exits with 1 if nothing was found, and reports what could not be searched for and what can be', async () => {
  const env = await demoEnvironment();
  const again = await run(['demo', clip, 'a jalopy near a bloke'], env);
  const lines = /jalopy.*not looked for.*\n\nDid you mean: a car near a bloke\n/s;
  expect([again.code, again.stdout]).toEqual([1, expect.stringMatching(lines)]);
  expect(again.stdout).not.toMatch(/sk_/);
  const none = await run(['demo', join(folder.path, 'nothing.mp4')], env);
  expect([none.code, none.stdout, none.stderr]).toEqual([
    1,
    '',
    expect.stringMatching(/^There is no file .*nothing\.mp4\.\n$/),
  ]);
});

test('analyze --local answers without a server, and leaves only converted models behind', async () => {
  const data = join(folder.path, 'local');
  const env = { SIGHTLINE_DATA_DIR: data, SIGHTLINE_MODELS_DOWNLOAD: 'false' };
  const answer = await run(['analyze', clip, `${DARK}, pothole`, '--local'], env);
  expect(answer.code).toBe(0);
  expect(answer.stdout).toMatch(/0:06\.0 to 0:08\.0/);
  expect(answer.stdout).toMatch(/pothole.*not looked for/s);
  // These answers need no detector, and without weights the command takes a fifth of the time.
  const light = { ...env, SIGHTLINE_DETECTOR: 'yolox_nano' };
  const refused = await run(['analyze', clip, 'a jalopy near a bloke', '--local'], light);
  expect(refused.stdout).toMatch(/jalopy.*not looked for.*\n\nDid you mean: a car near a bloke\n/s);
  const json = await run(['analyze', clip, DARK, '--local', '--json'], light);
  expect(JSON.parse(json.stdout)).toMatchObject({ events: [{ startS: 6 }], coverage: [{ status: 'looked_for' }] });
  expect(await readdir(data, { recursive: true })).toEqual([
    'models',
    'models/converted',
    expect.stringMatching(/\/movenet_lightning-\w+\.onnx$/),
    expect.stringMatching(/\/ssd_mobilenet_v2-\w+\.onnx$/),
  ]);
});

test('an interrupted command does not exit with 0', async () => {
  const env = { SIGHTLINE_DATA_DIR: join(folder.path, 'local'), SIGHTLINE_MODELS_DOWNLOAD: 'false' };
  const analysis = begin(['analyze', clip, DARK, '--local'], { env });
  await until(() => analysis.stderr().includes('observing'), 'the analysis to begin');
  send(analysis.pid, 'SIGINT');
  expect([await analysis.ended, analysis.stdout()]).toEqual([130, '']);
});

test('analyze --local reports files that are missing or not videos', async () => {
  const env = { SIGHTLINE_DATA_DIR: join(folder.path, 'local'), SIGHTLINE_MODELS_DOWNLOAD: 'false' };
  const [wrong, none] = await Promise.all(
    [join(import.meta.dirname, 'commands.service.test.ts'), join(folder.path, 'nothing.mp4')].map((path) =>
      run(['analyze', path, DARK, '--local'], env),
    ),
  );
  expect([wrong!.code, wrong!.stdout, wrong!.stderr]).toEqual([1, '', expect.stringMatching(/not a video/)]);
  expect([none!.code, none!.stdout, none!.stderr]).toEqual([
    1,
    '',
    expect.stringMatching(/^[^\n]*nothing\.mp4[^\n]*\.\n$/),
  ]);
});

test('models are listed, fetched from a mirror only if they are the published ones, verified and removed', async () => {
  const dir = join(folder.path, 'some models');
  const mirror = createServer((_, response) => response.end('another file'));
  await new Promise<void>((resolve) => mirror.listen(0, '127.0.0.1', resolve));
  const { port } = mirror.address() as AddressInfo;
  const env = { SIGHTLINE_MODELS_DIR: dir, SIGHTLINE_MODELS_URL: `http://127.0.0.1:${port}` };
  const allowed = { ...env, SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8' };
  try {
    const models = async (args: string[], given: Record<string, string> = allowed) => {
      const { code, stdout, stderr } = await run(['models', ...args], given);
      return [code, `${stdout}${stderr}`];
    };
    expect(await models(['list'])).toEqual([0, expect.stringMatching(/yolox_nano.*Apache-2\.0.*3\.7 MB.*missing/)]);
    expect(await models(['fetch', 'yolox_nano'])).toEqual([
      1,
      expect.stringContaining('the published one has 3659407'),
    ]);
    expect(await models(['fetch', 'yolox_nano'], env)).toEqual([1, expect.stringContaining('not a public address')]);
    expect(await models(['fetch', 'nothing'])).toEqual([1, expect.stringContaining('There is no model "nothing".')]);
    const off = { ...allowed, SIGHTLINE_MODELS_DOWNLOAD: 'false' };
    expect(await models(['fetch', 'yolox_nano'], off)).toEqual([1, expect.stringContaining('turned off')]);
    // The files of these models are installed with the service.
    const installed =
      'ssd_mobilenet_v2: there, verified\npp_ocr_v4: there, verified\nmovenet_lightning: there, verified\n';
    expect(await models(['verify'])).toEqual([0, installed]);
    expect(await models(['verify', 'yolox_nano'])).toEqual([1, 'yolox_nano: missing\n']);
    await writeFile(join(dir, 'yolox_nano.onnx'), 'my own');
    expect(await models(['verify'])).toEqual([1, `yolox_nano: there, not the published file\n${installed}`]);
    expect(await models(['remove', 'yolox_nano'])).toEqual([0, expect.stringContaining('not in')]);
    expect(await readdir(dir)).toEqual(['converted']);
  } finally {
    mirror.close();
  }
});

test('beside a running service: demo uses it; backup and restore into an empty folder preserve keys, videos and analyses', async () => {
  service = await startService(join(folder.path, 'data'), {
    env: { SIGHTLINE_MODELS_DIR: join(folder.path, 'no models') },
  });
  const { env } = service;
  const demo = await run(['demo', clip, DARK], env);
  expect([demo.code, demo.stdout]).toEqual([0, expect.stringMatching(/picture is dark/)]);
  const { json } = await service.call('GET', '/api/my-videos');
  const [{ video_id, status }] = json.videos as [{ video_id: string; status: string }];
  expect(status).toBe('uploaded');
  const { analysisId, document } = await ask(service, { query: DARK, video_id });
  expect(document.analysis.events).toHaveLength(1);

  const observations = join(service.dataDir, 'files', 'videos', video_id, 'observations');
  const observedAt = async () =>
    Promise.all((await readdir(observations)).map(async (name) => (await stat(join(observations, name))).mtimeMs));
  const before = Math.max(...(await observedAt()));
  // Not beside `--again`, which discards the observations by which this command finds the video.
  const all = await run(['observe'], env);
  const [again, none, quota, nobodys] = await Promise.all(
    [
      ['observe', video_id, '--again'],
      ['observe', 'nothing'],
      ['quota', '--videos', '7', '--bytes', 'default'],
      ['quota', 'nobody', '--videos', '7'],
    ].map((args) => run(args, env)),
  );
  expect([again!.code, again!.stdout]).toEqual([
    0,
    '1 video is handed to the workers: everything is observed again.\n',
  ]);
  expect([all.code, all.stdout]).toEqual([0, expect.stringMatching(/^1 video is handed to the workers: .+\.\n$/)]);
  expect([none!.code, none!.stderr]).toEqual([1, 'There is no video nothing that could be observed.\n']);
  expect([quota!.code, quota!.stdout]).toEqual([0, expect.stringMatching(/videos .* 1 .* 7 .*bytes .*none/s)]);
  expect([nobodys!.code, nobodys!.stderr]).toEqual([1, 'There is no organization nobody.\n']);
  const { json: log } = await service.call('GET', '/api/audit-events');
  const changes = (log.events as { action: string }[]).filter(({ action }) => action === 'quota.changed');
  expect(changes).toMatchObject([{ user_id: null, detail: { max_videos: 7, max_bytes: null } }]);
  const { json: feed } = await service.call('GET', '/api/audit?limit=1');
  const [{ position, digest }] = feed.events as [{ position: number; digest: string }];
  const [verified, rewritten, unnamed] = await Promise.all(
    [
      ['audit', 'verify', '--known', `${position}:${digest}`],
      ['audit', 'verify', '--known', `${position}:0`],
      ['audit', 'erase', 'nobody@example.com'],
    ].map((args) => run(args, env)),
  );
  expect([verified!.code, verified!.stdout]).toEqual([
    0,
    expect.stringMatching(/intact.*has the digest that you noted/s),
  ]);
  expect([rewritten!.code, rewritten!.stderr]).toEqual([1, expect.stringContaining('the audit log was rewritten')]);
  expect([unnamed!.code, unnamed!.stdout]).toEqual([0, 'No entries name nobody@example.com.\n']);
  // The workers or the next prompt observe the video again, whichever runs first.
  await ask(service, { query: DARK, video_id });
  expect(Math.min(...(await observedAt()))).toBeGreaterThan(before);

  const target = join(folder.path, 'a backup');
  const backup = await run(['backup', target], env);
  expect([backup.code, backup.stdout, backup.stderr]).toEqual([
    0,
    expect.stringMatching(/Backed up \d+ files, \d+ MB, and \d+ rows into/),
    '',
  ]);
  const twice = await run(['backup', target, '--keep', '1'], env);
  expect([twice.code, twice.stdout]).toEqual([0, expect.stringContaining('1 earlier backups were deleted.')]);
  expect((await run(['verify-backup', target], env)).stdout).toContain('is intact');
  const base = join(folder.path, 'files of the database');
  expect((await run(['backup', base, '--database-only'], env)).stdout).toContain('files of the database');
  const refusals = [
    ['backup', base, '--database-only'],
    ['restore', target],
    ['restore', base],
    ['restore', join(folder.path, 'nothing')],
    ['verify-backup', target, '--backup', 'another'],
    ['backup', target, '--recipient', 'age1wrong'],
  ];
  for (const args of refusals) {
    const refused = await run(args, env);
    expect([args, refused.code, refused.stdout]).toEqual([args, 1, '']);
    expect(refused.stderr).toMatch(/^[^\n]+\.\n$/);
  }
  await service.stop();

  const restored = { ...env, SIGHTLINE_DATA_DIR: join(folder.path, 'restored') };
  const restore = await run(['restore', target], restored);
  expect([restore.code, restore.stderr]).toEqual([0, '']);
  service = await startService(restored.SIGHTLINE_DATA_DIR, { env: restored });
  const { analysis } = await fetchDocument(service, video_id, analysisId);
  expect(analysis.events).toHaveLength(1);
  expect((await fetch(analysis.events[0]!.data.annotated_thumbnail_url!)).status).toBe(200);
  const next = await ask(service, { query: 'the picture freezes', video_id });
  expect(next.events.some((event) => event.data.stage === 'observing')).toBe(false);
}, 300_000);
