import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { clipPath } from './clip.ts';

test('a clip is a file that is there', () => {
  const here = fileURLToPath(import.meta.url);
  expect(clipPath(here)).toBe(here);
  expect(() => clipPath('no such clip.mp4')).toThrow('There is no file no such clip.mp4.');
  expect(() => clipPath('.')).toThrow('. is a folder: name a video in it.');
});
