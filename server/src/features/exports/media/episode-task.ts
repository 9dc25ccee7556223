import type { TaskContext } from '#platform/media/index';
import type { ChannelValues, EpisodeForm, PixelStatistics } from '../types.ts';
import { toRgba } from './rgba.ts';

export type EpisodeRequest = EpisodeForm & {
  path: string;
  target: string;
  /** Seconds from the first frame of the video. */
  fromS: number;
  /** Number of frames to write. */
  count: number;
};

/** Share of a frame's pixels that statistics count: one in this many. */
const PIXEL_STEP = 7;
/** Frames that are this share of an interval late count as in time: times of files are rounded. */
const TOLERANCE = 0.05;
/** Decoded before and at least: the frame that is shown at a time is one before it. */
const MARGIN_S = 1;

/**
 * Writes frames at a constant rate to the MP4 file `target`, without sound; each shows what the video shows at that
 * time, in its aspect ratio on black. Returns statistics of their pixels. Throws
 * `media_damaged` (400) if the video has no frame there. Runs in a media process.
 */
export async function renderEpisode(
  { path, target, fromS, count, fps, width, height }: EpisodeRequest,
  { decoder, encoder, progress }: TaskContext,
): Promise<PixelStatistics> {
  const statistics = createStatistics();
  // Decoding pushes frames and encoding pulls them; the stream holds one of them at a time.
  const { readable, writable } = new TransformStream<{ timeS: number; data: Uint8Array }>();
  const writer = writable.getWriter();
  let shown: Uint8Array | null = null;
  let written = 0;

  async function showUntil(timeS: number): Promise<void> {
    while (shown && written < count && fromS + written / fps < timeS - TOLERANCE / fps) {
      statistics.add(shown);
      await writer.write({ timeS: written / fps, data: shown });
      progress(++written / count);
    }
  }

  async function render(): Promise<void> {
    const onFrame = async ({ timeS, data }: { timeS: number; data: Uint8Array }) => {
      await showUntil(timeS);
      if (written < count) shown = new Uint8Array(toRgba(data).buffer);
    };
    const range = { fromS: Math.max(0, fromS - MARGIN_S), untilS: fromS + Math.max(count / fps, MARGIN_S) };
    await decoder.decode(path, { frames: [{ width, height, format: 'rgb', letterbox: 0, onFrame }], range });
    await showUntil(Number.POSITIVE_INFINITY);
  }

  const rendered = render().then(
    () => writer.close(),
    (error) => writer.abort(error),
  );
  await encoder.encode(target, { width, height, frames: readable, endS: count / fps });
  await rendered;
  return statistics.result();
}

/** Collects the statistics of RGBA frames. */
function createStatistics() {
  let pixels = 0;
  const channels = [0, 1, 2].map(() => ({ min: 255, max: 0, sum: 0, squares: 0 }));
  const each = (read: (channel: (typeof channels)[number]) => number) =>
    channels.map((channel) => read(channel) / 255) as ChannelValues;
  return {
    add(rgba: Uint8Array): void {
      for (const [at, channel] of channels.entries()) {
        for (let from = at; from < rgba.length; from += 4 * PIXEL_STEP) {
          const value = rgba[from]!;
          channel.min = Math.min(channel.min, value);
          channel.max = Math.max(channel.max, value);
          channel.sum += value;
          channel.squares += value * value;
        }
      }
      pixels += Math.ceil(rgba.length / (4 * PIXEL_STEP));
    },
    result(): PixelStatistics {
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
