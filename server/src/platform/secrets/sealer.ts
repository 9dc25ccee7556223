import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { Problem } from '../problem.ts';
import { problems } from './problems.ts';

/** A secret as it is kept: its own data key, wrapped by the master key, and what that key encrypts. All base64. */
export type Sealed = {
  /** Which master key wrapped the data key: the first 8 hex digits of its SHA-256. */
  master: string;
  key: string;
  data: string;
};

/** Encrypts what has to be kept and used again: AES-256-GCM, a data key for each secret, wrapped by a key made from the root secret. */
export interface Sealer {
  /** `context` (such as a row's id) is bound to the seal: moved to another row it does not open. */
  seal(context: string, secret: object): Sealed;
  /** Throws `secret_key_lost` (409) when it was sealed with a root secret that is not configured, `secret_damaged` (500) when it was altered. */
  open(context: string, sealed: Sealed): unknown;
  /** The same secret under the present master key; null when it is already, `lost` where `open` would throw. */
  rewrap(context: string, sealed: Sealed): Sealed | 'lost' | null;
}

/** How many secrets were sealed anew, and how many nobody can open any more. */
export type Rotation = { rotated: number; lost: number };

type Master = { name: string; key: Buffer };

/** Seals with the root secret; opens what was sealed with it or with the one before it. */
export function createSealer(rootSecret: string, previousSecret: string | null = null): Sealer {
  const present = masterOf(rootSecret);
  const masters = [present, ...(previousSecret ? [masterOf(previousSecret)] : [])];

  function unwrap(context: string, { master: name, key }: Sealed): Buffer {
    const master = masters.find((each) => each.name === name);
    if (!master) {
      throw problems.secret_key_lost(
        `These credentials were sealed with another root secret (key ${name}): set SIGHTLINE_PREVIOUS_SECRET to the one before and run \`secrets rotate\`, or give the credentials again.`,
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
    open: (context, sealed) => JSON.parse(decrypt(unwrap(context, sealed), context, sealed.data).toString()),
    rewrap(context, sealed) {
      if (sealed.master === present.name) return null;
      try {
        return { ...sealed, master: present.name, key: encrypt(present.key, context, unwrap(context, sealed)) };
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
