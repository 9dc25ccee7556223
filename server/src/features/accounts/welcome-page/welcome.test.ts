import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPeopleWorld, type PeopleWorld } from '#test/people';

let world: PeopleWorld;

beforeAll(async () => {
  world = await createPeopleWorld();
});
afterAll(() => world.close());

test('the page runs its own script and nothing else, and no other site frames it', async () => {
  const { status, headers, text } = await world.api.call('GET', '/welcome');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const [script, ...others] = [...text.matchAll(/<script>(.*?)<\/script>/gs)].map((match) => match[1]!);
  expect(others).toEqual([]);
  const hash = createHash('sha256').update(script!).digest('base64');
  const policy = headers.get('content-security-policy')!;
  expect(policy).toContain(`script-src 'sha256-${hash}'`);
  expect(policy).toMatch(/default-src 'none'.*connect-src 'self'.*frame-ancestors 'none'/);
  expect(policy).not.toContain('unsafe');
  expect(text).not.toMatch(/\son\w+=|(src|href)="(https?:|\/\/)/);
  expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual(['no-referrer', 'no-store']);
});

test('the page offers single sign-on where there is a provider', async () => {
  expect((await world.api.call('GET', '/welcome')).text).not.toContain('Single sign-on');
  const node = await world.startNode({
    SIGHTLINE_OIDC_ISSUER: 'http://127.0.0.1:1',
    SIGHTLINE_OIDC_CLIENT_ID: 'c',
    SIGHTLINE_OIDC_CLIENT_SECRET: 's',
  });
  expect((await node.api.call('GET', '/welcome')).text).toContain('href="api/auth/sso?return_to=/docs"');
});
