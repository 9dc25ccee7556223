import type { VideoFacts } from '../types.ts';
import type { KeyframeScan } from './observation.ts';

export type QuietInterval = { startS: number; endS: number };

type FrameSize = Pick<VideoFacts, 'width' | 'height'>;

/**
 * Limits of a quiet interval. Each detects changes that the others miss, and all prefer to report a change: an
 * unnecessary sample costs time, a missed event costs trust.
 */
export const QUIET_LIMITS = {
  /**
   * Maximum mean bytes of a packet: a header, and a rate per macroblock (16 × 16 pixels) at which nearly all of them
   * are skipped. With coded noise or a constant bit rate, a small object hardly changes the size of packets.
   */
  packet: { header: 16, perMacroblock: 0.05 },
  /** Maximum byte rate relative to the video's quietest interval. A block of 1/25 of the frame's width doubled it. */
  overQuietest: 1.1,
  /** Largest mean difference of a cell between two keyframes, of 255: coding errors stay below, objects do not. */
  difference: 4,
  /** The same against the interval's first keyframe, for slow changes. */
  drift: 4,
  /** Fewer packets a second are a gap in the recording, in which anything may have happened. */
  packetsPerSecond: 1,
  /** Minimum duration of an interval in seconds. */
  leastS: 2,
} as const;

/**
 * Finds the intervals without changes: from one keyframe to another, with packets about as small as in the video's
 * quietest interval and with equal keyframes. An object that enters and leaves between two keyframes shows in the
 * packets, a slow change in the drift of the keyframes. Pure. Returns ascending intervals that do not overlap.
 */
export function findQuietIntervals(scan: KeyframeScan, video: FrameSize): QuietInterval[] {
  const { timeS, difference } = scan;
  const rates = ratesBetweenKeyframes(scan, video);
  const limit = Math.min(...rates) * QUIET_LIMITS.overQuietest;
  const intervals: QuietInterval[] = [];
  for (let from = 0; from < rates.length; ) {
    let to = from;
    while (
      to < rates.length &&
      Number.isFinite(rates[to]) &&
      rates[to]! <= limit &&
      difference[to + 1]! <= QUIET_LIMITS.difference &&
      drift(scan, from, to + 1) <= QUIET_LIMITS.drift
    ) {
      to++;
    }
    if (timeS[to]! - timeS[from]! >= QUIET_LIMITS.leastS) intervals.push({ startS: timeS[from]!, endS: timeS[to]! });
    from = Math.max(to, from + 1);
  }
  return intervals;
}

/** Bytes per second between consecutive keyframes; infinite if packets are large or missing. */
function ratesBetweenKeyframes(
  { timeS, packetS, packetBytes }: KeyframeScan,
  { width, height }: FrameSize,
): Float64Array {
  const { header, perMacroblock } = QUIET_LIMITS.packet;
  const maxPacketBytes = header + perMacroblock * Math.ceil(width / 16) * Math.ceil(height / 16);
  let at = 0;
  return Float64Array.from({ length: Math.max(0, timeS.length - 1) }, (_, index) => {
    const [startS, endS] = [timeS[index]!, timeS[index + 1]!];
    let count = 0;
    let bytes = 0;
    for (; at < packetS.length && packetS[at]! < endS; at++) {
      if (packetS[at]! <= startS) continue;
      bytes += packetBytes[at]!;
      count++;
    }
    const isComplete = count >= (endS - startS) * QUIET_LIMITS.packetsPerSecond - 1;
    return isComplete && bytes <= maxPacketBytes * count ? bytes / (endS - startS) : Number.POSITIVE_INFINITY;
  });
}

/** Largest change of a cell's mean between two keyframes, of 255. */
function drift({ cells, rows, columns }: KeyframeScan, from: number, to: number): number {
  const count = rows * columns;
  let largest = 0;
  for (let at = 0; at < count; at++) {
    largest = Math.max(largest, Math.abs(cells[to * count + at]! - cells[from * count + at]!));
  }
  return largest;
}
