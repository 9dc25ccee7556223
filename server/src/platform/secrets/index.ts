import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export { createSealer, type Rotation, type Sealed, type Sealer } from './sealer.ts';

/** Signed, expiring statements (for URLs), made from the one root secret. */
export interface Secrets {
  /**
   * A URL-safe token that says `subject` until `expiresAt`. `purpose` separates kinds, so that a token
   * for a poster can never be used for a film.
   */
  sign(purpose: string, subject: string, expiresAt: Date): string;
  /** Whether `token` says `subject` for `purpose` now: `ok`, `expired`, or `invalid` (altered, other subject, not a token). */
  verify(purpose: string, subject: string, token: string): 'ok' | 'expired' | 'invalid';
}

export function createSecrets(rootSecret: string): Secrets {
  const keys = new Map<string, Buffer>();
  const keyFor = (purpose: string) => {
    const key = keys.get(purpose) ?? Buffer.from(hkdfSync('sha256', rootSecret, 'sightline', purpose, 32));
    keys.set(purpose, key);
    return key;
  };
  const mac = (purpose: string, subject: string, expires: string) =>
    createHmac('sha256', keyFor(purpose)).update(`${expires}\n${subject}`).digest().subarray(0, 24);

  return {
    sign(purpose, subject, expiresAt) {
      const expires = Math.ceil(expiresAt.getTime() / 1000).toString(36);
      return `${expires}.${mac(purpose, subject, expires).toString('base64url')}`;
    },
    verify(purpose, subject, token) {
      const match = /^([0-9a-z]{1,11})\.([A-Za-z0-9_-]{32})$/.exec(token);
      if (!match) return 'invalid';
      const [, expires, signature] = match as unknown as [string, string, string];
      if (!timingSafeEqual(mac(purpose, subject, expires), Buffer.from(signature, 'base64url'))) return 'invalid';
      return Number.parseInt(expires, 36) * 1000 > Date.now() ? 'ok' : 'expired';
    },
  };
}

/** The root secret: the configured one, or one made at first start and kept in the data folder, readable by its owner alone. */
export function loadRootSecret(configured: string | null, dataDir: string): string {
  if (configured) return configured;
  const file = join(dataDir, 'secret');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    // Another process made it first: theirs counts.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}
