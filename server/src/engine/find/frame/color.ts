import type { Signals } from '../../observe/observations.ts';
import { round } from '../format.ts';
import { LIMITS, STATES } from '../thresholds.ts';
import { indexAt } from '../time/intervals.ts';
import { findState, type SignalInterval } from '../time/signal-intervals.ts';

/** Sum of the channels below which a frame is too dark to have a color. */
const DARK = 30;
const NAMES = ['red', 'yellow', 'green', 'cyan', 'blue', 'magenta'] as const;

/** Frames without color: black-and-white footage or an infrared camera. Black frames are not counted. */
export function findMonochrome(s: Signals): SignalInterval[] {
  const chroma = s.chroma.map((value, i) => (s.red[i]! + s.green[i]! + s.blue[i]! > DARK ? value : 255));
  return toFrames(
    s,
    findState({ timeS: s.colorTimeS }, chroma, STATES.monochrome, 'colorfulness', LIMITS.colorMin.limit, 1),
  );
}

/** A tint over the whole frame. */
export function findColorCast(s: Signals): SignalInterval[] {
  const cast = s.colorTimeS.map((_, i) => {
    const channels = [s.red[i]!, s.green[i]!, s.blue[i]!];
    return (Math.max(...channels) - Math.min(...channels)) / (s.red[i]! + s.green[i]! + s.blue[i]! + DARK);
  });
  const found = findState({ timeS: s.colorTimeS }, cast, STATES.cast, 'color cast', LIMITS.colorMin.limit, 0.1);
  return toFrames(
    s,
    found.map((interval) => ({ ...interval, reason: `${interval.reason}, towards ${hueName(s, interval.best)}` })),
  );
}

function hueName(s: Signals, i: number): string {
  const [r, g, b] = [s.red[i]!, s.green[i]!, s.blue[i]!];
  const hue = Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b) / (2 * Math.PI);
  return NAMES[Math.round((hue + 1) * NAMES.length) % NAMES.length]!;
}

/** Maps intervals from color samples to frames: a sample, twice a second, holds until the next one. */
function toFrames(s: Signals, found: readonly SignalInterval[]): SignalInterval[] {
  const frameAt = (color: number) => Math.max(0, indexAt(s.timeS, s.colorTimeS[color]!));
  const last = s.timeS.length - 1;
  return found.map((interval) => ({
    ...interval,
    from: frameAt(interval.from),
    to: interval.to + 1 < s.colorTimeS.length ? frameAt(interval.to + 1) - 1 : last,
    best: frameAt(interval.best),
    reason: `${interval.reason} (sampled every ${round(LIMITS.colorMin.limit / 2)} s)`,
  }));
}
