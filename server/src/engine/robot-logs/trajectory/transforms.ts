import type { MessageFields } from '../messages/index.ts';
import { isFields, toNumber, toTimestampNs } from '../messages/index.ts';
import { type MachineState, type Quaternion, toEuler } from './states.ts';

type Vector = readonly [x: number, y: number, z: number];
/** Pose of the frame `child` in the frame `parent`: meters, and a unit quaternion. */
type Transform = { parent: string; child: string; stampNs: bigint | null; position: Vector; rotation: Quaternion };
type Pose = Pick<Transform, 'position' | 'rotation'>;

/** Frames that stand still, and frames of a machine, without the namespace of a robot. */
const FIXED = /^(map|odom|odom_combined|world|earth)$/;
const BASE = /^(base|base_link|base_footprint|base_stabilized|ego_vehicle|chassis)$/;

const MAX_TRANSFORMS = 500;
const MAX_FRAMES = 1_000;
/** Most frames between a base and the outermost fixed frame. */
const MAX_DEPTH = 8;

/** Types of messages with transforms: those of ROS 1 and ROS 2 have a list, and so does one of Foxglove. */
const TYPES = /^(TFMessage|tfMessage|TransformStamped|FrameTransforms?)$/;

export const statesTransforms = (schema: string): boolean =>
  TYPES.test(
    schema
      .split(/[/.:]+/)
      .at(-1)!
      .replace(/_$/, ''),
  );

/** A pose of a base frame: `name` identifies the pair of frames. */
export type BasePose = { name: string; stampNs: bigint | null; state: MachineState };

/**
 * Reads how the base of a machine moves in fixed frames, from transforms of all channels of a recording. A base has a
 * pose in each fixed frame above it (`odom`, and `map` if the recording states where `odom` is).
 */
export function createTransformReader() {
  /** Latest transform of each frame to its parent. */
  const latest = new Map<string, Transform>();

  function* posesOf({ child, stampNs }: Transform): Generator<BasePose> {
    let pose: Pose = { position: [0, 0, 0], rotation: [0, 0, 0, 1] };
    let frame = child;
    for (let depth = 0; depth < MAX_DEPTH; depth++) {
      const step = latest.get(frame);
      if (!step) return;
      pose = compose(step, pose);
      frame = step.parent;
      if (!FIXED.test(withoutNamespace(frame))) continue;
      const state = { frame, position: [...pose.position], rotation: toEuler(pose.rotation), joints: null };
      yield { name: `${frame}/${child}`, stampNs, state: state as MachineState };
    }
  }

  return {
    read(message: MessageFields): BasePose[] {
      const listed = Array.isArray(message.transforms) ? message.transforms.slice(0, MAX_TRANSFORMS) : [message];
      const transforms = listed.flatMap((each) => (isFields(each) ? (toTransform(each) ?? []) : []));
      for (const transform of transforms) {
        if (latest.has(transform.child) || latest.size < MAX_FRAMES) latest.set(transform.child, transform);
      }
      return transforms.filter(({ child }) => BASE.test(withoutNamespace(child))).flatMap((each) => [...posesOf(each)]);
    },
  };
}

const withoutNamespace = (frame: string) => frame.split('/').at(-1)!;
const at = (value: unknown, name: string): unknown => (isFields(value) ? value[name] : undefined);
const toFrame = (value: unknown) => (typeof value === 'string' ? value.replace(/^\/+/, '').slice(0, 100) : '');

function toTransform(message: MessageFields): Transform | null {
  const moved = isFields(message.transform) ? message.transform : message;
  const parent = toFrame(message.parent_frame_id ?? at(message.header, 'frame_id'));
  const child = toFrame(message.child_frame_id);
  const position = ['x', 'y', 'z'].map((axis) => toNumber(at(moved.translation, axis)));
  const [x, y, z, w] = ['x', 'y', 'z', 'w'].map((axis) => toNumber(at(moved.rotation, axis))) as unknown as Quaternion;
  const norm = Math.hypot(x, y, z, w);
  if (!parent || !child || parent === child || !position.every(Number.isFinite)) return null;
  if (!Number.isFinite(norm) || norm < 1e-6) return null;
  return {
    parent,
    child,
    stampNs: toTimestampNs(message),
    position: position as unknown as Vector,
    rotation: [x / norm, y / norm, z / norm, w / norm],
  };
}

/** Pose in the parent of `outer` of what has the pose `inner` in its child. */
function compose(outer: Pose, inner: Pose): Pose {
  const [x, y, z] = rotate(outer.rotation, inner.position);
  const [ox, oy, oz] = outer.position;
  return { position: [ox + x, oy + y, oz + z], rotation: multiply(outer.rotation, inner.rotation) };
}

function multiply([ax, ay, az, aw]: Quaternion, [bx, by, bz, bw]: Quaternion): Quaternion {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

function rotate(by: Quaternion, [x, y, z]: Vector): Vector {
  const inverse: Quaternion = [-by[0], -by[1], -by[2], by[3]];
  const [rx, ry, rz] = multiply(multiply(by, [x, y, z, 0]), inverse);
  return [rx, ry, rz];
}
