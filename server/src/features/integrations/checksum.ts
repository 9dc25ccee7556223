import { createHash } from 'node:crypto';
import type { Checksum } from './providers/index.ts';

export type ChecksumHasher = { update(bytes: Uint8Array): void; digest(): Promise<string> };

/** Computes a checksum in the form of the providers: base64. */
export async function createHasher(algorithm: Checksum['algorithm']): Promise<ChecksumHasher> {
  if (algorithm === 'md5' || algorithm === 'sha256') {
    const hash = createHash(algorithm);
    return { update: (bytes) => void hash.update(bytes), digest: async () => hash.digest('base64') };
  }
  const { Crc32, Crc32c, Crc64Nvme } = await import('@aws-sdk/checksums/crc');
  const crc = new { crc32: Crc32, crc32c: Crc32c, crc64nvme: Crc64Nvme }[algorithm]();
  return {
    update: (bytes) => crc.update(bytes),
    digest: async () => Buffer.from(await crc.digest()).toString('base64'),
  };
}
