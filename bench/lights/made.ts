import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LampColor } from '../../server/src/engine/observe/objects/lit-lamp.ts';

/** A frame of the footage with a traffic light at close range, and its lamps in pixels of the frame. */
const SOURCE = { file: 'road/camvid_0016E5_cyclists_15fps.mp4', atS: 3.93, width: 480, height: 360 };
const LAMPS = { x: 114, y: { red: 81, yellow: 98, green: 115 }, radius: 5 };
const HOUSING = [14, 14, 13] as const;
const LIT = { red: [255, 60, 50], yellow: [255, 190, 60], green: [60, 250, 180] } as const;
const RATE = 15;
const NOISE = 6;

/** The lamps that are lit: as in the United Kingdom, red and yellow are lit together before green. */
export const PHASES: readonly { startS: number; lit: readonly LampColor[] }[] = [
  { startS: 0, lit: ['red'] },
  { startS: 5, lit: ['red', 'yellow'] },
  { startS: 6, lit: ['green'] },
  { startS: 11, lit: ['yellow'] },
  { startS: 14, lit: ['red'] },
];
export const END_S = 19;
/** Height of the light in pixels of the detector's input, as a share of that in the source. */
export const SCALES = [1, 0.7, 0.5, 0.35] as const;
/** Brightness of what is not lit. */
export const DAYTIMES = { day: 1, dusk: 0.45, night: 0.15 } as const;

export type MadeLight = { path: string; scale: number; daytime: keyof typeof DAYTIMES };

export const litAt = (timeS: number) => PHASES.findLast(({ startS }) => startS <= timeS + 1e-6)!.lit;

/** Writes videos of one real light whose lamps are painted: a change that the footage does not have. */
export async function makeLights(dir: string, data: string): Promise<MadeLight[]> {
  const frame = await readFrame(join(data, SOURCE.file));
  const made: MadeLight[] = [];
  for (const scale of SCALES) {
    for (const daytime of Object.keys(DAYTIMES) as (keyof typeof DAYTIMES)[]) {
      const path = join(dir, `${daytime}-${scale}.mp4`);
      await encode(path, scale, (timeS) => paint(frame, litAt(timeS), DAYTIMES[daytime]));
      made.push({ path, scale, daytime });
    }
  }
  return made;
}

async function readFrame(path: string): Promise<Uint8Array> {
  const args = ['-v', 'error', '-ss', `${SOURCE.atS}`, '-i', path, '-frames:v', '1'];
  const { stdout } = await promisify(execFile)('ffmpeg', [...args, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'], {
    encoding: 'buffer',
    maxBuffer: 1e7,
  });
  return stdout;
}

function paint(frame: Uint8Array, lit: readonly LampColor[], brightness: number): Uint8Array {
  const rgb = Uint8ClampedArray.from(frame, (value) => value * brightness + NOISE * (Math.random() - 0.5));
  for (const [lamp, y] of Object.entries(LAMPS.y) as [LampColor, number][]) {
    const color = lit.includes(lamp) ? LIT[lamp] : HOUSING.map((value) => value * brightness);
    for (let dy = -LAMPS.radius; dy <= LAMPS.radius; dy++)
      for (let dx = -LAMPS.radius; dx <= LAMPS.radius; dx++)
        if (Math.hypot(dx, dy) <= LAMPS.radius) rgb.set(color, ((y + dy) * SOURCE.width + LAMPS.x + dx) * 3);
  }
  return Uint8Array.from(rgb);
}

/** Encodes frames, made smaller in a frame of the same size: the light is farther away. */
async function encode(path: string, scale: number, frameAt: (timeS: number) => Uint8Array): Promise<void> {
  const { width, height } = SOURCE;
  const filter = `scale=iw*${scale}:ih*${scale},pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2:gray`;
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', `${width}x${height}`, '-r', `${RATE}`, '-i', '-'];
  const output = ['-vf', filter, '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '26', '-pix_fmt', 'yuv420p', path];
  const ffmpeg = spawn('ffmpeg', ['-v', 'error', '-y', ...input, ...output], { stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = once(ffmpeg, 'close');
  for (let n = 0; n < END_S * RATE; n++) if (!ffmpeg.stdin.write(frameAt(n / RATE))) await once(ffmpeg.stdin, 'drain');
  ffmpeg.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`ffmpeg ended with ${code}`);
}
