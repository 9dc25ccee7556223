import { expect, test } from 'vitest';
import { loadConfig } from './index.ts';

const PROVIDER = {
  SIGHTLINE_OIDC_ISSUER: 'https://login.example.com/tenant',
  SIGHTLINE_OIDC_CLIENT_ID: 'sightline',
  SIGHTLINE_OIDC_CLIENT_SECRET: 'a secret',
};
const loadSso = (env: Record<string, string>) => loadConfig(env, 1).sso;

test('single sign-on is disabled without its variables', () => {
  expect(loadSso({})).toBeNull();
});

test('by default, users need an invitation to join, and join as members', () => {
  expect(loadSso(PROVIDER)).toMatchObject({ domains: [], role: 'member', trustEmails: false });
  const overrides = { SIGHTLINE_OIDC_DOMAINS: 'Example.com, example.org,', SIGHTLINE_OIDC_ROLE: 'admin' };
  expect(loadSso({ ...PROVIDER, ...overrides })).toMatchObject({
    domains: ['example.com', 'example.org'],
    role: 'admin',
  });
});

test.each([
  [{ SIGHTLINE_OIDC_ISSUER: 'https://login.example.com' }, /together with SIGHTLINE_OIDC_CLIENT_ID/],
  [{ ...PROVIDER, SIGHTLINE_OIDC_ISSUER: 'http://login.example.com' }, /https:/],
  [{ ...PROVIDER, SIGHTLINE_OIDC_ISSUER: 'login.example.com' }, /https:/],
  [{ ...PROVIDER, SIGHTLINE_OIDC_ROLE: 'owner' }, /member, admin/],
  [{ ...PROVIDER, SIGHTLINE_OIDC_TRUST_EMAILS: 'yes' }, /true, false/],
  [{ SIGHTLINE_OIDC_ISUER: 'x' }, /did you mean SIGHTLINE_OIDC_ISSUER/],
])('%j is refused', (env, sentence) => {
  expect(() => loadSso(env as Record<string, string>)).toThrow(sentence);
});
