import type { Video } from '#features/videos/index';

/** One JPEG of thumbnails in rows, and when each is on screen. Sizes in pixels, times in seconds. */
export type Storyboard = {
  columns: number;
  tile: { width: number; height: number };
  /** Time of the frame shown in each tile; it stands for all until the next one's. */
  times: number[];
  endS: number;
};

const LONGEST_SIDE = 192;
const MOST_TILES = 100;
const COLUMNS = 10;
/** Thumbnails closer together than this tell nobody more. */
const LEAST_DISTANCE_S = 1;

/** How the storyboard of a video is laid out: the same whenever it is asked. */
export function layOut({ durationS, width, height }: Pick<Video, 'durationS' | 'width' | 'height'>): Storyboard {
  const endS = durationS ?? 0;
  const tiles = Math.max(1, Math.min(MOST_TILES, Math.ceil(endS / LEAST_DISTANCE_S)));
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width ?? 1, height ?? 1));
  const side = (length: number | null) => Math.max(1, Math.round((length ?? 1) * scale));
  return {
    columns: Math.min(COLUMNS, tiles),
    tile: { width: side(width), height: side(height) },
    times: Array.from({ length: tiles }, (_, i) => (i * endS) / tiles),
    endS,
  };
}

/** The storyboard as WebVTT: one cue per tile, which points into the picture by a media fragment (`#xywh=`), as players know it. */
export function toWebVtt({ columns, tile, times, endS }: Storyboard, pictureUrl: string): string {
  const cues = times.map((startS, i) => {
    const [x, y] = [(i % columns) * tile.width, Math.floor(i / columns) * tile.height];
    const until = stamp(times[i + 1] ?? endS);
    return `${stamp(startS)} --> ${until}\n${pictureUrl}#xywh=${x},${y},${tile.width},${tile.height}\n`;
  });
  return `WEBVTT\n\n${cues.join('\n')}`;
}

/** `hh:mm:ss.mmm` */
function stamp(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  const part = (value: number, digits: number) => String(Math.floor(value)).padStart(digits, '0');
  return `${part(ms / 3_600_000, 2)}:${part((ms / 60_000) % 60, 2)}:${part((ms / 1000) % 60, 2)}.${part(ms % 1000, 3)}`;
}
