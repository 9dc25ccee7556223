import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Checksum } from './providers/index.ts';

export type Hasher = { update(bytes: Uint8Array): void; digest(): string };

/** Computes a checksum as providers give it; base64. */
export function createHasher(algorithm: Checksum['algorithm']): Hasher {
  if (algorithm === 'crc32') return createCrc32();
  if (algorithm === 'crc32c') return createCrc32c();
  if (algorithm === 'crc64nvme') return createCrc64();
  const hash = createHash(algorithm);
  return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('base64') };
}

function createCrc32(): Hasher {
  let crc = 0;
  return {
    update(bytes) {
      crc = crc32(bytes, crc);
    },
    digest: () => base64Of(crc),
  };
}

/** The Castagnoli polynomial, bits reversed (RFC 9260, appendix A). */
const CRC32C = tableOf(0, 0x82f63b78);

function createCrc32c(): Hasher {
  let crc = 0xffffffff;
  return {
    update(bytes) {
      for (let i = 0; i < bytes.length; i++) crc = CRC32C.low[(crc ^ bytes[i]!) & 0xff]! ^ (crc >>> 8);
    },
    digest: () => base64Of(~crc),
  };
}

/** The polynomial of CRC-64/NVME, bits reversed (NVM Command Set Specification, 64b CRC), in two halves. */
const CRC64 = tableOf(0x9a6c9329, 0xac4bc9b5);

function createCrc64(): Hasher {
  let high = 0xffffffff;
  let low = 0xffffffff;
  return {
    update(bytes) {
      for (let i = 0; i < bytes.length; i++) {
        const byte = (low ^ bytes[i]!) & 0xff;
        low = CRC64.low[byte]! ^ ((low >>> 8) | (high << 24));
        high = CRC64.high[byte]! ^ (high >>> 8);
      }
    },
    digest: () => base64Of(~high, ~low),
  };
}

/** What each byte adds to a checksum of up to 64 bits. */
function tableOf(polynomialHigh: number, polynomialLow: number) {
  const table = { high: new Uint32Array(256), low: new Uint32Array(256) };
  for (let byte = 0; byte < 256; byte++) {
    let high = 0;
    let low = byte;
    for (let bit = 0; bit < 8; bit++) {
      const odd = low & 1;
      low = (low >>> 1) | (high << 31);
      high >>>= 1;
      if (!odd) continue;
      low ^= polynomialLow;
      high ^= polynomialHigh;
    }
    table.high[byte] = high;
    table.low[byte] = low;
  }
  return table;
}

function base64Of(...words: number[]): string {
  const bytes = Buffer.alloc(4 * words.length);
  for (const [i, word] of words.entries()) bytes.writeUInt32BE(word >>> 0, 4 * i);
  return bytes.toString('base64');
}
