import { JOINTS, type Joint, VALUES_PER_JOINT } from '../../../observe/poses/joints.ts';

/** A place in the frame, in heights of the frame, from the top left. */
export type Point = { x: number; y: number };

/** Joints below this score are guesses of the model, and so are those at the edge of the frame or beyond it. */
const MIN_SCORE = 0.2;
const EDGE = 0.01;
const isInFrame = (place: number) => place > EDGE && place < 1 - EDGE;

/**
 * A person's body in one frame, by its joints. Lengths are in lengths of the torso, so that they do not depend on the
 * person's size and place; nothing depends on which side is the left one. Null where joints are not seen.
 */
export type Skeleton = {
  /** Angle of the torso from upright in degrees: 90 is level, more is head down. */
  tilt: number;
  /** Height of the hips above the knees, the mean of the seen legs. */
  kneeDrop: number | null;
  /** Angle of the thighs from hanging down in degrees, the mean of the seen ones: 90 is level. */
  thighTilt: number | null;
  /** Height of the knees above the ankles. */
  ankleDrop: number | null;
  /** Height of the hips above the ankles. */
  legDrop: number | null;
  /** Arms of which the wrist is seen. */
  arms: Arm[];
  legs: Leg[];
  /** Length of the torso in heights of the frame. */
  torso: number;
  /** Between the shoulders. */
  neck: Point;
};

export type Arm = {
  wrist: Point;
  /** Height of the wrist above the shoulder; null where that is not seen. */
  aboveShoulder: number | null;
  /** Distance of the wrist from the shoulder. */
  reach: number | null;
  /** Angle between the upper arm and the forearm in degrees, 180 for a straight arm. */
  elbow: number | null;
  /** Distance of the wrist from the nose, and from the ear of its side or the other one if that is hidden. */
  toNose: number | null;
  toEar: number | null;
};

export type Leg = {
  /** Angle between the thigh and the shin in degrees, 180 for a straight leg. */
  knee: number;
  ankle: Point;
};

type Side = 'left' | 'right';
const SIDES: readonly Side[] = ['left', 'right'];

const JOINT_INDEX = Object.fromEntries(JOINTS.map((joint, at) => [joint, at])) as Record<Joint, number>;

/**
 * Reads a skeleton from the joints of one view: x, y and score of each, places in fractions of the frame. `aspect` is
 * the width of the frame in heights. Null if the torso is not seen.
 */
export function readSkeleton(points: Float32Array, aspect: number): Skeleton | null {
  const seen = (joint: Joint): Point | null => {
    const at = JOINT_INDEX[joint] * VALUES_PER_JOINT;
    const [x, y, score] = [points[at]!, points[at + 1]!, points[at + 2]!];
    return score >= MIN_SCORE && isInFrame(x) && isInFrame(y) ? { x: x * aspect, y } : null;
  };
  const both = (first: Joint, second: Joint) => middleOf([seen(first), seen(second)]);
  const shoulders = both('leftShoulder', 'rightShoulder');
  const hips = both('leftHip', 'rightHip');
  if (!shoulders || !hips) return null;
  const torso = distance(shoulders, hips);
  if (!(torso > 0)) return null;
  const drop = (from: Point | null, to: Point | null) => (from && to ? (to.y - from.y) / torso : null);
  const dropOf = (from: 'Hip' | 'Knee', to: 'Knee' | 'Ankle') =>
    meanOf(SIDES.map((side) => drop(seen(`${side}${from}`), seen(`${side}${to}`))));
  const ankles = both('leftAnkle', 'rightAnkle');
  const nose = seen('nose');
  return {
    torso,
    neck: shoulders,
    tilt: tiltOf(shoulders, hips),
    kneeDrop: dropOf('Hip', 'Knee'),
    thighTilt: meanOf(
      SIDES.map((side) => {
        const [hip, knee] = [seen(`${side}Hip`), seen(`${side}Knee`)];
        return hip && knee && tiltOf(hip, knee);
      }),
    ),
    ankleDrop: dropOf('Knee', 'Ankle'),
    legDrop: drop(hips, ankles),
    arms: SIDES.flatMap((side): Arm[] => {
      const wrist = seen(`${side}Wrist`);
      if (!wrist) return [];
      const shoulder = seen(`${side}Shoulder`);
      const elbow = seen(`${side}Elbow`);
      const ear = seen(`${side}Ear`) ?? seen(side === 'left' ? 'rightEar' : 'leftEar');
      const from = (point: Point | null) => point && distance(wrist, point) / torso;
      return [
        {
          wrist,
          aboveShoulder: drop(wrist, shoulder),
          reach: from(shoulder),
          elbow: shoulder && elbow && angleAt(elbow, shoulder, wrist),
          toNose: from(nose),
          toEar: from(ear),
        },
      ];
    }),
    legs: SIDES.flatMap((side): Leg[] => {
      const [hip, knee, ankle] = [seen(`${side}Hip`), seen(`${side}Knee`), seen(`${side}Ankle`)];
      return hip && knee && ankle ? [{ knee: angleAt(knee, hip, ankle), ankle }] : [];
    }),
  };
}

/** Mean of the known numbers; null if none is known. */
function meanOf(numbers: readonly (number | null)[]): number | null {
  const known = numbers.filter((number) => number !== null);
  return known.length > 0 ? known.reduce((sum, number) => sum + number, 0) / known.length : null;
}

function middleOf(points: readonly (Point | null)[]): Point | null {
  const known = points.filter((point) => point !== null);
  const [x, y] = [meanOf(known.map((point) => point.x)), meanOf(known.map((point) => point.y))];
  return x === null || y === null ? null : { x, y };
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);
const degrees = (radians: number) => (radians * 180) / Math.PI;

/** Angle in degrees between the way from one point to another and straight down. */
const tiltOf = (from: Point, to: Point) => degrees(Math.abs(Math.atan2(to.x - from.x, to.y - from.y)));

/** Angle in degrees at a point between the directions to two others. */
function angleAt(at: Point, a: Point, b: Point): number {
  const [ax, ay, bx, by] = [a.x - at.x, a.y - at.y, b.x - at.x, b.y - at.y];
  return degrees(Math.abs(Math.atan2(ax * by - ay * bx, ax * bx + ay * by)));
}
