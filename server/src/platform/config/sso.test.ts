import { expect, test } from 'vitest';
import { loadConfig } from './index.ts';

const GIVEN = {
  SIGHTLINE_OIDC_ISSUER: 'https://login.example.com/tenant',
  SIGHTLINE_OIDC_CLIENT_ID: 'sightline',
  SIGHTLINE_OIDC_CLIENT_SECRET: 'a secret',
};
const ssoOf = (env: Record<string, string>) => loadConfig(env, 1).sso;

test('without its variables there is no single sign-on', () => {
  expect(ssoOf({})).toBeNull();
});

test('nobody comes without an invitation, and as a member, unless the operator says so', () => {
  expect(ssoOf(GIVEN)).toMatchObject({ domains: [], role: 'member', trustEmails: false });
  const said = { SIGHTLINE_OIDC_DOMAINS: 'Example.com, example.org,', SIGHTLINE_OIDC_ROLE: 'admin' };
  expect(ssoOf({ ...GIVEN, ...said })).toMatchObject({ domains: ['example.com', 'example.org'], role: 'admin' });
});

test.each([
  [{ SIGHTLINE_OIDC_ISSUER: 'https://login.example.com' }, /together with SIGHTLINE_OIDC_CLIENT_ID/],
  [{ ...GIVEN, SIGHTLINE_OIDC_ISSUER: 'http://login.example.com' }, /https:/],
  [{ ...GIVEN, SIGHTLINE_OIDC_ISSUER: 'login.example.com' }, /https:/],
  [{ ...GIVEN, SIGHTLINE_OIDC_ROLE: 'owner' }, /member, admin/],
  [{ ...GIVEN, SIGHTLINE_OIDC_TRUST_EMAILS: 'yes' }, /true, false/],
  [{ SIGHTLINE_OIDC_ISUER: 'x' }, /did you mean SIGHTLINE_OIDC_ISSUER/],
])('%j is refused with a sentence', (env, sentence) => {
  expect(() => ssoOf(env as Record<string, string>)).toThrow(sentence);
});
