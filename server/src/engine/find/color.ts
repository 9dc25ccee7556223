import type { Signals } from '../observe/observations.ts';
import { round } from './hit.ts';
import { indexAt } from './intervals.ts';
import { type Shown, state } from './shown.ts';
import { LIMITS, STATES } from './thresholds.ts';

/** Sum of the channels below which a picture is too dark to have a colour. */
const DARK = 30;
const NAMES = ['red', 'yellow', 'green', 'cyan', 'blue', 'magenta'] as const;

/** A picture without colours: black and white film, or a camera that sees by infrared. What is black shows no colours either way. */
export function monochrome(s: Signals): Shown[] {
  const chroma = s.chroma.map((value, i) => (s.red[i]! + s.green[i]! + s.blue[i]! > DARK ? value : 255));
  return onFrames(
    s,
    state({ timeS: s.colorTimeS }, chroma, STATES.monochrome, 'colourfulness', LIMITS.colorMin.limit, 1),
  );
}

/** A colour that lies over the whole picture. */
export function colorCast(s: Signals): Shown[] {
  const cast = s.colorTimeS.map((_, i) => {
    const channels = [s.red[i]!, s.green[i]!, s.blue[i]!];
    return (Math.max(...channels) - Math.min(...channels)) / (s.red[i]! + s.green[i]! + s.blue[i]! + DARK);
  });
  const found = state({ timeS: s.colorTimeS }, cast, STATES.cast, 'colour cast', LIMITS.colorMin.limit, 0.1);
  return onFrames(
    s,
    found.map((shown) => ({ ...shown, because: `${shown.because}, towards ${nameOf(s, shown.best)}` })),
  );
}

function nameOf(s: Signals, i: number): string {
  const [r, g, b] = [s.red[i]!, s.green[i]!, s.blue[i]!];
  const hue = Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b) / (2 * Math.PI);
  return NAMES[Math.round((hue + 1) * NAMES.length) % NAMES.length]!;
}

/** Colours are looked at twice a second: what was seen then holds until the next look. */
function onFrames(s: Signals, found: readonly Shown[]): Shown[] {
  const frameAt = (color: number) => Math.max(0, indexAt(s.timeS, s.colorTimeS[color]!));
  const last = s.timeS.length - 1;
  return found.map((shown) => ({
    ...shown,
    from: frameAt(shown.from),
    to: shown.to + 1 < s.colorTimeS.length ? frameAt(shown.to + 1) - 1 : last,
    best: frameAt(shown.best),
    because: `${shown.because} (looked at every ${round(LIMITS.colorMin.limit / 2)} s)`,
  }));
}
