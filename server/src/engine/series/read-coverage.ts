import type { TimeRange, VideoFacts } from '../observe/observations.ts';
import { selectPass } from './sources.ts';
import type { StoredArrays } from './stored-arrays.ts';
import type { SeriesRange, StoredObservations } from './types.ts';

/** The way in which a part of a video was seen. */
type SeenAs = 'every_frame' | 'single_frames' | 'unchanged' | 'nothing';

/** A part of a video, in seconds. */
type SeenRange = { fromS: number; toS: number; seen: SeenAs; message: string };

/** Without a frame for this long, and this many times the usual distance of frames, the recording has a gap. */
const GAP_S = 2;
const GAP_FACTOR = 5;
/** Values per read. */
const BLOCK_LENGTH = 2 ** 18;

const SEEN_MESSAGES: Record<SeenAs, string> = {
  every_frame: 'Every frame was observed.',
  single_frames: 'Single frames were observed. A question in `thinking` mode observes every frame.',
  unchanged: 'Nothing changed here, so single frames were sufficient.',
  nothing: 'No frame could be observed here.',
};

/**
 * Divides a range of a video by how it was seen. `denseRanges` are those of which every frame was observed after a
 * sparse pass. The parts are ascending and cover the range.
 */
export async function readCoverage(
  stored: StoredObservations,
  denseRanges: readonly TimeRange[],
  { fromS, toS }: SeriesRange,
): Promise<SeenRange[]> {
  const selected = selectPass(stored, 'signals');
  if (!selected) return clip([{ fromS, toS, seen: 'nothing' }], fromS, toS);
  const { arrays, pass } = selected;
  const { durationS } = (stored.get(pass === 'dense' ? 'signals' : 'glance')!.facts as { video: VideoFacts }).video;
  const known = pass === 'dense' ? await readDense(arrays, durationS) : readSparse(stored, denseRanges, durationS);
  return clip([...known, { fromS: durationS, toS: Number.POSITIVE_INFINITY, seen: 'nothing' }], fromS, toS);
}

type Part = Omit<SeenRange, 'message'>;

/** Every frame was observed, except where the recording has none. */
async function readDense({ length, read }: StoredArrays, durationS: number): Promise<Part[]> {
  const count = length('timeS');
  const usualS = durationS / Math.max(1, count);
  const limitS = Math.max(GAP_S, GAP_FACTOR * usualS);
  const parts: Part[] = [];
  let fromS = 0;
  let lastS = 0;
  for (let at = 0; at < count; at += BLOCK_LENGTH) {
    for (const timeS of await read('timeS', at, at + BLOCK_LENGTH)) {
      if (timeS - lastS > limitS) {
        const endS = Math.min(timeS, lastS + usualS);
        parts.push({ fromS, toS: endS, seen: 'every_frame' }, { fromS: endS, toS: timeS, seen: 'nothing' });
        fromS = timeS;
      }
      lastS = timeS;
    }
  }
  return [...parts, { fromS, toS: durationS, seen: 'every_frame' }];
}

/** Single frames were observed, all of them in dense ranges, and none where nothing changed. */
function readSparse(stored: StoredObservations, denseRanges: readonly TimeRange[], durationS: number): Part[] {
  const { quiet } = stored.get('glance')!.facts as { quiet: { startS: number; endS: number }[] };
  const dense = denseRanges.map(
    ({ fromS, untilS }): Part => ({ fromS, toS: Math.min(untilS, durationS), seen: 'every_frame' }),
  );
  const unchanged = quiet.map(({ startS, endS }): Part => ({ fromS: startS, toS: endS, seen: 'unchanged' }));
  const edges = [0, durationS, ...[...dense, ...unchanged].flatMap(({ fromS, toS }) => [fromS, toS])];
  const ordered = [...new Set(edges)].toSorted((a, b) => a - b);
  return ordered.slice(1).map((toS, i): Part => {
    const fromS = ordered[i]!;
    const isIn = (part: Part) => part.fromS <= fromS && part.toS >= toS;
    return {
      fromS,
      toS,
      seen: dense.some(isIn) ? 'every_frame' : unchanged.some(isIn) ? 'unchanged' : 'single_frames',
    };
  });
}

/** The parts between two times, with neighbors that were seen alike joined. */
function clip(parts: readonly Part[], fromS: number, toS: number): SeenRange[] {
  const clipped: SeenRange[] = [];
  for (const part of parts) {
    const [startS, endS] = [Math.max(fromS, part.fromS), Math.min(toS, part.toS)];
    if (endS <= startS) continue;
    const last = clipped.at(-1);
    if (last?.seen === part.seen) last.toS = endS;
    else clipped.push({ fromS: startS, toS: endS, seen: part.seen, message: SEEN_MESSAGES[part.seen] });
  }
  return clipped;
}
