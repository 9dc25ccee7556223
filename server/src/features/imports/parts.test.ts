import { expect, test } from 'vitest';
import { createGate } from './gate.ts';
import { fits, selects } from './selection.ts';

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
])('%s fits %s: %s', (pattern, key, expected) => {
  expect(fits(pattern, key)).toBe(expected);
});

test('a pattern that is all stars takes no longer than its length times that of the key', () => {
  const started = performance.now();
  expect(fits(`${'*a'.repeat(200)}b`, 'a'.repeat(1_000))).toBe(false);
  expect(performance.now() - started).toBeLessThan(2_000);
});

test('a selection is a prefix, one of the patterns if there are any, and none of those to leave out', () => {
  const selection = { prefix: 'a/', include: ['**/*.mp4', '**/*.mov'], exclude: ['**/tmp/**'] };
  expect(['a/x.mp4', 'a/b/x.mov', 'b/x.mp4', 'a/x.txt', 'a/tmp/x.mp4'].map((key) => selects(selection, key))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('a gate lets a few through at once and the others in their order', async () => {
  const gate = createGate(2);
  const { signal } = new AbortController();
  let [under, most] = [0, 0];
  const order: number[] = [];
  const work = (i: number) =>
    gate(signal, async () => {
      order.push(i);
      most = Math.max(most, ++under);
      await new Promise((resolve) => setTimeout(resolve, 5));
      under--;
      if (i === 1) throw new Error('one that fails');
    }).catch(() => {});
  await Promise.all([0, 1, 2, 3, 4].map(work));
  expect(most).toBe(2);
  expect(order).toEqual([0, 1, 2, 3, 4]);
});
