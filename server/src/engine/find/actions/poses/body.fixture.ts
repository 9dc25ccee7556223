import { JOINTS, type Joint, VALUES_PER_POSE } from '../../../observe/poses/joints.ts';

/** Places of joints in lengths of the torso: x to the right, y down, from the middle of the hips. */
export type Body = Partial<Record<Joint, readonly [x: number, y: number]>>;

const HEAD: Body = {
  nose: [0.02, -1.35],
  leftEye: [0.07, -1.42],
  rightEye: [-0.03, -1.42],
  leftEar: [0.14, -1.38],
  rightEar: [-0.12, -1.38],
};
const TORSO: Body = {
  leftShoulder: [0.3, -1],
  rightShoulder: [-0.3, -1],
  leftHip: [0.17, 0],
  rightHip: [-0.17, 0],
};
const HANGING: Body = {
  leftElbow: [0.38, -0.5],
  leftWrist: [0.4, 0],
  rightElbow: [-0.38, -0.5],
  rightWrist: [-0.4, 0],
};
const STRAIGHT: Body = {
  leftKnee: [0.18, 0.75],
  leftAnkle: [0.18, 1.5],
  rightKnee: [-0.18, 0.75],
  rightAnkle: [-0.18, 1.5],
};

export const STANDING: Body = { ...HEAD, ...TORSO, ...HANGING, ...STRAIGHT };
export const SEATED: Body = {
  ...STANDING,
  leftKnee: [0.6, 0.15],
  leftAnkle: [0.6, 1],
  rightKnee: [0.4, 0.2],
  rightAnkle: [0.4, 1.05],
};
export const CROUCHED: Body = {
  ...STANDING,
  leftKnee: [0.5, 0],
  leftAnkle: [0.3, 0.4],
  rightKnee: [-0.5, 0],
  rightAnkle: [-0.3, 0.4],
};
/** Reaches for the floor: the upper body hangs to the right. */
export const BENT: Body = {
  ...STRAIGHT,
  leftHip: [0.17, 0],
  rightHip: [-0.17, 0],
  leftShoulder: [0.9, 0.1],
  rightShoulder: [0.8, 0.15],
  nose: [1.2, 0.3],
  leftElbow: [0.9, 0.6],
  leftWrist: [0.9, 1],
};
export const HAND_UP: Body = { ...STANDING, leftElbow: [0.5, -1.3], leftWrist: [0.5, -1.8] };
export const POINTING: Body = { ...STANDING, leftElbow: [0.8, -1], leftWrist: [1.3, -1] };
export const HAND_AT_EAR: Body = { ...STANDING, leftElbow: [0.55, -0.6], leftWrist: [0.25, -1.3] };
export const RUNNING: Body = {
  ...STANDING,
  leftElbow: [0.4, -0.55],
  leftWrist: [0.1, -0.6],
  rightElbow: [-0.4, -0.55],
  rightWrist: [-0.1, -0.6],
};

/** Turns a body by 90° about its hips: the head is on the right. */
export const lying = (body: Body): Body =>
  Object.fromEntries(Object.entries(body).map(([joint, [x, y]]) => [joint, [-y, x]]));

/** A body as in a mirror: the left joints are on the other side. */
export const mirrored = (body: Body): Body =>
  Object.fromEntries(
    Object.entries(body).map(([joint, [x, y]]) => {
      const other = joint.startsWith('left') ? joint.replace('left', 'right') : joint.replace('right', 'left');
      return [other, [-x, y]];
    }),
  );

type Placing = { x?: number; y?: number; torso?: number; aspect?: number };

/** The joints of a body in a frame: its hips at a place in fractions, and its torso in heights of the frame. */
export function placed(body: Body, { x = 0.5, y = 0.5, torso = 0.15, aspect = 16 / 9 }: Placing = {}): Float32Array {
  const points = new Float32Array(VALUES_PER_POSE);
  for (const [at, joint] of JOINTS.entries()) {
    const place = body[joint];
    if (place) points.set([x + (place[0] * torso) / aspect, y + place[1] * torso, 0.7], 3 * at);
  }
  return points;
}
