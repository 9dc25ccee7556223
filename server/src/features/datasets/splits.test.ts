import { expect, test } from 'vitest';
import { newId } from '#platform/ids';
import { splitOf } from './splits.ts';

const SCENES = Array.from({ length: 5_000 }, () => newId());
const split = (valShare: number, testShare: number, seed = '') =>
  SCENES.map((scene) => splitOf(scene, { valShare, testShare, seed }));
const shareOf = (splits: readonly string[], name: string) =>
  splits.filter((each) => each === name).length / splits.length;

test('splits have about the requested shares', () => {
  for (const [valShare, testShare] of [
    [0.1, 0.1],
    [0.25, 0.05],
    [0, 0.5],
  ] as const) {
    const splits = split(valShare, testShare);
    // Six standard deviations of a share of 5,000 scenes are at most 0.043.
    expect(Math.abs(shareOf(splits, 'val') - valShare)).toBeLessThan(0.043);
    expect(Math.abs(shareOf(splits, 'test') - testShare)).toBeLessThan(0.043);
  }
  expect(new Set(split(0, 0))).toEqual(new Set(['train']));
});

test('a larger share only adds scenes, and the test split does not depend on the share of the others', () => {
  const [small, large, more] = [split(0.1, 0.1), split(0.1, 0.2), split(0.4, 0.2)];
  const lost = SCENES.filter((_, at) => small[at] === 'test' && large[at] !== 'test');
  const moved = SCENES.filter((_, at) => (more[at] === 'test') !== (large[at] === 'test'));
  const left = SCENES.filter((_, at) => large[at] === 'val' && more[at] !== 'val');
  expect([lost, moved, left]).toEqual([[], [], []]);
});

test('the seed decides: the same one gives the same splits on every machine, another one other splits', () => {
  expect(split(0.2, 0.2, 'a')).toEqual(split(0.2, 0.2, 'a'));
  const [one, other] = [split(0.2, 0.2, 'a'), split(0.2, 0.2, 'b')];
  expect(one.filter((each, at) => each === other[at]).length / one.length).toBeLessThan(0.6);
  const fixed = ['a', 'b', 'c', 'd', 'e', 'f'].map((scene) =>
    splitOf(scene, { valShare: 0.3, testShare: 0.3, seed: '' }),
  );
  // Computed from SHA-256 by another implementation.
  expect(fixed).toEqual(['test', 'val', 'val', 'train', 'test', 'train']);
});
