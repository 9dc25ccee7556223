import { hash, randomBytes } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const LENGTH = 48;

/** A new key: `sk_` and 48 letters and digits, 285 random bits. */
export function newToken(): string {
  let text = '';
  while (text.length < LENGTH) {
    for (const byte of randomBytes(2 * LENGTH)) {
      // 248 is the largest multiple of 62 in a byte: larger values would favor some characters.
      if (byte < 248 && text.length < LENGTH) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return `sk_${text}`;
}

/** True if the text has the form of a key; keys set by the operator may have another length. */
export function isToken(text: string): boolean {
  return text.length <= 256 && /^sk_[A-Za-z0-9]{32,}$/.test(text);
}

/**
 * The digest of a key. A lookup by digest reveals nothing through its timing, because the digest of a guess cannot be
 * steered.
 */
export function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** The part of a key that lists may show. */
export function prefixOf(token: string): string {
  return token.slice(0, 8);
}
