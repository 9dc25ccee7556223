import { spawn } from 'node:child_process';
import { type Canvas, createCanvas, type Image, ImageData, loadImage } from '@napi-rs/canvas';

/** Size of the small pictures that are compared. */
const [WIDTH, HEIGHT] = [32, 18];
/** Mean distance of the values of two pictures, up to which they are the same one. */
const SAME = 16;

/** Recognizes JPEG pictures in the decoded frames of MP4 files. */
export function createClipWatcher() {
  const known = new Map<Buffer, Promise<Uint8Array>>();
  return {
    /** Bytes that are no JPEG cannot be in a clip. */
    learn(jpeg: Buffer) {
      if (jpeg[0] === 0xff && jpeg[1] === 0xd8) known.set(jpeg, shrink(jpeg));
    },
    async watch(mp4: Buffer): Promise<Buffer[]> {
      const pictures = await Promise.all([...known].map(async ([jpeg, small]) => ({ jpeg, small: await small })));
      const frames = await decode(mp4);
      return frames.map((frame) => {
        const ranked = pictures.map(({ jpeg, small }) => ({ jpeg, distance: distanceOf(small, frame) }));
        const best = ranked.reduce((a, b) => (b.distance < a.distance ? b : a));
        return best.distance <= SAME ? best.jpeg : Buffer.from(frame);
      });
    },
  };
}

const distanceOf = (a: Uint8Array, b: Uint8Array) =>
  a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / a.length;

/** The small picture as rows of red, green and blue. */
async function shrink(jpeg: Buffer): Promise<Uint8Array> {
  return scale(await loadImage(jpeg));
}

function scale(picture: Image | Canvas): Uint8Array {
  const canvas = createCanvas(WIDTH, HEIGHT);
  const context = canvas.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, WIDTH, HEIGHT);
  const { data } = context.getImageData(0, 0, WIDTH, HEIGHT);
  return Uint8Array.from(data).filter((_, i) => i % 4 < 3);
}

async function decode(mp4: Buffer): Promise<Uint8Array[]> {
  const ffmpeg = spawn('ffmpeg', [
    '-v',
    'error',
    '-f',
    'mp4',
    '-i',
    'pipe:0',
    '-fps_mode',
    'passthrough',
    '-c:v',
    'ppm',
    '-f',
    'image2pipe',
    'pipe:1',
  ]);
  ffmpeg.stdin.end(mp4);
  const bytes = Buffer.concat(await ffmpeg.stdout.toArray());
  const frames: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [header, width, height] = /^P6\s(\d+) (\d+)\s255\s/.exec(bytes.toString('latin1', at, at + 32))!;
    const size = { width: Number(width), height: Number(height) };
    const from = at + header.length;
    at = from + 3 * size.width * size.height;
    frames.push(scale(toCanvas(bytes.subarray(from, at), size)));
  }
  return frames;
}

function toCanvas(rgb: Uint8Array, { width, height }: { width: number; height: number }): Canvas {
  const canvas = createCanvas(width, height);
  const pixels = new Uint8ClampedArray(4 * width * height).fill(255);
  for (let i = 0; i < width * height; i++) pixels.set(rgb.subarray(3 * i, 3 * i + 3), 4 * i);
  canvas.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0);
  return canvas;
}
