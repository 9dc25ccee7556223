import type { CopyTiming, MediaEngine, VideoPacket } from '../engine/index.ts';

/** Segment boundaries of a video: start times, the first at 0, and the end of the last segment. Stored as JSON. */
export type SegmentPlan = {
  /** Timing for copied segments, which start at keyframes; `encode` if segments must be encoded. */
  video: 'encode' | CopyTiming;
  startsS: number[];
  endS: number;
};

/** Minimum duration of segments, and maximum duration of copied ones. */
const TARGET_S = 6;
const LONGEST_S = 20;
/** Maximum size of a copied segment, which is written from memory. */
const LARGEST_BYTES = 64 * 2 ** 20;

/** Task of `Media.planSegments`. */
export async function planSegments(
  { path }: { path: string },
  { decoder }: { decoder: MediaEngine },
): Promise<SegmentPlan> {
  const { durationS } = await decoder.probe(path, Number.POSITIVE_INFINITY);
  const packets = await decoder.copyablePackets(path);
  const delayS = packets && decodeDelay(packets);
  const startsS = packets && keyframeStarts(packets, durationS);
  if (delayS === null || startsS === null) return { video: 'encode', startsS: evenStarts(durationS), endS: durationS };
  return { video: { delayS }, startsS, endS: durationS };
}

/**
 * Maximum time in seconds that a frame must be decoded before its presentation; null if two frames have the same
 * presentation time.
 */
export function decodeDelay(packets: readonly VideoPacket[]): number | null {
  const shown = Float64Array.from(packets, ({ timeS }) => timeS).sort();
  if (shown.some((timeS, i) => timeS === shown[i - 1])) return null;
  return packets.reduce((most, { timeS }, i) => Math.max(most, shown[i]! - timeS), 0);
}

/** Start times of segments at keyframes, from packets in file order; null if keyframes are too far apart. */
export function keyframeStarts(packets: readonly VideoPacket[], endS: number): number[] | null {
  const starts: number[] = [];
  let bytes = 0;
  for (const { timeS, keyframe, bytes: size } of packets) {
    const startS = starts.at(-1);
    if (startS === undefined) {
      // Packets before the first keyframe are not shown.
      if (!keyframe) continue;
      if (Math.abs(timeS) > 1e-6) return null;
      starts.push(timeS);
    } else if (keyframe && timeS >= startS + TARGET_S) {
      if (timeS > startS + LONGEST_S) return null;
      starts.push(timeS);
      bytes = 0;
    }
    bytes += size;
    if (bytes > LARGEST_BYTES) return null;
  }
  const last = starts.at(-1);
  return last === undefined || endS - last > LONGEST_S ? null : starts;
}

/** Start times every `TARGET_S`. The last segment may be up to a second longer, to avoid a very short one. */
export function evenStarts(endS: number): number[] {
  return Array.from({ length: Math.max(1, Math.ceil((endS - 1) / TARGET_S)) }, (_, i) => i * TARGET_S);
}
