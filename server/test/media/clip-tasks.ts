import type { RgbaFrame, TaskContext } from '#platform/media/index';
import { seeded } from '../random.ts';

/** Draws the test clips inside a media process, with the events listed in `SCENE`; `clips.ts` returns the files. */
export const SCENE = {
  width: 480,
  height: 272,
  frameRate: 25,
  durationS: 16,
  /** A red block, a tenth of the picture's width, comes in over the left edge and goes out over the right one. */
  block: { startS: 1, endS: 3.4, color: [220, 30, 30] as const, y: 0.5, height: 0.2, width: 0.1 },
  /** The background changes from one frame to the next. */
  cutS: 4,
  dark: { startS: 6, endS: 8 },
  /** The same picture again and again, without the camera's noise. */
  frozen: { startS: 10, endS: 12 },
  sound: {
    sampleRate: 48_000,
    silence: { startS: 5, endS: 7 },
    tone: { startS: 9, endS: 10, hertz: 1_000, peak: 0.5 },
    floor: 0.03,
  },
} as const;

/** A static camera, partly without events. Keyframes are two seconds apart, unless the encoder adds one. */
export const STILL = {
  frameRate: 25,
  durationS: 26,
  keyframeEveryS: 2,
  /** A block of this share of the picture's width comes and goes between two keyframes. */
  visit: { startS: 6.4, endS: 7.6, width: 0.04 },
  /** Another one stands there from the start, and begins to move this slowly, in picture widths per second. */
  creep: { startS: 14, endS: 20, width: 0.05, speed: 0.004 },
} as const;

type EncodeArgs = { path: string };

/** The clip that `SCENE` describes. */
export async function sceneTask({ path }: EncodeArgs, { encoder }: TaskContext): Promise<void> {
  const { width, height, durationS } = SCENE;
  await encoder.encode(path, { width, height, frames: scenePictures(), endS: durationS, audio: sceneSound() });
}

/** The clip that `STILL` describes. `noise`: the camera's, of 255. */
export async function stillTask(
  { path, noise }: EncodeArgs & { noise: number },
  { encoder }: TaskContext,
): Promise<void> {
  const { width, height } = SCENE;
  const { durationS, frameRate, keyframeEveryS } = STILL;
  const pictures = stillPictures(noise);
  await encoder.encode(path, { width, height, frames: pictures, endS: durationS, gopSize: keyframeEveryS * frameRate });
}

function* stillPictures(noise: number): Generator<RgbaFrame> {
  const { width, height } = SCENE;
  const { frameRate, durationS, visit, creep } = STILL;
  const background = drawBackground(7, [96, 128, 96]);
  const data = new Uint8Array(width * height * 4);
  for (let i = 0; i < durationS * frameRate; i++) {
    const timeS = i / frameRate;
    data.set(background);
    const block = (x: number, y: number, size: number) =>
      fillRectangle(data, x * width, y * height, size * width, size * width, [30, 30, 35]);
    const crept = Math.min(Math.max(0, timeS - creep.startS), creep.endS - creep.startS);
    block(0.7 + crept * creep.speed, 0.6, creep.width);
    if (within(timeS, visit)) block(0.2 + 0.1 * (timeS - visit.startS), 0.3, visit.width);
    addNoise(data, i, noise);
    yield { timeS, data };
  }
}

type FlatsArgs = EncodeArgs & { times: number[]; levels?: number[]; endS: number; width: number; height: number };

/**
 * Frames of one gray level each, `levels[i]` or `flatLevel(i)`, shown from `times[i]`: for tests that must know every
 * frame.
 */
export async function flatTask(
  { path, times, levels, endS, width, height }: FlatsArgs,
  { encoder }: TaskContext,
): Promise<void> {
  const corner = { width: Math.floor(width / 4), height: Math.floor(height / 4) };
  const pictures = times.values().map((timeS, i) => {
    const data = new Uint8Array(width * height * 4).fill(levels?.[i] ?? flatLevel(i));
    // The top left corner as coded is white, so that a test sees which way is up.
    for (let y = 0; y < corner.height; y++) data.fill(255, y * width * 4, (y * width + corner.width) * 4);
    return { timeS, data };
  });
  await encoder.encode(path, { width, height, frames: pictures, endS, gopSize: 12 });
}

/** Gray level of a flat clip's frame. */
export const flatLevel = (index: number) => 40 + ((index * 37) % 160);

function* scenePictures(): Generator<RgbaFrame> {
  const { width, height, frameRate, durationS, cutS, dark, frozen } = SCENE;
  const backgrounds = [drawBackground(7, [96, 128, 96]), drawBackground(23, [150, 120, 90])] as const;
  const data = new Uint8Array(width * height * 4);
  for (let i = 0; i < durationS * frameRate; i++) {
    const timeS = i / frameRate;
    if (!within(timeS, frozen)) {
      data.set(backgrounds[timeS < cutS ? 0 : 1]);
      drawBlock(data, timeS);
      if (within(timeS, dark)) for (let k = 0; k < data.length; k++) data[k]! >>= 4;
      addNoise(data, i, within(timeS, dark) ? 1 : 6);
    }
    yield { timeS, data };
  }
}

const within = (timeS: number, { startS, endS }: { startS: number; endS: number }) => timeS >= startS && timeS < endS;

function drawBackground(seed: number, [r, g, b]: readonly [number, number, number]): Uint8Array {
  const { width, height } = SCENE;
  const random = seeded(seed);
  const data = new Uint8Array(width * height * 4);
  for (let i = 0; i < data.length; i += 4) data.set([r, g, b, 255], i);
  for (let n = 0; n < 150; n++) {
    const shade = 0.6 + random() * 0.8;
    const color = [r * shade, g * shade, b * shade].map((v) => Math.min(255, v));
    fillRectangle(data, random() * width, random() * height, 10 + random() * 60, 10 + random() * 60, color);
  }
  return data;
}

function drawBlock(data: Uint8Array, timeS: number): void {
  const { width, height, block } = SCENE;
  if (!within(timeS, block)) return;
  const done = (timeS - block.startS) / (block.endS - block.startS);
  const left = -block.width + done * (1 + block.width);
  const top = block.y - block.height / 2;
  fillRectangle(data, left * width, top * height, block.width * width, block.height * height, block.color);
}

function fillRectangle(data: Uint8Array, x: number, y: number, w: number, h: number, color: readonly number[]): void {
  const { width, height } = SCENE;
  for (let row = Math.max(0, Math.round(y)); row < Math.min(height, Math.round(y + h)); row++) {
    for (let column = Math.max(0, Math.round(x)); column < Math.min(width, Math.round(x + w)); column++) {
      data.set([color[0]!, color[1]!, color[2]!], (row * width + column) * 4);
    }
  }
}

/** A camera's noise, in squares of 4 pixels so that it survives compression. */
function addNoise(data: Uint8Array, frame: number, amplitude: number): void {
  const { width, height } = SCENE;
  const random = seeded(1_000 + frame);
  const columns = width / 4;
  const noise = Float32Array.from({ length: columns * (height / 4) }, () => (random() * 2 - 1) * amplitude);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const n = noise[(y >> 2) * columns + (x >> 2)]!;
      const at = (y * width + x) * 4;
      for (let k = 0; k < 3; k++) data[at + k] = Math.max(0, Math.min(255, data[at + k]! + n));
    }
  }
}

function sceneSound(): { sampleRate: number; samples: Float32Array } {
  const { durationS, sound } = SCENE;
  const random = seeded(99);
  const samples = Float32Array.from({ length: durationS * sound.sampleRate }, (_, i) => {
    const timeS = i / sound.sampleRate;
    if (within(timeS, sound.silence)) return 0;
    if (within(timeS, sound.tone)) return sound.tone.peak * Math.sin(2 * Math.PI * sound.tone.hertz * timeS);
    return (random() * 2 - 1) * sound.floor;
  });
  return { sampleRate: sound.sampleRate, samples };
}
