import { expect, test } from 'vitest';
import { startCpuTimer } from '#test/cpu-time';
import { matchesPattern, matchesSelection } from './selection.ts';

test.each([
  ['*.mp4', 'a.mp4', true],
  ['*.mp4', 'a/b.mp4', false],
  ['**/*.mp4', 'a/b.mp4', true],
  ['**/*.mp4', 'b.mp4', true],
  ['a/**', 'a/b/c.mov', true],
  ['a/**', 'b/a/c.mov', false],
  ['a/*/c.mp4', 'a/b/c.mp4', true],
  ['a/*/c.mp4', 'a/b/b/c.mp4', false],
  ['cam?.mp4', 'cam1.mp4', true],
  ['cam?.mp4', 'cam/.mp4', false],
  ['[a].mp4', '[a].mp4', true],
  ['a.mp4', 'axmp4', false],
  ['**', '', true],
  ['', 'a', false],
  ['*é?.mp4', 'caféß.mp4', true],
  ['**🎥**', 'x/🎥/y', true],
])('%s matches %s: %s', (pattern, key, expected) => {
  expect(matchesPattern(pattern, key)).toBe(expected);
});

test('a pattern with many stars is matched in bounded time', () => {
  const spentMs = startCpuTimer();
  expect(matchesPattern(`${'*a'.repeat(200)}b`, 'a'.repeat(1_000))).toBe(false);
  expect(spentMs()).toBeLessThan(2_000);
});

test('a selection combines the prefix, include and exclude patterns', () => {
  const selection = { prefix: 'a/', include: ['**/*.mp4', '**/*.mov'], exclude: ['**/tmp/**'] };
  expect(
    ['a/x.mp4', 'a/b/x.mov', 'b/x.mp4', 'a/x.txt', 'a/tmp/x.mp4'].map((key) => matchesSelection(selection, key)),
  ).toEqual([true, true, false, false, false]);
});
