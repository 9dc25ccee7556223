import { hash, randomBytes } from 'node:crypto';

/** A new secret of 256 random bits for a cookie or link, and its digest for storage. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: digestOf(token) };
}

/**
 * The digest of a secret. A lookup by digest reveals nothing through its timing, because the digest of a guess cannot
 * be steered.
 */
export function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
