// Requests that schemathesis generates from the OpenAPI document: valid ones are answered as documented, invalid ones
// are refused.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { sceneClip } from '../server/test/media/clips.ts';
import { ask, DARK } from './harness/answers.ts';
import { REPOSITORY } from './harness/command.ts';
import { makeFolder, type Service, startService } from './harness/service.ts';

declare module 'vitest' {
  interface ProvidedContext {
    fuzzMinutes: number;
  }
}

const { schemathesis } = inject('programs');
/**
 * Users for operations that need a person (`fuzz/callers.py`), with the address and password of the document's
 * examples.
 */
const PEOPLE = ['ada', 'ben', 'mia', 'eve'];
const PASSWORD = 'correct horse battery staple';
/** A hub without buckets and models. The product would retry its requests if nothing listened there. */
const hub = createServer((_, response) => response.writeHead(404).end());
/** Pause between two changes of a video: streams of changes are read until their third event. */
const CHANGE_MS = 250;
/**
 * `npm run fuzz` runs for this many minutes with new requests each time; otherwise every run sends the same requests.
 */
const minutes = inject('fuzzMinutes');
const timeoutMs = (minutes + 20) * 60_000;

let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Service;
beforeAll(async () => {
  folder = await makeFolder();
  await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
  const env = {
    SIGHTLINE_MODELS_DIR: `${folder.path}/data/models`,
    HF_ENDPOINT: `http://127.0.0.1:${(hub.address() as AddressInfo).port}`,
    SIGHTLINE_MAX_LIVE_SESSIONS: '100000',
    SIGHTLINE_SIGN_INS_PER_MINUTE: '1000000000',
    SIGHTLINE_SIGN_INS_PER_DAY: '1000000000',
  };
  service = await startService(`${folder.path}/data`, { env });
  // Content for the lists.
  await ask(service, { query: DARK, video_id: await service.upload(await sceneClip()) });
  for (const name of PEOPLE) {
    const person = { email: `${name}@example.com`, role: 'member' };
    const { status, json } = await service.call('POST', '/api/invitations', { json: person });
    // An existing service may already know them.
    if (status === 409) continue;
    const accepted = { token: new URL(String(json.url)).hash.slice(1), name, password: PASSWORD };
    const welcome = await service.call('POST', '/api/auth/accept', { key: null, json: accepted });
    expect(welcome.json).toMatchObject({ email: person.email });
  }
});
afterAll(async () => {
  await service?.stop();
  hub.close();
  hub.closeAllConnections();
  await folder?.remove();
});

/** Renames a video again and again. Streams of changes without events would be read until the request timeout. */
async function keepChanging(signal: AbortSignal): Promise<void> {
  const clip = new Blob([await readFile(await sceneClip())]);
  let path: string | null = null;
  for (let change = 0; !signal.aborted; change++) {
    // The fuzzer deletes videos and changes quotas, too.
    path ??= await service.sdk.upload(clip, { name: 'changing.mp4' }).then(
      ({ video_id }) => `/api/video/${video_id}`,
      () => null,
    );
    if (path && (await service.call('PATCH', path, { json: { name: `change ${change}.mp4` } })).status === 404)
      path = null;
    await sleep(CHANGE_MS, undefined, { signal }).catch(() => {});
  }
}

test.runIf(schemathesis)(
  'no request made from the description is answered otherwise than it says',
  { timeout: timeoutMs },
  async () => {
    const config = join(REPOSITORY, 'acceptance/fuzz/schemathesis.toml');
    const bounded = ['--phases', 'examples,coverage', '--workers', '1', '--generation-deterministic'];
    const long = ['--max-examples', '200', '--max-time', String(minutes * 60), '--continue-on-failure'];
    const args = [
      '--config-file',
      config,
      'run',
      `${service.url}/openapi.json`,
      '--no-color',
      '--request-timeout',
      '30',
    ];
    const child = spawn(schemathesis!, [...args, ...(minutes > 0 ? long : bounded)], {
      cwd: folder.path,
      // A small environment: the fuzzer's HTTP client searches all of it for proxies with each request.
      env: {
        PATH: process.env.PATH,
        LANG: 'C.UTF-8',
        SIGHTLINE_API_KEY: service.key,
        SCHEMATHESIS_HOOKS: join(REPOSITORY, 'acceptance/fuzz/callers.py'),
        PYTHONDONTWRITEBYTECODE: '1',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: timeoutMs,
    });
    const ended = new AbortController();
    const changes = keepChanging(ended.signal);
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    ended.abort();
    await changes;
    expect(code, output).toBe(0);
    // The fuzzer ran all operations, and its key still works.
    const own = await service.call('POST', '/api/keys/verify');
    expect(own.json).toMatchObject({ valid: true, permissions: ['read', 'write', 'admin'] });
    const { json } = await service.call('GET', '/openapi.json');
    const operations = Object.values(json.paths as Record<string, object>).flatMap(Object.keys);
    expect(output).toContain(`Selected: ${operations.length}/${operations.length}`);
    if (minutes > 0) console.log(output);
  },
);
