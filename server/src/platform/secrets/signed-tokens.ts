import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Signed, expiring tokens for URLs. */
export interface Secrets {
  /**
   * Creates a URL-safe token for `subject` that is valid until `expiresAt`. `purpose` separates kinds of tokens: one
   * for a poster is not valid for a video.
   */
  sign(purpose: string, subject: string, expiresAt: Date): string;
  /** Checks a token: `ok`, `expired`, or `invalid` (altered, for another subject or purpose, or not a token). */
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

/**
 * Returns the configured root secret, or one that is generated at the first start and stored in the data folder,
 * readable by its owner only.
 */
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
    // Another process created it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}
