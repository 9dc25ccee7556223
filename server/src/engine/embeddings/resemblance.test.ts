import { expect, test } from 'vitest';
import { DIMENSIONS } from './encoder.ts';
import { quantize } from './quantize.ts';
import { findResemblance, findResemblingObjects } from './resemblance.ts';

/** A unit vector in the plane of the first two axes, at an angle in degrees. */
function at(degrees: number): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  vector.set([Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]);
  return vector;
}
function framesAt(...angles: number[]) {
  const quantized = angles.map((angle) => quantize(at(angle)));
  const vectors = new Int8Array(angles.length * DIMENSIONS);
  for (const [i, { bytes }] of quantized.entries()) vectors.set(bytes, i * DIMENSIONS);
  const scales = Float32Array.from(quantized, ({ scale }) => scale);
  return { timeS: Float64Array.from(angles, (_, i) => i), scales, vectors };
}

test('frames nearer to the words than to other descriptions are joined, the best run first', () => {
  const runs = findResemblance(framesAt(40, 10, 2, 80, 20, 60), at(0), [at(60)]);
  expect(runs.map(({ first, last, best }) => [first, last, best])).toEqual([
    [1, 2, 2],
    [4, 4, 4],
  ]);
  expect(runs[0]!.share).toBeGreaterThan(runs[1]!.share);
  for (const { share } of runs) expect(share).toBeLessThanOrEqual(1);
});

test('a frame counts only if the words outweigh all other descriptions together', () => {
  const frames = framesAt(30);
  expect(findResemblance(frames, at(29), [at(32)])).toHaveLength(1);
  expect(
    findResemblance(
      frames,
      at(29),
      Array.from({ length: 30 }, () => at(32)),
    ),
  ).toEqual([]);
});

test('a video without frames resembles nothing', () => {
  expect(findResemblance(framesAt(), at(0), [at(60)])).toEqual([]);
});

test('of the views of an object only the best one is found', () => {
  const views = { ...framesAt(10, 2, 20, 70, 25), groups: Int32Array.of(3, 3, 5, 6, 5) };
  const found = findResemblingObjects(views, at(0), [at(60)]);
  expect(found.map(({ index }) => index)).toEqual([1, 2]);
  expect(found[0]!.share).toBeGreaterThan(found[1]!.share);
});
