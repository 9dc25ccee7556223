import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { TaskContext } from '#platform/media/index';
import { generator, place, renderFrames } from './frames.ts';
import { ROBOT, ROOM } from './scene.ts';
import { drawPerson, ellipse, line } from './vehicles.ts';

/** In frames: four seconds. */
const KEYFRAME_DISTANCE = 40;
/** Heights in pixels from the top: the floor of the room, and the top of the bench of the robot. */
const FLOOR = 470;
const BENCH = 400;

/** Task of `renderSample`, runs in a media process. */
export async function render(
  { path, scene }: { path: string; scene: 'room' | 'robot' },
  { encoder, progress }: TaskContext,
): Promise<void> {
  const random = generator(scene === 'room' ? 5 : 9);
  const { size, draw } = scene === 'room' ? roomScene(random) : robotScene();
  await encoder.encode(path, {
    width: size.width,
    height: size.height,
    frames: renderFrames(size, random, draw, progress),
    endS: size.durationS,
    audio: createRoomTone(size),
    // A user waits for it.
    effort: 'low',
    // A keyframe changes an image a little, so that none may be in the frozen range.
    gopSize: KEYFRAME_DISTANCE,
  });
}

/** The quiet hum of a room, and a bang. Mono samples from -1 to 1. */
function createRoomTone({ durationS, soundRate, bangS }: typeof ROOM | typeof ROBOT) {
  const random = generator(3);
  let hum = 0;
  const samples = Float32Array.from({ length: durationS * soundRate }, (_, i) => {
    const timeS = i / soundRate;
    const white = random() * 2 - 1;
    // A low pass turns hiss into a hum.
    hum += (white - hum) * 0.03;
    const bang = timeS >= bangS ? 0.95 * white * Math.exp(-(timeS - bangS) * 14) : 0;
    return Math.max(-1, Math.min(1, hum * 0.1 + bang));
  });
  return { sampleRate: soundRate, samples };
}

function roomScene(random: () => number) {
  const { visitor, dark, width, height } = ROOM;
  const background = paintRoom(random);
  const draw = (c: SKRSContext2D, timeS: number) => {
    c.drawImage(background, 0, 0);
    if (timeS >= visitor.startS && timeS < visitor.endS) {
      const share = (timeS - visitor.startS) / (visitor.endS - visitor.startS);
      const x = -60 + share * (width + 120);
      place(c, x, FLOOR + 30, 1.7, () => drawPerson(c, x / 24));
    }
    if (timeS >= dark.startS && timeS < dark.endS) {
      c.fillStyle = 'rgba(0, 0, 0, 0.95)';
      c.fillRect(0, 0, width, height);
    }
  };
  return { size: ROOM, draw };
}

function paintRoom(random: () => number): Canvas {
  const { width, height } = ROOM;
  const canvas = createCanvas(width, height);
  const c = canvas.getContext('2d');
  const wall = c.createLinearGradient(0, 0, 0, FLOOR);
  wall.addColorStop(0, '#cfc9bd');
  wall.addColorStop(1, '#e5e0d6');
  c.fillStyle = wall;
  c.fillRect(0, 0, width, FLOOR);
  c.fillStyle = '#8a6a4b';
  c.fillRect(0, FLOOR - 60, width, height);
  c.strokeStyle = 'rgba(0, 0, 0, 0.18)';
  c.lineWidth = 2;
  for (let y = FLOOR - 40; y < height; y += 22) line(c, 0, y, width, y + random() * 2);
  c.fillStyle = '#f3efe6';
  c.fillRect(0, FLOOR - 74, width, 14);
  // A window, a door, a picture, a cupboard and a plant.
  c.fillStyle = '#f7f5ef';
  c.fillRect(330, 90, 220, 170);
  c.fillStyle = '#9fc7e6';
  c.fillRect(342, 102, 92, 146);
  c.fillRect(446, 102, 92, 146);
  c.fillStyle = '#6f4f37';
  c.fillRect(90, 120, 130, FLOOR - 180);
  c.fillStyle = '#7d5b41';
  c.fillRect(100, 130, 110, FLOOR - 196);
  c.fillStyle = '#d8b25a';
  ellipse(c, 200, 280, 5, 5);
  c.fillStyle = '#45525c';
  c.fillRect(640, 120, 90, 70);
  c.fillStyle = '#b7c4a1';
  c.fillRect(648, 128, 74, 54);
  c.fillStyle = '#5c4a3c';
  c.fillRect(770, 250, 150, FLOOR - 310);
  c.fillStyle = '#6b5746';
  c.fillRect(778, 258, 64, FLOOR - 326);
  c.fillRect(848, 258, 64, FLOOR - 326);
  c.fillStyle = '#3f6b3a';
  for (let i = 0; i < 12; i++) ellipse(c, 262 + random() * 50, 300 + random() * 70, 12, 22);
  c.fillStyle = '#a05a3c';
  c.fillRect(268, 372, 42, 38);
  return canvas;
}

function robotScene() {
  const { carries, returns } = ROBOT;
  const background = paintBench();
  const [left, right] = [190, 760];
  const draw = (c: SKRSContext2D, timeS: number) => {
    c.drawImage(background, 0, 0);
    const there = easeBetween(timeS, carries);
    const back = easeBetween(timeS, returns);
    const x = left + (right - left) * (there - back);
    // The cube stays where the arm has put it down.
    const cube = timeS < carries.endS ? x : right;
    c.fillStyle = '#c33a2c';
    c.fillRect(cube - 26, BENCH - 52, 52, 52);
    c.fillStyle = '#e06a5c';
    c.fillRect(cube - 26, BENCH - 52, 52, 12);
    drawArm(c, x, timeS >= carries.endS);
  };
  return { size: ROBOT, draw };
}

/** From 0 to 1 within a range, slow at both ends. */
function easeBetween(timeS: number, { startS, endS }: { startS: number; endS: number }): number {
  const share = Math.max(0, Math.min(1, (timeS - startS) / (endS - startS)));
  return (1 - Math.cos(Math.PI * share)) / 2;
}

/** A gantry that hangs from a rail, with a gripper at its end. */
function drawArm(c: SKRSContext2D, x: number, isOpen: boolean): void {
  c.fillStyle = '#2f3a44';
  c.fillRect(x - 60, 82, 120, 46);
  c.fillStyle = '#e2a13a';
  c.fillRect(x - 22, 128, 44, 150);
  c.fillStyle = '#b97d24';
  c.fillRect(x + 10, 128, 12, 150);
  c.fillStyle = '#2f3a44';
  c.fillRect(x - 44, 278, 88, 26);
  const gap = isOpen ? 44 : 28;
  for (const side of [-1, 1]) {
    c.fillStyle = '#56636e';
    c.fillRect(x + side * gap - 8, 304, 16, 74);
  }
}

function paintBench(): Canvas {
  const { width, height } = ROBOT;
  const canvas = createCanvas(width, height);
  const c = canvas.getContext('2d');
  c.fillStyle = '#b9c1c7';
  c.fillRect(0, 0, width, height);
  c.fillStyle = '#a4adb4';
  for (let x = 0; x < width; x += 120) c.fillRect(x, 0, 4, BENCH);
  c.fillStyle = '#3b444c';
  c.fillRect(0, 60, width, 24);
  c.fillStyle = '#59646d';
  c.fillRect(0, 60, width, 6);
  c.fillStyle = '#6c5842';
  c.fillRect(0, BENCH, width, height - BENCH);
  c.fillStyle = '#7f6a51';
  c.fillRect(0, BENCH, width, 18);
  // Where the cube comes from, and where it goes.
  for (const [x, color] of [
    [190, '#4f7a9c'],
    [760, '#4f9c6a'],
  ] as const) {
    c.fillStyle = color;
    c.fillRect(x - 70, BENCH + 4, 140, 10);
  }
  return canvas;
}
