import { hash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const PERIOD_S = 30;
/** Steps before and after the present one whose codes are accepted, for clocks that differ. */
const WINDOW = 1;
/** As RFC 4226 recommends, and as long as the digest of authenticator apps. */
const KEY_BYTES = 20;

/** A new key for an authenticator app, in Base32. */
export const newKey = (): string => new Secret({ size: KEY_BYTES }).base32;

/** The address from which authenticator apps read a key, as a QR code. */
export const keyUri = (key: string, { account, host }: { account: string; host: string }): string =>
  totpOf(key, account, host).toString();

/** The time step that this code belongs to, at `atMs`; null if it is not the code of an accepted step. */
export function stepOf(key: string, code: string, atMs: number): number | null {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const delta = totpOf(key).validate({ token, timestamp: atMs, window: WINDOW });
  return delta === null ? null : Math.floor(atMs / 1000 / PERIOD_S) + delta;
}

/** SHA-1, six digits and 30 seconds: some apps ignore other parameters. */
const totpOf = (key: string, label = '', host = '') =>
  new TOTP({
    issuer: host && `Sightline (${host})`,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_S,
    secret: key,
  });

const RECOVERY_CODES = 10;
/** 32 characters, so that each is 5 bits, without i, l, o and u: they look like others. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CODE_LENGTH = 16;

/** New recovery codes of 80 random bits, such as `k3fa-w9xq-7hmd-p2rt`. */
export const newRecoveryCodes = (): string[] => Array.from({ length: RECOVERY_CODES }, newRecoveryCode);

function newRecoveryCode(): string {
  const letters = [...randomBytes(CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return letters.join('').replaceAll(/.{4}(?=.)/g, '$&-');
}

/** The stored form of a recovery code, whatever its case and spaces. Its 80 bits cannot be guessed from the digest. */
export const recoveryDigest = (code: string): Buffer =>
  hash('sha256', code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''), 'buffer');
