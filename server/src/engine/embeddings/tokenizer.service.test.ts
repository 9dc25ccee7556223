import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasFootage, MODELS } from '#test/footage';
import { readClipTokenizer } from './tokenizer.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tokenizer '));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

test.skipIf(!hasFootage)('texts have the tokens of CLIP', async () => {
  const { encode } = await readClipTokenizer(join(MODELS!, 'clip-toy/bpe_simple_vocab_16e6.txt.gz'));
  expect(encode('a photo of a cat')).toEqual([49406, 320, 1125, 539, 320, 2368, 49407]);
  expect(encode('  A photo\n of A CAT ')).toEqual(encode('a photo of a cat'));
  expect(encode('')).toEqual([49406, 49407]);
  // A word that is no token is split; each digit is a token, and so is a contraction.
  expect(encode('Baustelle').length).toBeGreaterThan(3);
  expect(encode('42')).toHaveLength(4);
  expect(encode("it's")).toHaveLength(4);
  const long = encode('snow '.repeat(100));
  expect(long).toHaveLength(77);
  expect(long.at(-1)).toBe(49407);
  // Bytes of other scripts have tokens, too.
  expect(encode('雪 ❄').every((token) => token >= 0 && token <= 49407)).toBe(true);
});

test('another file is refused', async () => {
  const path = join(dir, 'vocabulary.gz');
  await writeFile(path, gzipSync('#version\na b\n'));
  await expect(readClipTokenizer(path)).rejects.toThrow('does not have the 48894 merges of CLIP');
});
