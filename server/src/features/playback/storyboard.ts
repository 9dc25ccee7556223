import type { Video } from '#features/videos/index';
import { formatTimestamp } from '#platform/media/index';

/** Layout of a JPEG with rows of thumbnails, and the time of each. Sizes in pixels, times in seconds. */
export type Storyboard = {
  columns: number;
  tile: { width: number; height: number };
  /** Presentation time of the frame in each tile. The tile covers the video until the next tile's time. */
  times: number[];
  endS: number;
};

const LONGEST_SIDE = 192;
const MAX_TILES = 100;
const COLUMNS = 10;
/** Thumbnails at shorter intervals add no information. */
const MIN_INTERVAL_S = 1;

/** Computes the layout for a video. Deterministic, because WebVTT and JPEG are generated in separate requests. */
export function layOutStoryboard({
  durationS,
  width,
  height,
}: Pick<Video, 'durationS' | 'width' | 'height'>): Storyboard {
  const endS = durationS ?? 0;
  const tiles = Math.max(1, Math.min(MAX_TILES, Math.ceil(endS / MIN_INTERVAL_S)));
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width ?? 1, height ?? 1));
  const side = (length: number | null) => Math.max(1, Math.round((length ?? 1) * scale));
  return {
    columns: Math.min(COLUMNS, tiles),
    tile: { width: side(width), height: side(height) },
    times: Array.from({ length: tiles }, (_, i) => (i * endS) / tiles),
    endS,
  };
}

/** Formats the storyboard as WebVTT: one cue per tile, which refers to an area of the JPEG (`#xywh=`). */
export function toWebVtt({ columns, tile, times, endS }: Storyboard, imageUrl: string): string {
  const cues = times.map((startS, i) => {
    const [x, y] = [(i % columns) * tile.width, Math.floor(i / columns) * tile.height];
    const until = formatTimestamp(times[i + 1] ?? endS);
    return `${formatTimestamp(startS)} --> ${until}\n${imageUrl}#xywh=${x},${y},${tile.width},${tile.height}\n`;
  });
  return `WEBVTT\n\n${cues.join('\n')}`;
}
