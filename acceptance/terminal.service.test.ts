// The user command line in a terminal and in a pipe. The service behind it is a scripted HTTP server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { REPOSITORY, user } from './harness/command.ts';
import { makeFolder } from './harness/service.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let folder: Awaited<ReturnType<typeof makeFolder>>;
let server: ReturnType<typeof createServer>;
/** Responses by `METHOD /path`; 404 for everything else. */
let answers: Record<string, Answer>;
let requests: { what: string; key: string | undefined; metadata: string | undefined }[];
let url: string;
let env: Record<string, string>;

const json =
  (body: object, status = 200): Answer =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const verified = json({ email: 'ada@example.com', scope: ['read'] });

beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder?.remove());
beforeEach(async () => {
  [answers, requests] = [{}, []];
  server = createServer((request, response) => {
    const what = `${request.method} ${request.url!.split('?')[0]}`;
    const { 'x-api-key': key, 'upload-metadata': metadata } = request.headers as Record<string, string | undefined>;
    requests.push({ what, key, metadata });
    request.resume().once('end', () => (answers[what] ?? json({ message: 'There is none.' }, 404))(request, response));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  env = { SIGHTLINE_URL: url, SIGHTLINE_API_KEY: 'sk_of_tests', XDG_CONFIG_HOME: join(folder.path, 'config') };
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Runs a command whose reader leaves after the first word. Returns its exit code and its error output. */
async function whileReaderLeaves(...args: string[]) {
  const child = spawn(process.execPath, [`${REPOSITORY}/sdk/src/cli/main.ts`, ...args], {
    env: { PATH: process.env.PATH!, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  child.stdout.once('data', () => child.stdout.destroy());
  const late = setTimeout(() => child.kill('SIGKILL'), 30_000);
  const [code] = await once(child, 'close');
  clearTimeout(late);
  return [code, output];
}

test('a reader that closes the pipe ends a command silently', async () => {
  answers['GET /api/many'] = json({ many: Array.from({ length: 50_000 }, (_, i) => i) });
  expect(await whileReaderLeaves('api', 'GET', '/api/many')).toEqual([0, '']);
  // Without a reader it would be followed forever.
  answers['GET /api/router/v2/query/events/s'] = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let id = 0;
    const timer = setInterval(() => response.write(`id: ${++id}\nevent: progress\ndata: {"progress": 1}\n\n`), 20);
    response.once('close', () => clearInterval(timer));
  };
  expect(await whileReaderLeaves('follow', 's', '--json')).toEqual([0, '']);
});

test('names and errors from others cannot control the terminal; in JSON they are unchanged', async () => {
  const name = 'a\u001b]0;owned\u0007\u001b[2J\u009b1m\r\u202eb';
  const one = { id: 'f', name, scope: 'org', video_count: 0 };
  answers['GET /api/folders'] = json({ folders: [one], has_more: false, next_cursor: null });
  answers['GET /api/usage'] = json({ message: `no \u001b[2Jhere` }, 403);
  const { code, stdout } = await user(['folders'], { env });
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/│ a\ufffd\]0;owned\ufffd\ufffd\[2J\ufffd1m\ufffd\ufffdb +│/),
  ]);
  const plainly = await user(['folders', '--json'], { env });
  expect(JSON.parse(plainly.stdout).folders).toEqual([one]);
  const refused = await user(['api', 'GET', '/api/usage'], { env });
  expect([refused.code, refused.stderr]).toEqual([1, 'no \ufffd[2Jhere\n']);
});

test('a stored key is sent only to its own service', async () => {
  const { SIGHTLINE_API_KEY, SIGHTLINE_URL, ...bare } = env;
  answers['POST /api/keys/verify'] = verified;
  answers['GET /api/folders'] = json({ folders: [], has_more: false, next_cursor: null });
  expect((await user(['login', '--url', url], { env: bare, input: 'sk_kept\n' })).code).toBe(0);
  expect((await user(['folders'], { env: bare })).code).toBe(0);
  expect((await user(['folders'], { env: { ...bare, SIGHTLINE_URL: `${url}/` } })).code).toBe(0);
  expect(requests.map(({ key }) => key)).toEqual(['sk_kept', 'sk_kept', 'sk_kept']);
  const other = await user(['folders'], { env: { ...bare, SIGHTLINE_URL: url.replace('127.0.0.1', 'localhost') } });
  expect([other.code, other.stderr]).toEqual([
    1,
    expect.stringContaining('You are not logged in at http://localhost:'),
  ]);
  expect(requests).toHaveLength(3);
});

test('a progress bar ends with its command and restores the cursor', async () => {
  answers['GET /api/import-jobs/j'] = (request, response) => {
    answers['GET /api/import-jobs/j'] = json({ message: 'It is gone.' }, 404);
    json({ completed_at: null, uploaded: 1, failed: 0, total: 2 })(request, response);
  };
  const terminal = { NODE_OPTIONS: '--import "data:text/javascript,process.stderr.isTTY=true"' };
  const options = { env: { ...env, ...terminal } };
  const { code, stderr } = await user(['import', 'show', 'j', '--wait'], options);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/importing[\s\S]*It is gone\.\n$/)]);
  expect(stderr).not.toContain('\u001b[?25l');
});

test('an upload resumes only for the same destination, and never the upload of another user', async () => {
  const file = join(folder.path, 'clip.mp4');
  await writeFile(file, 'no video, and nobody looks');
  const started =
    (id: string): Answer =>
    (_, response) =>
      response.writeHead(201, { location: `/api/uploads/${id}` }).end();
  const refused = json({ message: 'Not now.' }, 507);
  const whole: Answer = (_, response) => response.writeHead(204, { 'upload-offset': '26' }).end();
  const upload = async (...more: string[]) => (await user(['upload', file, ...more], { env })).code;

  answers['POST /api/uploads'] = started('first');
  answers['PATCH /api/uploads/first'] = refused;
  answers['HEAD /api/uploads/first'] = (_, response) => response.writeHead(200, { 'upload-offset': '0' }).end();
  expect(await upload()).toBe(1);
  // Another name means another video.
  answers['POST /api/uploads'] = started('second');
  answers['PATCH /api/uploads/second'] = whole;
  answers['GET /api/video/second/status'] = json({ status: 'uploaded' });
  expect(await upload('--name', 'ride.mp4')).toBe(0);
  expect(requests.findLast(({ what }) => what === 'POST /api/uploads')!.metadata).toContain(
    Buffer.from('ride.mp4').toString('base64'),
  );
  // The user who is logged in now did not start the first upload.
  answers['HEAD /api/uploads/first'] = (_, response) => response.writeHead(403).end();
  expect(await upload()).toBe(0);
  const stored = await readdir(join(env.XDG_CONFIG_HOME!, 'sightline'));
  expect(stored.filter((name) => name.startsWith('upload'))).toEqual([]);
});

test('a missing file is reported and the others are sent, unless the key is invalid', async () => {
  answers['POST /api/upload-video'] = json({ video_id: 'v' });
  answers['GET /api/video/v/status'] = json({ status: 'uploaded' });
  const missing = join(folder.path, 'missing.mp4');
  const sent = await user(['upload', folder.path, missing, 'http://films/a.mp4'], { env });
  expect([sent.code, sent.stdout]).toEqual([1, 'v  http://films/a.mp4\n']);
  expect(sent.stderr.split('\n')).toEqual([
    expect.stringMatching(/: .* is a folder: name the files in it\.$/),
    expect.stringMatching(/missing\.mp4: There is no file .*missing\.mp4\.$/),
    '',
  ]);
  answers['POST /api/upload-video'] = json({ message: 'The key has been revoked.' }, 401);
  const refused = await user(['upload', 'http://films/a.mp4', 'http://films/b.mp4'], { env });
  expect([refused.code, refused.stderr]).toEqual([1, 'The key has been revoked.\n']);
});

test('all keys are listed, however many pages they take', async () => {
  const key = (id: string) => ({
    key_id: id,
    name: id,
    prefix: 'sk',
    scopes: ['read'],
    status: 'active',
    expires_at: '2030-01-01T00:00:00Z',
    last_used_at: null,
  });
  answers['GET /api/keys'] = (request, response) => {
    const isSecond = request.url!.includes('cursor=next');
    json({ keys: [key(isSecond ? 'two' : 'one')], next_cursor: isSecond ? null : 'next' })(request, response);
  };
  const { stdout } = await user(['keys', '--json'], { env });
  expect(JSON.parse(stdout).keys.map(({ name }: { name: string }) => name)).toEqual(['one', 'two']);
});

test('a failed video of a batch or a failed recording sets the exit code', async () => {
  const status = { query: 'a cut', status: 'failed', aggregated_progress: { completed: 1, total: 1, failed: 1 } };
  answers['GET /api/batch/b/status'] = json({ ...status, videos: [{ video_id: 'v' }] });
  answers['POST /api/batch/b/analyses/bulk'] = json({ analyses: [] });
  const batch = await user(['batch', 'b', '--wait'], { env });
  expect([batch.code, batch.stdout]).toEqual([1, '"a cut": failed, 1 of 1 ended, 1 failed\n']);

  const job = { mcap_import_job_id: 'j', status: 'partial', video_ids: ['v'] };
  answers['POST /api/mcap/cloud-ingest/s3'] = json(job);
  answers['GET /api/mcap/import-jobs/j'] = json(job);
  const imported = await user(['mcap', 'import', 'i', 'a.mcap', 'b.mcap', '--wait'], { env });
  expect([imported.code, imported.stdout]).toEqual([1, 'j: partial\nv\n']);
});
