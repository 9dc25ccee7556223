// The command line of users, from the login to the last key: everything over HTTP, as somebody who has a key and nothing else.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sceneClip } from '../server/test/clips.ts';
import { DARK } from './harness/answers.ts';
import { startClouds } from './harness/clouds.ts';
import { REPOSITORY, user } from './harness/command.ts';
import { makeFolder, type Service, startService } from './harness/service.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Service;
let clip: string;
/** Folders of this run alone: the service may be one that was there before. */
const [DRIVES, NIGHT, BROUGHT] = ['drives', 'night', 'brought'].map((name) => `${name} ${Date.now()}`) as [
  string,
  string,
  string,
];
/** Whoever logs in here; nothing of the environment says more. */
let env: Record<string, string>;
const { s3Server, gcsServer } = inject('programs');
let clouds: Awaited<ReturnType<typeof startClouds>> | null = null;

beforeAll(async () => {
  folder = await makeFolder();
  clip = await sceneClip();
  if (s3Server && gcsServer) clouds = await startClouds(folder.path, await readFile(clip));
  service = await startService(`${folder.path}/data`, {
    env: {
      SIGHTLINE_MODELS_DIR: `${folder.path}/no models`,
      SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8',
      ...clouds?.env,
    },
  });
  env = { XDG_CONFIG_HOME: join(folder.path, 'config') };
});
afterAll(async () => {
  await service?.stop();
  await clouds?.stop();
  await folder?.remove();
});

/** What a command prints; it has to succeed. */
async function text(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await user(args, { env });
  expect(code, stderr).toBe(0);
  return stdout.trim();
}

/** What it prints as JSON: a value for each line. */
const json = async (...args: string[]) =>
  (await text(...args, '--json')).split('\n').map((line) => JSON.parse(line) as Record<string, never>);

test('nobody is logged in; a wrong key is not kept; a right one is, for nobody else to read', async () => {
  const before = await user(['videos'], { env });
  expect([before.code, before.stderr]).toEqual([1, expect.stringContaining('sightline login')]);

  const wrong = await user(['login', '--url', service.url], { env, input: `sk_${'x'.repeat(48)}\n` });
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/key/i)]);
  expect((await user(['videos'], { env })).code).toBe(1);

  const nobody = await user(['login', '--url', 'http://127.0.0.1:9999'], { env, input: `${service.key}\n` });
  expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('ECONNREFUSED')]);

  const right = await user(['login', '--url', service.url], { env, input: `${service.key}\n` });
  expect([right.code, right.stdout]).toEqual([0, expect.stringContaining('read, write, admin')]);
  expect((await stat(join(env.XDG_CONFIG_HOME!, 'sightline', 'login.json'))).mode & 0o777).toBe(0o600);
  expect(right.stdout + right.stderr).not.toContain(service.key);
});

describe('a video', () => {
  let videoId: string;
  let batchId: string;

  test('is uploaded into a folder, whole', async () => {
    const [answer] = await json('upload', clip, '--folder', DRIVES, '--name', 'ride.mp4');
    videoId = answer!.video_id!;
    const [status] = await json('videos', 'show', videoId);
    const { sha256 } = status!.metadata as unknown as { sha256: string };
    expect(sha256).toBe(
      createHash('sha256')
        .update(await readFile(clip))
        .digest('hex'),
    );
    expect(await text('videos', 'list', '--folder', DRIVES)).toMatch(
      new RegExp(`${videoId}.*ride\\.mp4.*0:16\\.0.*${DRIVES}`),
    );
    expect(await text('folders')).toContain(DRIVES);
  });

  test('is asked, and the events come as they happen', async () => {
    const events = await json('ask', DARK, '--video', videoId);
    expect(events[0]).toMatchObject({ id: 1, kind: 'batch_created' });
    expect(events.at(-1)).toMatchObject({ kind: 'done', data: { status: 'completed' } });
    batchId = (events[0]!.data as unknown as { batch_id: string }).batch_id;
    const streamed = events.filter(({ kind }) => kind === 'finding');
    expect(streamed).toHaveLength(1);

    const { code, stdout, stderr } = await user(['ask', DARK, '--folder', DRIVES, '--fast'], { env });
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/0:06\.\d to 0:0[78]\.\d.*dark/i);
    const [nothing] = [await user(['ask', DARK, '--folder', 'nowhere'], { env })];
    expect(nothing!.code).toBe(1);
  });

  test('its batch and its stream can be looked at again, and its events found', async () => {
    const [status, document] = await json('batch', batchId, '--wait');
    expect(status).toMatchObject({ status: 'completed', aggregated_progress: { total: 1, completed: 1 } });
    expect(document).toMatchObject({ video_id: videoId, analysis: { status: 'COMPLETED' } });
    const again = await json('follow', String(status!.stream_id), '--last-id', '1');
    expect(again.map(({ id }) => Number(id))).toEqual(again.map((_, i) => i + 2));
    const [found] = await json('search', 'when it gets dark', '--folder', DRIVES);
    expect(found).toMatchObject({ status: 'completed', matches: [{ video_id: videoId }] });
  });

  test('plays by an address without a key, moves, goes and comes back', async () => {
    const film = await fetch(await text('videos', 'url', videoId));
    expect(new Uint8Array(await film.arrayBuffer())).toEqual(new Uint8Array(await readFile(clip)));
    const part = await fetch(await text('videos', 'url', videoId, '--kind', 'clip', '--start', '5', '--end', '7'));
    expect([part.status, part.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    expect(await text('videos', 'move', videoId, '--folder', NIGHT)).toContain('done');
    expect(await json('videos', 'list', '--folder', NIGHT)).toMatchObject([{ videos: [{ video_id: videoId }] }]);
    expect(await text('videos', 'delete', videoId)).toContain('done');
    expect((await user(['videos', 'show', videoId], { env })).code).toBe(1);
    expect(await text('videos', 'restore', videoId)).toContain('done');
    const [unknown] = [await user(['videos', 'delete', '0'.repeat(32)], { env })];
    expect([unknown!.code, unknown!.stdout]).toEqual([1, expect.stringContaining('no video')]);
  });
});

describe.runIf(s3Server && gcsServer)('buckets and recordings', () => {
  let integration: string;

  test('an access is saved without showing it to other programs, and brings what is named or fits', async () => {
    const access = { name: 'Fleet', bucket: 'fleet-recordings', endpoint_url: clouds!.s3Url };
    const input = JSON.stringify({ ...access, access_key_id: 'AKIATEST', secret_access_key: 'secret' });
    const saved = await user(['import', 'connect', 's3'], { env, input });
    expect([saved.code, saved.stderr]).toEqual([0, '']);
    integration = saved.stdout.trim();
    expect(await text('import', 'integrations')).toMatch(/Fleet.*s3.*fleet-recordings/);

    const named = ['import', 'start', integration, 'drives/a.mp4', 'drives/b.mp4', '--folder', BROUGHT, '--wait'];
    const [all] = await json(...named);
    expect(all).toMatchObject({ status: 'completed', total: 2, uploaded: 2, failed: 0, folder_name: BROUGHT });
    // One of these is no video, and that is the exit code.
    const fitting = await user(['import', 'start', integration, '--prefix', 'drives/t', '--wait'], { env });
    expect([fitting.code, fitting.stdout]).toEqual([1, expect.stringContaining('0 of 1 came, 1 failed')]);
    expect(await text('import')).toContain(String(all!.id));
  });

  test('a recording becomes videos, whether it is sent or brought', async () => {
    const [sent] = await json('mcap', 'upload', clouds!.told.recording, '--wait');
    expect(sent).toMatchObject({ status: 'completed', derived_videos: [{ role: 'front' }, { role: 'rear' }] });
    const roles = ['--front', '/camera/rear/image', '--role', '/camera/front/image=rear'];
    const stitched = await text('mcap', 'stitch', String(sent!.mcap_ingest_id), ...roles);
    expect(stitched).toMatch(/camera\/rear\/image.*front/);
    const brought = await json('mcap', 'import', integration, 'drives/drive.mcap', '--wait');
    expect(brought).toMatchObject([{ status: 'completed', video_ids: { length: 2 } }]);
  });
});

test('keys are made, listed and ended; one that only reads says so when it is asked to write', async () => {
  const [made] = await json('keys', 'create', '--name', 'reader', '--scopes', 'read', '--days', '1');
  const reader = { SIGHTLINE_URL: service.url, SIGHTLINE_API_KEY: String(made!.key) };
  expect((await user(['videos'], { env: reader })).code).toBe(0);
  const refused = await user(['folders', 'create', 'x'], { env: reader });
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('"write"')]);
  expect(await text('keys')).toMatch(/reader.*read .*active/);
  expect(await text('keys', 'revoke', String(made!.key_id))).toContain('cannot be reactivated');
  expect((await user(['videos'], { env: reader })).code).toBe(1);
});

test('after logging out nobody is logged in', async () => {
  await text('logout');
  expect((await user(['videos'], { env })).code).toBe(1);
});

test('a shell completes commands and their options', async () => {
  const script = await text('completion', 'bash');
  const complete = (...words: string[]) => {
    const typed = words.map((word) => `'${word}'`).join(' ');
    const asked = `${script}\nCOMP_WORDS=(sightline ${typed}); COMP_CWORD=${words.length}; _sightline; echo "\${COMPREPLY[@]}"`;
    return spawnSync('bash', ['-c', asked], { cwd: REPOSITORY, encoding: 'utf8' }).stdout.trim();
  };
  expect(complete('mc')).toBe('mcap');
  expect(complete('mcap', 's')).toBe('show stitch');
  expect(complete('ask', 'a car', '--v')).toBe('--video');
  for (const shell of ['zsh', 'fish']) expect(await text('completion', shell)).toContain('stitch');
  expect((await user(['completion', 'tcsh'], { env })).code).toBe(1);
});
