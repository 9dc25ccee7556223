import { fileURLToPath } from 'node:url';
import { createCanvas, GlobalFonts, ImageData, type SKRSContext2D } from '@napi-rs/canvas';
import type { RgbaFrame, TaskContext } from '#platform/media/index';
import { toRgba } from './rgba.ts';

export type RecapClip = {
  path: string;
  fromS: number;
  untilS: number;
  /** Two lines below the frames. */
  title: string;
  subtitle: string;
};

const WIDTH = 1280;
const HEIGHT = 720;
/** Height of the bar with the caption, below the frames. */
const BAR = 72;
const FRAME = { width: WIDTH, height: HEIGHT - BAR };
/** 30 frames a second are sufficient. */
const MIN_INTERVAL_S = 1 / 31;
/** Shortest time between two frames that the encoder distinguishes. */
const TICK_S = 1 / 90_000;
const FAMILY = 'Sightline Recap';

/**
 * Renders clips one after the other into the MP4 file `target`, without sound, each with its caption. A clip that
 * cannot be decoded is a black frame with its caption. Runs in a media process.
 */
export async function renderRecap(
  { clips, target }: { clips: readonly RecapClip[]; target: string },
  { decoder, encoder, progress }: TaskContext,
): Promise<void> {
  GlobalFonts.registerFromPath(fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')), FAMILY);
  const context = createCanvas(WIDTH, HEIGHT).getContext('2d');
  const endS = clips.reduce((sum, { fromS, untilS }) => sum + untilS - fromS, 0);
  // Decoding pushes frames and encoding pulls them; the stream holds one of them at a time.
  const { readable, writable } = new TransformStream<RgbaFrame, RgbaFrame>();
  const writer = writable.getWriter();

  async function render(): Promise<void> {
    let offsetS = 0;
    for (const clip of clips) {
      const durationS = clip.untilS - clip.fromS;
      let lastS = Number.NEGATIVE_INFINITY;
      const push = async (timeS: number) => {
        lastS = timeS;
        progress((offsetS + timeS) / endS);
        const { data } = context.getImageData(0, 0, WIDTH, HEIGHT);
        await writer.write({ timeS: offsetS + timeS, data: new Uint8Array(data.buffer) });
      };
      drawCaption(context, clip);
      const onFrame = async ({ timeS, data }: { timeS: number; data: Uint8Array }) => {
        // The first frame is shown from the start of the clip.
        const at = lastS < 0 ? 0 : timeS - clip.fromS;
        if (at < lastS + TICK_S || at > durationS - TICK_S) return;
        drawPixels(context, data);
        await push(at);
      };
      const request = { ...FRAME, format: 'rgb', letterbox: 0, minIntervalS: MIN_INTERVAL_S, onFrame } as const;
      const range = { fromS: clip.fromS, untilS: clip.untilS };
      await decoder.decode(clip.path, { frames: [request], range }).catch((error: unknown) => {
        if (!(error instanceof Error) || lastS >= 0) throw error;
      });
      if (lastS < 0) await push(0);
      offsetS += durationS;
    }
  }

  const rendered = render().then(
    () => writer.close(),
    (error) => writer.abort(error),
  );
  await encoder.encode(target, { width: WIDTH, height: HEIGHT, frames: readable, endS });
  await rendered;
}

function drawPixels(context: SKRSContext2D, rgb: Uint8Array): void {
  context.putImageData(new ImageData(toRgba(rgb), FRAME.width, FRAME.height), 0, 0);
}

function drawCaption(context: SKRSContext2D, { title, subtitle }: RecapClip): void {
  context.fillStyle = '#000';
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.textBaseline = 'middle';
  for (const [text, size, color, y] of [
    [title, 26, '#fff', HEIGHT - BAR + 24],
    [subtitle, 18, '#bbb', HEIGHT - BAR + 53],
  ] as const) {
    context.font = `${size}px "${FAMILY}"`;
    context.fillStyle = color;
    context.fillText(text, 24, y, WIDTH - 48);
  }
}
