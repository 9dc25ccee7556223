// Requests made from the API's own description, by schemathesis: what fits it is answered as it says, and what does not fit is refused.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { sceneClip } from '../server/test/clips.ts';
import { ask, DARK } from './harness/answers.ts';
import { REPOSITORY } from './harness/command.ts';
import { makeFolder, type Service, startService } from './harness/service.ts';

declare module 'vitest' {
  interface ProvidedContext {
    fuzzMinutes: number;
  }
}

const { schemathesis } = inject('programs');
/** Those who send what needs a person (`fuzz/callers.py`), with the address and the password of the description's examples. */
const PEOPLE = ['ada', 'mia', 'eve'];
const PASSWORD = 'correct horse battery staple';
/** Nobody answers there: what is fetched by addresses that are not the request's own goes nowhere. */
const NOWHERE = 'http://127.0.0.1:9';
/** `npm run fuzz`, for so many minutes and with other requests each time; else the same ones in each run. */
const minutes = inject('fuzzMinutes');
const patienceMs = (minutes + 10) * 60_000;

let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Service;
beforeAll(async () => {
  folder = await makeFolder();
  const env = {
    SIGHTLINE_MODELS_DIR: `${folder.path}/no models`,
    HF_ENDPOINT: NOWHERE,
    SIGHTLINE_MAX_LIVE_SESSIONS: '100000',
    SIGHTLINE_SIGN_INS_PER_MINUTE: '1000000000',
    SIGHTLINE_SIGN_INS_PER_DAY: '1000000000',
  };
  service = await startService(`${folder.path}/data`, { env });
  // Something to be found in lists.
  await ask(service, { query: DARK, video_id: await service.upload(await sceneClip()) });
  for (const name of PEOPLE) {
    const person = { email: `${name}@example.com`, role: 'member' };
    const { status, json } = await service.call('POST', '/api/invitations', { json: person });
    // A service that was there before may know them.
    if (status === 409) continue;
    const accepted = { token: new URL(String(json.url)).hash.slice(1), name, password: PASSWORD };
    const welcome = await service.call('POST', '/api/auth/accept', { key: null, json: accepted });
    expect(welcome.json).toMatchObject({ email: person.email });
  }
});
afterAll(async () => {
  await service?.stop();
  await folder?.remove();
});

test.runIf(schemathesis)(
  'no request made from the description is answered otherwise than it says',
  { timeout: patienceMs },
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
      env: {
        ...process.env,
        SIGHTLINE_API_KEY: service.key,
        SCHEMATHESIS_HOOKS: join(REPOSITORY, 'acceptance/fuzz/callers.py'),
        PYTHONDONTWRITEBYTECODE: '1',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: patienceMs,
    });
    const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(code, said).toBe(0);
    // It has tried all there is, and could to the end.
    const own = await service.call('POST', '/api/keys/verify');
    expect(own.json).toMatchObject({ valid: true, permissions: ['read', 'write', 'admin'] });
    const { json } = await service.call('GET', '/openapi.json');
    const operations = Object.values(json.paths as Record<string, object>).flatMap(Object.keys);
    expect(said).toContain(`Selected: ${operations.length}/${operations.length}`);
    if (minutes > 0) console.log(said);
  },
);
