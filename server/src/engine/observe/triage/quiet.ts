import type { VideoFacts } from '../observer.ts';
import type { Triage } from './observation.ts';

export type Interval = { startS: number; endS: number };

type Size = Pick<VideoFacts, 'width' | 'height'>;

/**
 * What quiet means, in numbers. Each rules out what the others cannot see, and all err on the side of "something may happen": dense work that was not
 * needed costs time, an event that was passed over costs trust.
 */
export const QUIET = {
  /**
   * Most bytes of a packet in the mean: a header, and so little per macroblock (16 × 16 pixels) that nearly all of them are copied as they are. Where a camera's
   * noise is coded, or a constant bit rate has to be filled, a small thing that comes and goes adds a hundredth to the packets and cannot be told.
   */
  packet: { header: 16, perMacroblock: 0.05 },
  /** Most bytes a second, of those of the quietest stretch of the same video: a block of a twenty-fifth of its width that passed doubled them. */
  overQuietest: 1.1,
  /** Largest mean difference of any square of 1/32 × 1/18 of the picture between two keyframes, of 255: coding errors stay below, things do not. */
  difference: 4,
  /** The same against the first keyframe of the stretch: what changes slowly ends it. */
  drift: 4,
  /** Fewer packets a second are a gap in the recording, in which anything may have happened. */
  packetsPerSecond: 1,
  /** Shorter stretches are not worth a mention. */
  leastS: 2,
} as const;

/**
 * Where nothing happens: stretches from one keyframe to another whose packets hold next to nothing and no more than in the video's quietest one, and whose keyframes are all the
 * same picture. Pure. What comes in and goes again between two keyframes shows in the packets; what starts slowly shows in the drift of the keyframes. The
 * rest of the video, after the last keyframe too, is where something may happen. Ascending, in seconds, never overlapping.
 */
export function quietIntervals(triage: Triage, video: Size): Interval[] {
  const { timeS, difference } = triage;
  const rates = ratesBetweenKeyframes(triage, video);
  const limit = Math.min(...rates) * QUIET.overQuietest;
  const intervals: Interval[] = [];
  for (let from = 0; from < rates.length; ) {
    let to = from;
    while (
      to < rates.length &&
      Number.isFinite(rates[to]) &&
      rates[to]! <= limit &&
      difference[to + 1]! <= QUIET.difference &&
      drift(triage, from, to + 1) <= QUIET.drift
    ) {
      to++;
    }
    if (timeS[to]! - timeS[from]! >= QUIET.leastS) intervals.push({ startS: timeS[from]!, endS: timeS[to]! });
    from = Math.max(to, from + 1);
  }
  return intervals;
}

/** Bytes a second between each keyframe and the next; infinite where a packet holds much, or packets are missing. */
function ratesBetweenKeyframes({ timeS, packetS, packetBytes }: Triage, { width, height }: Size): Float64Array {
  const { header, perMacroblock } = QUIET.packet;
  const most = header + perMacroblock * Math.ceil(width / 16) * Math.ceil(height / 16);
  let at = 0;
  return Float64Array.from({ length: Math.max(0, timeS.length - 1) }, (_, stretch) => {
    const [startS, endS] = [timeS[stretch]!, timeS[stretch + 1]!];
    let count = 0;
    let bytes = 0;
    for (; at < packetS.length && packetS[at]! < endS; at++) {
      if (packetS[at]! <= startS) continue;
      bytes += packetBytes[at]!;
      count++;
    }
    const whole = count >= (endS - startS) * QUIET.packetsPerSecond - 1;
    return whole && bytes <= most * count ? bytes / (endS - startS) : Number.POSITIVE_INFINITY;
  });
}

/** Largest change of a square's mean from one keyframe to another, of 255. */
function drift({ pictures, rows, columns }: Triage, from: number, to: number): number {
  const squares = rows * columns;
  let largest = 0;
  for (let at = 0; at < squares; at++) {
    largest = Math.max(largest, Math.abs(pictures[to * squares + at]! - pictures[from * squares + at]!));
  }
  return largest;
}
