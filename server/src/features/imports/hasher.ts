import { createHash } from 'node:crypto';
import type { Checksum } from '#features/integrations/index';

export type Hasher = { update(bytes: Uint8Array): void; digest(): string };

/** Computes a checksum as providers give it; base64. */
export function createHasher(algorithm: Checksum['algorithm']): Hasher {
  if (algorithm === 'crc32c') return createCrc32c();
  const hash = createHash(algorithm);
  return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('base64') };
}

/** The Castagnoli polynomial, bits reversed (RFC 9260, appendix A). Node has the other CRC-32 only. */
const POLYNOMIAL = 0x82f63b78;
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  return crc;
});

function createCrc32c(): Hasher {
  let crc = 0xffffffff;
  return {
    update(bytes) {
      for (let i = 0; i < bytes.length; i++) crc = TABLE[(crc ^ bytes[i]!) & 0xff]! ^ (crc >>> 8);
    },
    digest() {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE((crc ^ 0xffffffff) >>> 0);
      return bytes.toString('base64');
    },
  };
}
