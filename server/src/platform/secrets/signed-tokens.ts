import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Signed, expiring tokens for URLs. */
export interface Secrets {
  /**
   * Creates a URL-safe token for `subject` that is valid until `expiresAt`. `purpose` separates kinds of tokens: one
   * for a poster is not valid for a video. With an `issuer` (letters and digits), it states that in a second
   * parameter: `<token>&by=<issuer>.<signature>`. Nodes of earlier versions verify the token without it.
   */
  sign(purpose: string, subject: string, expiresAt: Date, issuer?: string | null): string;
  /** Checks a token: `ok`, `expired`, or `invalid` (altered, for another subject or purpose, or not a token). */
  verify(purpose: string, subject: string, token: string): 'ok' | 'expired' | 'invalid';
  /** The issuer that a valid token states; null if it states none. */
  issuerOf(token: string): string | null;
}

/** Expiry, signature, and if it has an issuer, that and the signature over both. */
const TOKEN = /^([0-9a-z]{1,11})\.([A-Za-z0-9_-]{32})(?:&by=([A-Za-z0-9]{1,64})\.([A-Za-z0-9_-]{32}))?$/;
/** First digit of the expiry of a token that has an issuer. Without its issuer, it is not valid. */
const ISSUED = '0';

export function createSecrets(rootSecret: string): Secrets {
  const keys = new Map<string, Buffer>();
  const keyFor = (purpose: string) => {
    const key = keys.get(purpose) ?? Buffer.from(hkdfSync('sha256', rootSecret, 'sightline', purpose, 32));
    keys.set(purpose, key);
    return key;
  };
  const mac = (purpose: string, subject: string, expires: string) =>
    createHmac('sha256', keyFor(purpose)).update(`${expires}\n${subject}`).digest().subarray(0, 24);

  const issuerMac = (purpose: string, token: string, issuer: string) => mac(`${purpose} issuer`, token, issuer);
  const isEqual = (expected: Buffer, signature: string) =>
    timingSafeEqual(expected, Buffer.from(signature, 'base64url'));

  return {
    sign(purpose, subject, expiresAt, issuer = null) {
      const seconds = Math.ceil(expiresAt.getTime() / 1000).toString(36);
      const expires = issuer === null ? seconds : `${ISSUED}${seconds}`;
      const token = `${expires}.${mac(purpose, subject, expires).toString('base64url')}`;
      if (issuer === null) return token;
      return `${token}&by=${issuer}.${issuerMac(purpose, token, issuer).toString('base64url')}`;
    },
    verify(purpose, subject, token) {
      const [, expires, signature, issuer, issuerSignature] = TOKEN.exec(token) ?? [];
      if (expires === undefined || signature === undefined) return 'invalid';
      if (!isEqual(mac(purpose, subject, expires), signature)) return 'invalid';
      if (expires.startsWith(ISSUED)) {
        if (issuer === undefined || issuerSignature === undefined) return 'invalid';
        if (!isEqual(issuerMac(purpose, `${expires}.${signature}`, issuer), issuerSignature)) return 'invalid';
      } else if (issuer !== undefined) {
        return 'invalid';
      }
      return Number.parseInt(expires, 36) * 1000 > Date.now() ? 'ok' : 'expired';
    },
    issuerOf: (token) => TOKEN.exec(token)?.[3] ?? null,
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
