import { createHash } from 'node:crypto';
import { createCanvas } from '@napi-rs/canvas';
import type { Media } from '#platform/media/index';
import { knownAt, type Truth, type VisionOracle } from '#test/servers/vision-oracle';
import { CLIP_STEP_S, type FrameSource } from './index.ts';

const [COLUMNS, ROWS] = [16, 9];
const CELL = 12;

const drawn = new Map<string, Promise<Buffer>>();
/** A pattern of squares for a text, as a JPEG. */
function drawOnce(text: string): Promise<Buffer> {
  const jpeg = drawn.get(text) ?? draw(text);
  drawn.set(text, jpeg);
  return jpeg;
}

function draw(text: string): Promise<Buffer> {
  const canvas = createCanvas(COLUMNS * CELL, ROWS * CELL);
  const context = canvas.getContext('2d');
  const digest = createHash('sha256').update(text).digest();
  for (let i = 0; i < COLUMNS * ROWS; i++) {
    context.fillStyle = (digest[i >> 3]! >> (i & 7)) & 1 ? '#fff' : '#000';
    context.fillRect((i % COLUMNS) * CELL, Math.floor(i / COLUMNS) * CELL, CELL, CELL);
  }
  return canvas.encode('jpeg', 90);
}

/** Frames of a clip that an oracle knows, drawn as a pattern of squares for each time: they can be encoded. */
export function drawnFramesOf(oracle: VisionOracle, truth: Truth, media: Pick<Media, 'pictureClip'>): FrameSource {
  return {
    async frame(timeS) {
      const jpeg = await drawOnce(`${timeS} ${JSON.stringify(truth)}`);
      oracle.learn(jpeg, [knownAt(truth, timeS)]);
      return jpeg;
    },
    clip: (pictures) => media.pictureClip(pictures, { stepS: CLIP_STEP_S }),
    async sheet(times) {
      const jpeg = Buffer.from(`sheet at ${times.join()} of ${JSON.stringify(truth)}`);
      oracle.learn(
        jpeg,
        times.map((timeS) => knownAt(truth, timeS)),
      );
      return jpeg;
    },
  };
}
