import { hash, randomBytes } from 'node:crypto';

/** A new secret of 256 random bits for a cookie or a link, and what is stored of it. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: digestOf(token) };
}

/** What is stored of a secret. Looking up by it tells an attacker nothing: the digest of a guess cannot be steered. */
export function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
