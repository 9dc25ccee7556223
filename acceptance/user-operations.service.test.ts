// The user command line beyond its own commands: every operation of the API, and completion in a shell.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REPOSITORY, user } from './harness/command.ts';
import { type CommandLine, openCommandLine } from './harness/command-line.ts';
import type { Service } from './harness/service.ts';

type Operation = { operationId: string; 'x-scope': string };
/** Error codes of requests that did not reach the intended operation or lacked the key. */
const NOT_REACHED = new Set(['route_not_found', 'method_not_allowed', 'key_missing', 'session_needed', 'unknown']);

let line: CommandLine;
let service: Service;
let env: Record<string, string>;
const text = (...args: string[]) => line.text(...args);
const json = (...args: string[]) => line.json(...args);

beforeAll(async () => {
  line = await openCommandLine({ logIn: true });
  ({ service, env } = line);
});
afterAll(() => line?.close());

test('operations without a command can be called directly', async () => {
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
  expect([wrong.code, wrong.stderr]).toEqual([1, 'The path must start with a slash, such as `/api/usage`.\n']);
  const missing = await user(['api', 'GET', '/api/nothing'], { env });
  expect([missing.code, missing.stdout]).toEqual([1, '']);
});

test('the client reaches every operation of the OpenAPI document', async () => {
  const { json } = await service.call('GET', '/openapi.json', { key: null });
  const reached: [string, unknown][] = [];
  for (const [path, operations] of Object.entries(json.paths as Record<string, Record<string, Operation>>)) {
    const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, '0'.repeat(32)]);
    for (const [method, { operationId, 'x-scope': scope }] of Object.entries(operations)) {
      const init = { params: { path: Object.fromEntries(ids) }, parseAs: 'stream' } as const;
      const requested = service.sdk.api.request(method as 'get', path as '/api/usage', init);
      const outcome = await requested.then(
        async ({ response }) => response.body?.cancel(),
        ({ code }) => code,
      );
      // Sessions are for browsers: with a key, the service answers so.
      const wrong = scope === 'session' ? outcome !== 'session_needed' : NOT_REACHED.has(String(outcome));
      reached.push([operationId, wrong ? outcome : 'reached']);
    }
  }
  expect(reached.length).toBeGreaterThan(100);
  expect(reached.filter(([, outcome]) => outcome !== 'reached')).toEqual([]);
});

test('a shell completes commands and their options', async () => {
  const script = await text('completion', 'bash');
  const complete = (...words: string[]) => {
    const typed = words.map((word) => `'${word}'`).join(' ');
    const command = `${script}\nCOMP_WORDS=(sightline ${typed}); COMP_CWORD=${words.length}; _sightline; echo "\${COMPREPLY[@]}"`;
    return spawnSync('bash', ['-c', command], { cwd: REPOSITORY, encoding: 'utf8' }).stdout.trim();
  };
  expect(complete('mc')).toBe('mcap mcp');
  expect(complete('mcap', 's')).toBe('show stitch');
  expect(complete('ask', 'a car', '--v')).toBe('--video --verify --vision-profile');
  for (const shell of ['zsh', 'fish']) expect(await text('completion', shell)).toContain('stitch');
  expect((await user(['completion', 'tcsh'], { env })).code).toBe(1);
});
