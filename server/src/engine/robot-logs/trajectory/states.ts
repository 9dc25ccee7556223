import type { MessageFields } from '../messages/index.ts';
import { isFields, toNumber } from '../messages/index.ts';

/** State of a machine in one message: named joints, or a pose in a frame of reference. NaN for missing values. */
export type MachineState = {
  frame: string | null;
  /** Meters in `frame`. */
  position: [x: number, y: number, z: number] | null;
  /** Roll, pitch and yaw in radians. */
  rotation: [roll: number, pitch: number, yaw: number] | null;
  /** Positions as recorded: radians for joints that turn, meters for those that slide. */
  joints: Record<string, number> | null;
};

const at = (value: unknown, ...names: string[]): unknown =>
  names.reduce<unknown>((inner, name) => (isFields(inner) ? inner[name] : undefined), value);
const toFrame = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

/** Readers of message types by the last part of their names. */
const READERS: Record<string, (message: MessageFields) => MachineState | null> = {
  JointState: readJoints,
  PoseStamped: (message) => readPose(message.pose, at(message, 'header', 'frame_id')),
  PoseWithCovarianceStamped: (message) => readPose(at(message, 'pose', 'pose'), at(message, 'header', 'frame_id')),
  Odometry: (message) => readPose(at(message, 'pose', 'pose'), at(message, 'header', 'frame_id')),
  PoseInFrame: (message) => readPose(message.pose, message.frame_id),
};
const MAX_JOINTS = 64;

/** Reader of a message type by the name of its schema; null if it states no joints and no pose. */
export const getStateReader = (schema: string) =>
  READERS[
    schema
      .split(/[/.:]+/)
      .at(-1)!
      .replace(/_$/, '')
  ] ?? null;

function readJoints({ name, position }: MessageFields): MachineState | null {
  const positions = ArrayBuffer.isView(position) ? Array.from(position as Float64Array) : position;
  if (!Array.isArray(name) || !Array.isArray(positions) || positions.length < name.length) return null;
  const joints = name.slice(0, MAX_JOINTS).map((joint, i) => [String(joint), toNumber(positions[i])] as const);
  if (joints.length === 0) return null;
  return { frame: null, position: null, rotation: null, joints: Object.fromEntries(joints) };
}

function readPose(pose: unknown, frame: unknown): MachineState | null {
  const [x, y, z] = ['x', 'y', 'z'].map((axis) => toNumber(at(pose, 'position', axis))) as [number, number, number];
  if (Number.isNaN(x + y + z)) return null;
  const [qx, qy, qz, qw] = ['x', 'y', 'z', 'w'].map((axis) =>
    toNumber(at(pose, 'orientation', axis)),
  ) as unknown as Quaternion;
  const rotation = Number.isNaN(qx + qy + qz + qw) ? null : toEuler([qx, qy, qz, qw]);
  return { frame: toFrame(frame), position: [x, y, z], rotation, joints: null };
}

export type Quaternion = readonly [x: number, y: number, z: number, w: number];

/** Roll, pitch and yaw in radians (about x, y and z, in this order about fixed axes); null for an unset orientation. */
export function toEuler([x, y, z, w]: Quaternion): MachineState['rotation'] {
  const norm = x * x + y * y + z * z + w * w;
  if (norm < 1e-9) return null;
  const sine = Math.max(-1, Math.min(1, (2 * (w * y - z * x)) / norm));
  return [
    Math.atan2((2 * (w * x + y * z)) / norm, 1 - (2 * (x * x + y * y)) / norm),
    Math.asin(sine),
    Math.atan2((2 * (w * z + x * y)) / norm, 1 - (2 * (y * y + z * z)) / norm),
  ];
}
