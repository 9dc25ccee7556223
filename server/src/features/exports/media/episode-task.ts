import type { TaskContext } from '#platform/media/index';
import type { ChannelValues, EpisodeForm, PixelStatistics } from '../types.ts';
import { toRgba } from './rgba.ts';

export type EpisodeRequest = EpisodeForm & {
  path: string;
  target: string;
  /** Seconds from the first frame of the video. The first frame from here on is shown first. */
  fromS: number;
  /** Number of frames to write. */
  count: number;
};

/** Share of a frame's pixels that statistics count: one in this many. */
const PIXEL_STEP = 7;
/** Frames that are this share of an interval late count as in time: times of files are rounded. */
const TOLERANCE = 0.05;
/** Decoded at least, so that an event without duration has a frame. */
const MIN_RANGE_S = 1;

/**
 * Writes frames at a constant rate to the MP4 file `target`, without sound; each shows what the video shows at that
 * time, in its aspect ratio on black. Returns statistics of their pixels; null if the video has no frame there. Runs in a media process.
 */
export async function renderEpisode(
  { path, target, fromS, count, fps, width, height }: EpisodeRequest,
  { decoder, encoder, progress }: TaskContext,
): Promise<PixelStatistics | null> {
  const statistics = createStatistics();
  // Decoding pushes frames and encoding pulls them; the stream holds one of them at a time.
  const { readable, writable } = new TransformStream<{ timeS: number; data: Uint8Array }>();
  const writer = writable.getWriter();
  let shown: Uint8Array | null = null;
  let written = 0;

  async function showUntil(timeS: number): Promise<void> {
    while (shown && written < count && fromS + written / fps < timeS - TOLERANCE / fps) {
      await writer.write({ timeS: written / fps, data: shown });
      progress(++written / count);
    }
  }

  async function render(): Promise<void> {
    const onFrame = async ({ timeS, data }: { timeS: number; data: Uint8Array }) => {
      await showUntil(timeS);
      if (written === count) return;
      statistics.add(data);
      shown = new Uint8Array(toRgba(data).buffer);
    };
    const range = { fromS, untilS: fromS + Math.max(count / fps, MIN_RANGE_S) };
    await decoder.decode(path, { frames: [{ width, height, format: 'rgb', letterbox: 0, onFrame }], range });
    await showUntil(Number.POSITIVE_INFINITY);
  }

  const rendered = render().then(
    () => writer.close(),
    (error) => writer.abort(error),
  );
  // The file is created with its first frame: one without frames could not be played.
  const frames = readable[Symbol.asyncIterator]();
  const first = await frames.next();
  if (!first.done) {
    const all = (async function* () {
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => frames };
    })();
    try {
      await encoder.encode(target, { width, height, frames: all, endS: count / fps });
    } finally {
      await frames.return?.();
    }
  }
  await rendered;
  return statistics.result();
}

/** Collects the statistics of RGB frames. */
function createStatistics() {
  let pixels = 0;
  const channels = [0, 1, 2].map(() => ({ min: 255, max: 0, sum: 0, squares: 0 }));
  const each = (read: (channel: (typeof channels)[number]) => number) =>
    channels.map((channel) => read(channel) / 255) as ChannelValues;
  return {
    add(rgb: Uint8Array): void {
      for (const [at, channel] of channels.entries()) {
        for (let from = at; from < rgb.length; from += 3 * PIXEL_STEP) {
          const value = rgb[from]!;
          channel.min = Math.min(channel.min, value);
          channel.max = Math.max(channel.max, value);
          channel.sum += value;
          channel.squares += value * value;
        }
      }
      pixels += Math.ceil(rgb.length / (3 * PIXEL_STEP));
    },
    result(): PixelStatistics | null {
      if (pixels === 0) return null;
      const meanOf = ({ sum }: { sum: number }) => sum / pixels;
      return {
        min: each(({ min }) => min),
        max: each(({ max }) => max),
        mean: each(meanOf),
        std: each((channel) => Math.sqrt(Math.max(0, channel.squares / pixels - meanOf(channel) ** 2))),
      };
    },
  };
}
