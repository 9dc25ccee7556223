import type { Backend } from './backend.ts';
import type { Copying } from './cutter.ts';
import type { VideoPacket } from './decoder.ts';

/** Segments of a video: `startsS` are the times they begin at, the first at 0; the last one ends at `endS`. */
export type Segments = {
  /** How they can be copied: cut at keyframes, in a codec that every player knows. Otherwise they are encoded, and may be cut anywhere. */
  video: 'encode' | Copying;
  startsS: number[];
  endS: number;
};

/** Segments last at least this long, where keyframes allow, and copied ones at most this. */
const TARGET_S = 6;
const LONGEST_S = 20;
/** A copied segment is in memory as a whole while it is written. */
const LARGEST_BYTES = 64 * 2 ** 20;

/** Task behind `Media.segments`. */
export async function segments({ path }: { path: string }, { decoder }: { decoder: Backend }): Promise<Segments> {
  const { durationS } = await decoder.probe(path, Number.POSITIVE_INFINITY);
  const packets = await decoder.copiable(path);
  const delayS = packets && delayOf(packets);
  const startsS = packets && atKeyframes(packets, durationS);
  if (delayS === null || startsS === null) return { video: 'encode', startsS: evenly(durationS), endS: durationS };
  return { video: { delayS }, startsS, endS: durationS };
}

/** How much earlier than it is shown a frame must be decoded at most, in seconds; null where two are shown at one time: no order is right then. */
export function delayOf(packets: readonly VideoPacket[]): number | null {
  const shown = Float64Array.from(packets, ({ timeS }) => timeS).sort();
  if (shown.some((timeS, i) => timeS === shown[i - 1])) return null;
  return packets.reduce((most, { timeS }, i) => Math.max(most, shown[i]! - timeS), 0);
}

/** Keyframes to cut at, from the packets in the file's order; null where they lie too far apart. */
export function atKeyframes(packets: readonly VideoPacket[], endS: number): number[] | null {
  const starts: number[] = [];
  let bytes = 0;
  for (const { timeS, keyframe, bytes: size } of packets) {
    const startS = starts.at(-1);
    if (startS === undefined) {
      // What comes before the first frame on screen, or before any keyframe, is not shown.
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

/** Every `TARGET_S`; the last segment may be a little longer, so that it is no splinter. */
export function evenly(endS: number): number[] {
  return Array.from({ length: Math.max(1, Math.ceil((endS - 1) / TARGET_S)) }, (_, i) => i * TARGET_S);
}
