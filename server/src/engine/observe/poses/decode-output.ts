import { JOINTS, VALUES_PER_JOINT, VALUES_PER_POSE } from './joints.ts';

/** Cells along a side of the model's maps. */
export const GRID = 48;
const CELLS = GRID * GRID;

/** Numbers of the model's outputs, channels first: of joints, of the center, and two offsets (y, x) for each joint. */
export const OUTPUT_LENGTHS = [
  JOINTS.length * CELLS,
  CELLS,
  2 * JOINTS.length * CELLS,
  2 * JOINTS.length * CELLS,
] as const;

/** Distance in cells at which a peak counts half of one in place, as the model was trained. */
const NEAR = 1.8;

export type PoseOutputs = {
  /** Probabilities of each joint. */
  joints: Float32Array;
  /** Logits of the center of a person. */
  centers: Float32Array;
  /** Places of the joints from the center, in cells. */
  regressed: Float32Array;
  /** Places of the joints within their cells. */
  offsets: Float32Array;
};

/**
 * Decodes the pose of the person in the middle of an image: x and y of each joint in fractions of the image, and its
 * score. The most likely center near the middle says where each joint is expected; of each joint, the peak that is
 * clear and close to that place is the person's own, and not that of somebody beside.
 */
export function decodePose({ joints, centers, regressed, offsets }: PoseOutputs): Float32Array {
  const middle = GRID / 2;
  const center = bestCell((y, x) => sigmoid(centers[y * GRID + x]!) / (Math.hypot(y - middle, x - middle) + NEAR));
  const pose = new Float32Array(VALUES_PER_POSE);
  for (let joint = 0; joint < JOINTS.length; joint++) {
    const offsetAt = (values: Float32Array, cell: number, axis: 0 | 1) => values[(2 * joint + axis) * CELLS + cell]!;
    const expectedY = Math.floor(center / GRID) + offsetAt(regressed, center, 0);
    const expectedX = (center % GRID) + offsetAt(regressed, center, 1);
    const scoreAt = (cell: number) => joints[joint * CELLS + cell]!;
    const cell = bestCell((y, x) => scoreAt(y * GRID + x) / (Math.hypot(y - expectedY, x - expectedX) + NEAR));
    const x = ((cell % GRID) + offsetAt(offsets, cell, 1)) / GRID;
    const y = (Math.floor(cell / GRID) + offsetAt(offsets, cell, 0)) / GRID;
    pose.set([x, y, scoreAt(cell)], joint * VALUES_PER_JOINT);
  }
  return pose;
}

/** The cell with the greatest weight, the first of equal ones. */
function bestCell(weigh: (y: number, x: number) => number): number {
  let best = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (let y = 0, cell = 0; y < GRID; y++) {
    for (let x = 0; x < GRID; x++, cell++) {
      const weight = weigh(y, x);
      if (weight <= most) continue;
      most = weight;
      best = cell;
    }
  }
  return best;
}

const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit));
