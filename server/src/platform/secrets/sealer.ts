import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { Problem } from '../problem.ts';
import { problems } from './problems.ts';

/** A stored secret: a data key wrapped by the master key, and the secret encrypted with that data key. All base64. */
export type EncryptedSecret = {
  /** Master key that wrapped the data key: the first 8 hex digits of its SHA-256. */
  master: string;
  key: string;
  data: string;
};

/**
 * Envelope encryption with AES-256-GCM: a data key per secret, wrapped by a master key that is derived from the root
 * secret.
 */
export interface Sealer {
  /** Binds the result to `context` (such as a row's id): it cannot be decrypted in another one. */
  seal(context: string, secret: object): EncryptedSecret;
  /**
   * Throws `secret_key_lost` (409) if it was encrypted with a root secret that is not configured, `secret_damaged`
   * (500) if it was altered.
   */
  open(context: string, encrypted: EncryptedSecret): unknown;
  /** Wraps the secret with the present master key. Null if it already is; `lost` if `open` would throw. */
  rewrap(context: string, encrypted: EncryptedSecret): EncryptedSecret | 'lost' | null;
}

/** Number of secrets that were re-encrypted, and of those that can no longer be decrypted. */
export type Rotation = { rotated: number; lost: number };

type Master = { name: string; key: Buffer };

/** Encrypts with the root secret; decrypts secrets of this one and of the previous one. */
export function createSealer(rootSecret: string, previousSecret: string | null = null): Sealer {
  const present = masterOf(rootSecret);
  const masters = [present, ...(previousSecret ? [masterOf(previousSecret)] : [])];

  function unwrap(context: string, { master: name, key }: EncryptedSecret): Buffer {
    const master = masters.find((each) => each.name === name);
    if (!master) {
      throw problems.secret_key_lost(
        `These credentials were encrypted with another root secret (key ${name}). Set SIGHTLINE_PREVIOUS_SECRET to it and run \`secrets rotate\`, or replace the credentials.`,
      );
    }
    return decrypt(master.key, context, key);
  }

  return {
    seal(context, secret) {
      const key = randomBytes(32);
      return {
        master: present.name,
        key: encrypt(present.key, context, key),
        data: encrypt(key, context, Buffer.from(JSON.stringify(secret))),
      };
    },
    open: (context, encrypted) => JSON.parse(decrypt(unwrap(context, encrypted), context, encrypted.data).toString()),
    rewrap(context, encrypted) {
      if (encrypted.master === present.name) return null;
      try {
        return { ...encrypted, master: present.name, key: encrypt(present.key, context, unwrap(context, encrypted)) };
      } catch (error) {
        if (error instanceof Problem) return 'lost';
        throw error;
      }
    },
  };
}

function masterOf(rootSecret: string): Master {
  const key = Buffer.from(hkdfSync('sha256', rootSecret, 'sightline', 'sealing', 32));
  return { name: createHash('sha256').update(key).digest('hex').slice(0, 8), key };
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

function encrypt(key: Buffer, context: string, plain: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
}

function decrypt(key: Buffer, context: string, text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  const body = NONCE_BYTES + TAG_BYTES;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(NONCE_BYTES, body));
    return Buffer.concat([decipher.update(bytes.subarray(body)), decipher.final()]);
  } catch (cause) {
    throw problems.secret_damaged(undefined, { cause });
  }
}
