import { Readable } from 'node:stream';
import { dbProblems } from '../db/problems.ts';

/** Encrypts and decrypts streams. */
export type Encryption = {
  /** True if objects are encrypted. */
  readonly isOn: boolean;
  encrypt(content: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>>;
  decrypt(content: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>>;
};

/**
 * Encryption in the format of age (age-encryption.org/v1), in pieces of 64 KiB, each of which is authenticated; the
 * program `age` reads it, too. A backup needs the public key only (`recipient`), a restore the secret one (`identity`).
 */
export async function createEncryption({
  recipient,
  identity,
}: {
  recipient?: string | undefined;
  identity?: string | undefined;
}): Promise<Encryption> {
  if (recipient === undefined && identity === undefined)
    return { isOn: false, encrypt: async (content) => content, decrypt: async (content) => content };
  const { Encrypter, Decrypter, identityToRecipient } = await import('age-encryption');
  const to = await orProblem(
    async () => recipient ?? identityToRecipient(identity!),
    'The key is not one of age: it starts with AGE-SECRET-KEY-1. `sightline backup-key` makes one.',
  );
  const encrypter = new Encrypter();
  await orProblem(
    async () => encrypter.addRecipient(to),
    'The recipient is not a public key of age: it starts with age1. `sightline backup-key` makes one.',
  );
  return {
    isOn: true,
    encrypt: async (content) => Readable.fromWeb((await encrypter.encrypt(toWeb(content))) as never),
    async decrypt(content) {
      if (identity === undefined)
        throw dbProblems.backup_invalid('The backup is encrypted: name the file of its secret key with --identity.');
      const decrypter = new Decrypter();
      decrypter.addIdentity(identity);
      const web = await orProblem(
        () => decrypter.decrypt(toWeb(content)),
        'The backup was encrypted for another key than this one, or it is damaged.',
      );
      return Readable.fromWeb(web as never);
    },
  };
}

/** A new key pair. */
export async function createBackupKey(): Promise<{ identity: string; recipient: string }> {
  const { generateIdentity, identityToRecipient } = await import('age-encryption');
  const identity = await generateIdentity();
  return { identity, recipient: await identityToRecipient(identity) };
}

const toWeb = (content: AsyncIterable<Uint8Array>) =>
  ReadableStream.from(content) as unknown as ReadableStream<Uint8Array<ArrayBuffer>>;

async function orProblem<T>(work: () => Promise<T>, message: string): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw dbProblems.backup_invalid(message, { cause });
  }
}
