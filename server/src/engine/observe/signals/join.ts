import type { AudioLevels } from '../audio/observation.ts';
import type { Signals } from './observation.ts';

const COLORS = ['colorTimeS', 'red', 'green', 'blue', 'chroma'] as const satisfies (keyof Signals)[];

type Numbers = Float64Array | Float32Array;
const isNumbers = (value: unknown): value is Numbers => value instanceof Float64Array || value instanceof Float32Array;

/** Signals from `fromS` on and before `untilS`. */
export function sliceSignals(signals: Signals, fromS: number, untilS = Number.POSITIVE_INFINITY): Signals {
  const span = (timeS: Float64Array): [number, number] => {
    const first = timeS.findIndex((time) => time >= fromS);
    const end = timeS.findIndex((time) => time >= untilS);
    return [first < 0 ? timeS.length : first, end < 0 ? timeS.length : end];
  };
  const frames = span(signals.timeS);
  const colors = span(signals.colorTimeS);
  const cells = signals.regionRows * signals.regionColumns;
  return each(signals, (name, values) => {
    const [from, to] = isColor(name) ? colors : frames;
    const width = name === 'regions' ? cells : 1;
    return values.subarray(from * width, to * width);
  });
}

/** Joins consecutive signals; `atS` is added to the times of each. */
export function joinSignals(parts: readonly { signals: Signals; atS: number }[]): Signals {
  return each(parts[0]!.signals, (name, values) => {
    const length = parts.reduce((sum, { signals }) => sum + (signals[name] as Numbers).length, 0);
    const joined = values instanceof Float64Array ? new Float64Array(length) : new Float32Array(length);
    let at = 0;
    for (const { signals, atS } of parts) {
      const own = signals[name] as Numbers;
      joined.set(name === 'timeS' || name === 'colorTimeS' ? own.map((time) => time + atS) : own, at);
      at += own.length;
    }
    return joined;
  });
}

/** Joins audio levels: each window goes to the nearest place on the grid. Gaps are silence. */
export function joinAudio(
  parts: readonly { sound: AudioLevels | null; atS: number; endS: number }[],
): AudioLevels | null {
  const first = parts.find(({ sound }) => sound)?.sound;
  if (!first) return null;
  const { stepS } = first;
  const length = Math.ceil(parts.at(-1)!.endS / stepS);
  const levelDb = new Float32Array(length).fill(SILENCE_DB);
  const peakDb = new Float32Array(length).fill(SILENCE_DB);
  for (const { sound, atS } of parts) {
    if (!sound) continue;
    const from = Math.round((atS + sound.startS) / stepS);
    const fits = (values: Float32Array) => values.subarray(0, Math.max(0, length - from));
    levelDb.set(fits(sound.levelDb), from);
    peakDb.set(fits(sound.peakDb), from);
  }
  return { startS: 0, stepS, levelDb, peakDb };
}

const SILENCE_DB = -120;

const isColor = (name: keyof Signals) => (COLORS as readonly string[]).includes(name);

function each(signals: Signals, change: (name: keyof Signals, values: Numbers) => Numbers): Signals {
  const changed = Object.entries(signals).map(([name, value]) => [
    name,
    isNumbers(value) ? change(name as keyof Signals, value) : value,
  ]);
  return Object.fromEntries(changed) as Signals;
}
