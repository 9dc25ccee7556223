import { expect, test } from 'vitest';
import { quantize } from '#engine/index';
import { countRepresented } from './representatives.ts';

/** Vectors at these angles in degrees. */
function vectorsAt(degrees: readonly number[]) {
  const rows = degrees.map((degree) => {
    const angle = (degree * Math.PI) / 180;
    return quantize(Float32Array.of(Math.cos(angle), Math.sin(angle)));
  });
  return {
    vectors: Int8Array.from(rows.flatMap(({ bytes }) => [...bytes])),
    scales: Float32Array.from(rows, ({ scale }) => scale),
  };
}

const representedBy = (degrees: readonly number[], groups: readonly number[]) => [
  ...countRepresented({ ...vectorsAt(degrees), groups: Int32Array.from(groups) }),
];

test('a vector represents those that follow it and are alike', () => {
  expect(representedBy([0, 5, 10, 60, 62], [0, 0, 0, 0, 0])).toEqual([3, 0, 0, 2, 0]);
});

test('a slow change does not go unnoticed', () => {
  expect(representedBy([0, 9, 17, 26, 34], [0, 0, 0, 0, 0])).toEqual([3, 0, 0, 2, 0]);
});

test('a group has its own representatives, also if the one before is alike', () => {
  expect(representedBy([0, 0, 0, 0], [0, 0, 1, 2])).toEqual([2, 0, 1, 1]);
});

test('each vector is represented once', () => {
  const degrees = Array.from({ length: 500 }, (_, at) => (at * at) % 180);
  const counts = representedBy(
    degrees,
    degrees.map((_, at) => Math.floor(at / 10)),
  );
  let next = 0;
  for (const [at, count] of counts.entries()) {
    if (at === next) expect(count).toBeGreaterThan(0);
    else expect(count).toBe(0);
    next = Math.max(next, at + count);
  }
  expect(next).toBe(counts.length);
});

test('no vectors', () => {
  expect(representedBy([], [])).toEqual([]);
});
