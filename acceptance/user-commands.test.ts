// The command line of users, from the login to the last key: everything over HTTP, as somebody who has a key and nothing else.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { sceneClip } from '../server/test/clips.ts';
import { startHlsOrigin } from '../server/test/live-sources.ts';
import { DARK } from './harness/answers.ts';
import { startClouds } from './harness/clouds.ts';
import { beginUser, REPOSITORY, type Running, user } from './harness/command.ts';
import { makeFolder, type Service, startService } from './harness/service.ts';

type Operation = { operationId: string; 'x-scope': string };
/** What is answered where a request was not the one that was meant, or came without the key. */
const NOT_REACHED = new Set(['route_not_found', 'method_not_allowed', 'key_missing', 'session_needed', 'unknown']);

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
const { s3Server, gcsServer, ffmpeg } = inject('programs');
let clouds: Awaited<ReturnType<typeof startClouds>> | null = null;
let camera: Awaited<ReturnType<typeof startHlsOrigin>> | null = null;

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
  await camera?.stop();
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

/** A livestream goes on while all else here is done, and what comes of it is looked at then. */
let live: string[];
let watching: Running;
test.runIf(ffmpeg)('a livestream is begun, and followed', async () => {
  camera = await startHlsOrigin(ffmpeg!, { input: ['-re', '-stream_loop', '-1', '-i', clip] });
  const named = ['--name', 'Gate 4', '--stream', `gate-${Date.now()}`, '--query', DARK];
  const [begun] = await json('live', 'start', camera.url, ...named);
  expect(begun).toMatchObject({ name: 'Gate 4', stream_id: named[3] });
  live = [String(begun!.stream_id), String(begun!.session_id)];
  watching = beginUser(['live', 'show', ...live, '--follow'], { env });

  const nowhere = await user(['live', 'start', 'ftp://camera.example/'], { env });
  expect([nowhere.code, nowhere.stdout, nowhere.stderr]).toEqual([1, '', expect.stringContaining('rtsp')]);
});

describe('a video', () => {
  let videoId: string;
  let batchId: string;

  test('is uploaded into a folder, whole', async () => {
    const missing = await user(['upload', '/nowhere.mp4'], { env });
    expect([missing.code, missing.stderr]).toEqual([1, 'There is no file /nowhere.mp4.\n']);
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

test.runIf(ffmpeg)('the livestream is listed, plays, is asked something else, and told to the end', async () => {
  await watching.says(/^\d\d:\d\d .*dark.* \(0\.\d\d\)$/m);
  expect(await text('live', 'list', '--stream', live[0]!)).toMatch(new RegExp(`${live[1]}.*Gate 4.*ACTIVE`));
  expect(await text('live', 'show', ...live)).toMatch(/^\d\d:\d\d .*dark[\s\S]*: ACTIVE, 0:\d\d\.\d$/);
  expect(await (await fetch(await text('live', 'manifest', live[1]!))).text()).toContain('#EXTM3U');
  const [asked] = await json('live', 'ask', live[1]!, 'a cut', '--add');
  expect(asked).toMatchObject({ searches: ['picture gets dark', 'cut'] });
  expect(await text('live', 'end', ...live)).toBe('It ends now.');
  expect([await watching.ended, watching.stdout()]).toEqual([0, expect.stringMatching(/: FINISHED, 0:\d\d\.\d\n$/)]);
  expect(await text('live', 'end', ...live)).toBe('It had ended already.');

  const told = await json('live', 'show', ...live, '--follow');
  expect(told.map(({ id }) => id)).toEqual([...told.slice(1).map((_, i) => i + 1), undefined]);
  expect(told.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['progress', 'finding', 'finding_ended']));
  expect(told.slice(-2)).toMatchObject([{ kind: 'done' }, { status: 'FINISHED', video_id: expect.any(String) }]);
  const nobody = await user(['live', 'show', live[0]!, '0'.repeat(32), '--follow'], { env });
  expect([nobody.code, nobody.stdout, nobody.stderr]).toEqual([1, '', expect.stringMatching(/^There is no .+\.\n$/)]);
});

test('what has no command of its own is asked of the API as it is', async () => {
  const [usage] = await json('api', 'get', '/api/usage');
  expect(usage).toMatchObject({ videos: expect.any(Number) });
  const folder = JSON.stringify({ name: `by hand ${Date.now()}` });
  const made = await user(['api', 'POST', '/api/folders', '-'], { env, input: folder });
  const { id } = JSON.parse(made.stdout);
  expect(await json('api', 'PATCH', `/api/folders/${id}`, '{"description": "seen"}')).toMatchObject([
    { id, description: 'seen' },
  ]);
  expect(await text('api', 'GET', '/api/audit-events/export?format=csv')).toMatch(/^[^\n]*action[^\n]*\n/);
  const wrong = await user(['api', 'GET', 'api/usage'], { env });
  expect([wrong.code, wrong.stderr]).toEqual([1, 'A path begins with a slash, such as `/api/usage`.\n']);
  const missing = await user(['api', 'GET', '/api/nothing'], { env });
  expect([missing.code, missing.stdout]).toEqual([1, '']);
});

test('the client reaches every operation of the description', async () => {
  const { json } = await service.call('GET', '/openapi.json', { key: null });
  const reached: [string, unknown][] = [];
  for (const [path, operations] of Object.entries(json.paths as Record<string, Record<string, Operation>>)) {
    const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, '0'.repeat(32)]);
    for (const [method, { operationId, 'x-scope': scope }] of Object.entries(operations)) {
      const init = { params: { path: Object.fromEntries(ids) }, parseAs: 'stream' } as const;
      const asked = service.sdk.api.request(method as 'get', path as '/api/usage', init);
      const outcome = await asked.then(
        async ({ response }) => response.body?.cancel(),
        ({ code }) => code,
      );
      // Sessions are for browsers: with a key the service says so.
      const wrong = scope === 'session' ? outcome !== 'session_needed' : NOT_REACHED.has(String(outcome));
      reached.push([operationId, wrong ? outcome : 'reached']);
    }
  }
  expect(reached.length).toBeGreaterThan(100);
  expect(reached.filter(([, outcome]) => outcome !== 'reached')).toEqual([]);
});

test('keys are made, listed and ended; one that only reads says so when it is asked to write', async () => {
  const soon = await user(['keys', 'create', '--name', 'reader', '--days', 'soon'], { env });
  expect([soon.code, soon.stdout, soon.stderr]).toEqual([1, '', expect.stringContaining('It must be a number.')]);
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
