import { expect, test } from 'vitest';
import { decodePose, GRID, OUTPUT_LENGTHS, type PoseOutputs } from './decode-output.ts';
import { JOINTS, VALUES_PER_JOINT } from './joints.ts';

const CELLS = GRID * GRID;
type Peak = { y: number; x: number; score: number };

/** Outputs with a center in the middle, joints expected at a place, and the peaks of each joint. */
function outputs(expected: { y: number; x: number }, peaks: readonly Peak[]): PoseOutputs {
  const [joints, centers, regressed, offsets] = OUTPUT_LENGTHS.map((length) => new Float32Array(length)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  centers.fill(-8);
  const center = (GRID / 2) * GRID + GRID / 2;
  centers[center] = 4;
  for (const [joint] of JOINTS.entries()) {
    for (const { y, x, score } of peaks) joints[joint * CELLS + y * GRID + x] = score;
    regressed[2 * joint * CELLS + center] = expected.y - GRID / 2;
    regressed[(2 * joint + 1) * CELLS + center] = expected.x - GRID / 2;
    offsets.fill(0.25, 2 * joint * CELLS, (2 * joint + 1) * CELLS);
    offsets.fill(0.75, (2 * joint + 1) * CELLS, (2 * joint + 2) * CELLS);
  }
  return { joints, centers, regressed, offsets };
}
const firstJoint = (pose: Float32Array) =>
  [...pose.subarray(0, VALUES_PER_JOINT)].map((value) => Number(value.toFixed(4)));

test('a joint is at its peak, within the cell by its offset', () => {
  const pose = decodePose(outputs({ y: 10, x: 30 }, [{ y: 10, x: 30, score: 0.5 }]));
  expect(firstJoint(pose)).toEqual(
    [(30 + 0.75) / GRID, (10 + 0.25) / GRID, 0.5].map((value) => Number(value.toFixed(4))),
  );
  expect(pose).toHaveLength(JOINTS.length * VALUES_PER_JOINT);
});

test('the clearer peak of somebody beside is not taken', () => {
  const own = { y: 10, x: 30, score: 0.4 };
  const other = { y: 12, x: 5, score: 0.9 };
  expect(firstJoint(decodePose(outputs({ y: 10, x: 29 }, [own, other])))[2]).toBe(0.4);
  expect(firstJoint(decodePose(outputs({ y: 12, x: 6 }, [own, other])))[2]).toBe(0.9);
});
