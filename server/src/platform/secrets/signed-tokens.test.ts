import { createHmac, hkdfSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSecrets } from './index.ts';

const ROOT = 'a root secret of the test that is long enough';
const secrets = createSecrets(ROOT);
const soon = () => new Date(Date.now() + 60_000);
const parse = (token: string) => {
  const query = new URLSearchParams(`token=${token}`);
  return { token: query.get('token')!, by: query.get('by') };
};

test('a token is valid for its purpose and subject, until it expires', () => {
  for (const issuer of [undefined, null, 'k1']) {
    const token = secrets.sign('film', 'video', soon(), issuer);
    expect(secrets.verify('film', 'video', token)).toBe('ok');
    expect(secrets.issuerOf(token)).toBe(issuer ?? null);
    expect(secrets.verify('poster', 'video', token)).toBe('invalid');
    expect(secrets.verify('film', 'another', token)).toBe('invalid');
    expect(secrets.verify('film', 'video', secrets.sign('film', 'video', new Date(Date.now() - 2_000), issuer))).toBe(
      'expired',
    );
  }
});

test('the issuer of a token cannot be removed, added, replaced or taken from another token', () => {
  const subject = ['film', 'video'] as const;
  const expiresAt = soon();
  const mine = secrets.sign(...subject, expiresAt, 'k1');
  const { token, by } = parse(mine);
  const other = parse(secrets.sign(...subject, expiresAt, 'k2'));
  const ofAnother = parse(secrets.sign('film', 'another', expiresAt, 'k3'));
  const own = secrets.sign(...subject, expiresAt);
  for (const forged of [
    token,
    token.slice(1),
    `${token}&by=`,
    `${token}&by=k2.${by!.split('.')[1]}`,
    `${token}&by=${ofAnother.by}`,
    `${own}&by=${by}`,
    `${mine}x`,
    `${mine}&by=${by}`,
  ]) {
    expect(secrets.verify(...subject, forged), forged).toBe('invalid');
  }
  // The same URL, signed for another key: it ends with that one.
  expect(secrets.verify(...subject, `${token}&by=${other.by}`)).toBe('ok');
});

test('nodes of earlier versions verify tokens with an issuer, without it', () => {
  const { token } = parse(secrets.sign('film', 'video', soon(), 'k1'));
  const [, expires, signature] = /^([0-9a-z]{1,11})\.([A-Za-z0-9_-]{32})$/.exec(token)!;
  const key = Buffer.from(hkdfSync('sha256', ROOT, 'sightline', 'film', 32));
  const expected = createHmac('sha256', key).update(`${expires}\nvideo`).digest().subarray(0, 24);
  expect(signature).toBe(expected.toString('base64url'));
  expect(Number.parseInt(expires!, 36) * 1000).toBeGreaterThan(Date.now());
});
