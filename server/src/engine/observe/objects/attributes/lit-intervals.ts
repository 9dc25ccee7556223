import type { LampColor } from '../lit-lamp.ts';

/** An interval in which a traffic light shows one color, in seconds. */
export type LitInterval = { color: LampColor; startS: number; endS: number };
/** The color in one frame: null or undefined if it is unknown. */
export type LampReading = { timeS: number; color: LampColor | null | undefined };

/** Readings this close in time confirm or outvote each other: a single frame of another color is an error. */
const WINDOW_S = 0.5;
/** Longest time without a reading that an interval bridges: amber flashes, and a passing truck hides the light. */
const MAX_GAP_S = 2;

/**
 * Intervals of one color, smoothed over time: a reading that is outvoted by those around it is dropped, as is one that
 * none confirms although there are others near. An interval ends where the next color starts. Readings ascend in time.
 */
export function findLitIntervals(readings: readonly LampReading[]): LitInterval[] {
  const intervals: LitInterval[] = [];
  for (const { timeS, color } of withoutErrors(readings)) {
    const last = intervals.at(-1);
    const isNear = last !== undefined && timeS - last.endS <= MAX_GAP_S;
    if (isNear) last.endS = timeS;
    if (!isNear || last.color !== color) intervals.push({ color, startS: timeS, endS: timeS });
  }
  return intervals;
}

function withoutErrors(readings: readonly LampReading[]) {
  const reliable: { timeS: number; color: LampColor }[] = [];
  let from = 0;
  for (const { timeS, color } of readings) {
    if (!color) continue;
    while (readings[from]!.timeS < timeS - WINDOW_S) from++;
    let [near, own, others] = [0, 0, 0];
    for (let at = from; at < readings.length && readings[at]!.timeS <= timeS + WINDOW_S; at++) {
      near++;
      if (readings[at]!.color === color) own++;
      else if (readings[at]!.color) others++;
    }
    if (own >= others && (own > 1 || near === 1)) reliable.push({ timeS, color });
  }
  return reliable;
}
