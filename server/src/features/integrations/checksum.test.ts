import { expect, test } from 'vitest';
import { createHasher } from './checksum.ts';

// Check values of the digits 1 to 9, as catalogs of checksums list them.
test.each([
  ['crc32', 'cbf43926'],
  ['crc32c', 'e3069283'],
  ['crc64nvme', 'ae8b14860a799888'],
  ['md5', '25f9e794323b453885f5181f1b624d0b'],
  ['sha256', '15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225'],
] as const)('computes %s as specified', async (algorithm, expected) => {
  const hasher = await createHasher(algorithm);
  hasher.update(Buffer.from('1234'));
  hasher.update(Buffer.from('56789'));
  expect(await hasher.digest()).toBe(Buffer.from(expected, 'hex').toString('base64'));
});
