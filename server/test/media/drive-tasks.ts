import type { RgbaFrame, TaskContext } from '#platform/media/index';
import { seeded } from '../random.ts';

/**
 * Drives through a drawn world whose every speed and turn is known: a textured plain, hills on the horizon, and house
 * fronts on both sides where the drive is straight. The camera is a pinhole 1.4 m above the ground.
 */
export type Drive = {
  /**
   * Consecutive intervals: speed changes linearly to `speedMps`, yaw rate is `yawDps` (left positive), roll rate
   * `rollDps`.
   */
  legs: readonly { seconds: number; speedMps: number; yawDps?: number; rollDps?: number }[];
  startMps: number;
  /** House fronts beside the road, this far from its middle, in meters. */
  wallsM?: number;
  /** A van that drives ahead at the same speed, this far away. */
  leaderM?: number;
  /** Whether somebody crosses close by while the camera stands. */
  crossing?: boolean;
  /** Amplitude of the camera shake, in degrees. */
  shakeDeg?: number;
  /** Gray levels of the sensor's noise. */
  noise?: number;
};

/**
 * Braking to a stand, crossing traffic, a leader, bends, open ground and roll: what a speed read from the picture has
 * to get right.
 */
export const DRIVES = {
  street: {
    startMps: 10,
    wallsM: 9,
    shakeDeg: 0.3,
    crossing: true,
    legs: [
      { seconds: 4, speedMps: 14 },
      { seconds: 3, speedMps: 14 },
      { seconds: 3, speedMps: 0 },
      { seconds: 5, speedMps: 0 },
      { seconds: 5, speedMps: 9 },
      { seconds: 3, speedMps: 4 },
      { seconds: 3, speedMps: 4 },
      { seconds: 3, speedMps: 12 },
      { seconds: 2.5, speedMps: 0 },
      { seconds: 3.5, speedMps: 0 },
    ],
  },
  plain: {
    startMps: 0,
    shakeDeg: 0.2,
    legs: [
      { seconds: 3, speedMps: 0 },
      { seconds: 5, speedMps: 15 },
      { seconds: 3, speedMps: 15 },
      { seconds: 5, speedMps: 8, yawDps: 18 },
      { seconds: 3, speedMps: 0 },
      { seconds: 4, speedMps: 0 },
      { seconds: 4, speedMps: 6 },
      { seconds: 3, speedMps: 6, yawDps: -30 },
      { seconds: 4, speedMps: 14 },
    ],
  },
  leader: {
    startMps: 12,
    leaderM: 14,
    wallsM: 12,
    shakeDeg: 0.3,
    noise: 5,
    legs: [
      { seconds: 4, speedMps: 16 },
      { seconds: 3, speedMps: 0 },
      { seconds: 4, speedMps: 0 },
      { seconds: 4, speedMps: 8 },
      { seconds: 4, speedMps: 3 },
      { seconds: 4, speedMps: 12 },
    ],
  },
  /** Waits 34 s at a red light. */
  redLight: {
    startMps: 9,
    wallsM: 9,
    shakeDeg: 0.2,
    legs: [
      { seconds: 3, speedMps: 11 },
      { seconds: 2, speedMps: 0 },
      { seconds: 34, speedMps: 0 },
      { seconds: 5, speedMps: 11 },
    ],
  },
  roll: {
    startMps: 5,
    legs: [
      { seconds: 3, speedMps: 5 },
      { seconds: 2, speedMps: 5, rollDps: 15 },
      { seconds: 2, speedMps: 5 },
      { seconds: 2, speedMps: 5, rollDps: -15 },
      { seconds: 3, speedMps: 5 },
    ],
  },
} as const satisfies Record<string, Drive>;

export type Pose = { timeS: number; speedMps: number; yawDps: number; rollDps: number };

const WIDTH = 320;
const HEIGHT = 192;
const RATE = 25;
const FOCAL = WIDTH * 0.8;
const EYE_M = 1.4;
const WALL_M = 9;
const TILE = 1024;
const RADIANS = Math.PI / 180;

/** Where the camera is how fast, frame by frame: what a perfect instrument would have recorded. */
export function posesOf({ legs, startMps }: Drive): Pose[] {
  let [begin, from] = [0, startMps];
  const poses: Pose[] = [];
  for (const { seconds, speedMps, yawDps = 0, rollDps = 0 } of legs) {
    for (let i = Math.ceil(begin * RATE); i < (begin + seconds) * RATE - 1e-6; i++) {
      const done = (i / RATE - begin) / seconds;
      poses.push({ timeS: i / RATE, speedMps: from + (speedMps - from) * done, yawDps, rollDps });
    }
    begin += seconds;
    from = speedMps;
  }
  return poses;
}

export async function driveTask(
  { path, drive }: { path: string; drive: Drive },
  { encoder }: TaskContext,
): Promise<void> {
  const poses = posesOf(drive);
  await encoder.encode(path, {
    width: WIDTH,
    height: HEIGHT,
    frames: pictures(drive, poses),
    endS: poses.length / RATE,
  });
}

function* pictures(drive: Drive, poses: readonly Pose[]): Generator<RgbaFrame> {
  const textures = { ground: mipmaps(3), wall: mipmaps(5), hills: mipmaps(9) };
  const random = seeded(17);
  const data = new Uint8Array(WIDTH * HEIGHT * 4).fill(255);
  let [x, z, yaw, roll, still] = [0, 0, 0, 0, 0];
  for (const { timeS, speedMps, yawDps, rollDps } of poses) {
    x -= (Math.sin(yaw) * speedMps) / RATE;
    z += (Math.cos(yaw) * speedMps) / RATE;
    yaw += (yawDps * RADIANS) / RATE;
    roll += (rollDps * RADIANS) / RATE;
    still = speedMps === 0 ? still + 1 / RATE : 0;
    // A rough road and a hand shake only what moves.
    const shake = (drive.shakeDeg ?? 0) * RADIANS * Math.min(1, speedMps / 5);
    const pitch = shake * (Math.sin(timeS * 23) + Math.sin(timeS * 9.7 + 1)) * 0.5;
    const sway = shake * Math.sin(timeS * 15.1 + 2) * 0.5;
    draw(data, drive, textures, { x, z, yaw: yaw + sway, roll, pitch, still });
    const noise = drive.noise ?? 2;
    for (let at = 0; at < data.length; at += 4) {
      const n = (random() * 2 - 1) * noise;
      for (let k = 0; k < 3; k++) data[at + k] = Math.max(0, Math.min(255, data[at + k]! + n));
    }
    yield { timeS, data };
  }
}

type Eye = { x: number; z: number; yaw: number; roll: number; pitch: number; still: number };

function draw(
  data: Uint8Array,
  { wallsM, leaderM, crossing }: Drive,
  { ground, wall, hills }: Record<'ground' | 'wall' | 'hills', Uint8Array[]>,
  { x, z, yaw, roll, pitch, still }: Eye,
): void {
  const [sinYaw, cosYaw, sinRoll, cosRoll, sinPitch, cosPitch] = [
    Math.sin(yaw),
    Math.cos(yaw),
    Math.sin(roll),
    Math.cos(roll),
    Math.sin(pitch),
    Math.cos(pitch),
  ];
  for (let row = 0; row < HEIGHT; row++) {
    for (let column = 0; column < WIDTH; column++) {
      const at = (row * WIDTH + column) * 4;
      const px = (column - WIDTH / 2 + 0.5) / FOCAL;
      const py = (row - HEIGHT / 2 + 0.5) / FOCAL;
      // From the picture to the camera's level, then to the world: y down, z ahead.
      const rx = px * cosRoll - py * sinRoll;
      const level = px * sinRoll + py * cosRoll;
      const ry = level * cosPitch + sinPitch;
      const rz = cosPitch - level * sinPitch;
      const wx = rx * cosYaw - rz * sinYaw;
      const wz = rx * sinYaw + rz * cosYaw;
      let nearest = ry > 1e-4 ? EYE_M / ry : Number.POSITIVE_INFINITY;
      let shade = -1;
      if (wallsM !== undefined && Math.abs(wx) > 1e-6) {
        const distance = ((wx > 0 ? wallsM : -wallsM) - x) / wx;
        if (distance > 0 && distance < nearest && EYE_M - ry * distance < WALL_M) {
          nearest = distance;
          shade = sample(wall, (z + wz * distance) * 40, ry * distance * 40, distance * 0.15) * 0.75 + 50;
        }
      }
      if (leaderM !== undefined && rz > 0) {
        const distance = leaderM / rz;
        if (distance < nearest && Math.abs(rx * distance) < 1 && ry * distance > -0.7) {
          nearest = distance;
          shade = sample(wall, rx * distance * 200 + 9000, ry * distance * 200, 0) * 0.4 + 20;
        }
      }
      if (crossing && still > 0 && rz > 0) {
        const distance = 5 / rz;
        const place = (still % 6) * 2.5 - 6;
        if (distance < nearest && Math.abs(rx * distance - place) < 0.4 && ry * distance > -0.4) {
          nearest = distance;
          shade = sample(wall, (rx * distance - place) * 300, ry * distance * 300, 0) * 0.6;
        }
      }
      if (shade < 0) {
        if (ry > 0.004) {
          const [gx, gz] = [x + wx * nearest, z + wz * nearest];
          shade = sample(ground, gx * 60, gz * 60, nearest * 0.35) * 0.7 + 30;
        } else {
          const azimuth = Math.atan2(wx, wz);
          const height = -ry / Math.hypot(wx, wz);
          const hill = 0.06 + 0.03 * Math.sin(azimuth * 7) + 0.02 * Math.sin(azimuth * 17 + 1);
          shade = height < hill ? sample(hills, azimuth * 900 + 4000, height * 900, 0) * 0.6 + 20 : 215 - height * 60;
        }
      }
      data[at] = data[at + 1] = data[at + 2] = shade;
    }
  }
}

/** A gray level of a texture at a place, averaged over `spread` texels as a lens would. */
function sample(levels: Uint8Array[], u: number, v: number, spread: number): number {
  const level = Math.max(0, Math.min(levels.length - 1, Math.round(Math.log2(Math.max(1, spread * 4)))));
  const size = TILE >> level;
  const scale = 1 / (1 << level);
  const [su, sv] = [u * scale, v * scale];
  const [iu, iv] = [Math.floor(su), Math.floor(sv)];
  const [fu, fv] = [su - iu, sv - iv];
  const pixels = levels[level]!;
  const texel = (a: number, b: number) => pixels[(b & (size - 1)) * size + (a & (size - 1))]!;
  const top = texel(iu, iv) * (1 - fu) + texel(iu + 1, iv) * fu;
  const bottom = texel(iu, iv + 1) * (1 - fu) + texel(iu + 1, iv + 1) * fu;
  return top * (1 - fv) + bottom * fv;
}

/** Noise of all sizes that repeats without a seam, and its halvings. */
function mipmaps(seed: number): Uint8Array[] {
  const random = seeded(seed);
  const base = new Float32Array(TILE * TILE);
  for (const cell of [4, 16, 64]) {
    const columns = TILE / cell;
    const grid = Float32Array.from({ length: columns * columns }, random);
    for (let v = 0; v < TILE; v++) {
      for (let u = 0; u < TILE; u++) {
        base[v * TILE + u]! += (grid[Math.floor(v / cell) * columns + Math.floor(u / cell)]! - 0.5) * 110;
      }
    }
  }
  let current: Uint8Array = Uint8Array.from(base, (value) => Math.max(0, Math.min(255, 128 + value)));
  const levels = [current];
  for (let size = TILE / 2; size >= 4; size /= 2) {
    const finer = current;
    current = new Uint8Array(size * size);
    for (let v = 0; v < size; v++) {
      for (let u = 0; u < size; u++) {
        const at = v * 2 * size * 2 + u * 2;
        current[v * size + u] = (finer[at]! + finer[at + 1]! + finer[at + size * 2]! + finer[at + size * 2 + 1]!) / 4;
      }
    }
    levels.push(current);
  }
  return levels;
}
