import type { AudioLevels } from '../../observe/observations.ts';
import { round } from '../format.ts';
import { LIMITS, STATES } from '../thresholds.ts';
import { hysteresis, mergeGaps, type Span } from '../time/intervals.ts';

/** A span of audio windows in which a condition holds. */
export type AudioInterval = Span & {
  best: number;
  margin: number;
  name: string;
  /** In dBFS, as the threshold. */
  value: number;
  threshold: number;
  reason: string;
};

const windowTimes = (s: AudioLevels) => Float64Array.from(s.levelDb, (_, i) => s.startS + i * s.stepS);

export function findSilentSpans(s: AudioLevels): Span[] {
  return mergeGaps(hysteresis(s.levelDb, STATES.silence), windowTimes(s), s.stepS).filter(
    (span) => (span.to - span.from + 1) * s.stepS >= LIMITS.silenceMin.limit,
  );
}

export function findLoud(s: AudioLevels): AudioInterval[] {
  return mergeGaps(hysteresis(s.levelDb, STATES.loud), windowTimes(s), 0.5)
    .filter((span) => (span.to - span.from + 1) * s.stepS >= 0.2)
    .map((span) => toLevelInterval(s, span, 'max', STATES.loud.enter));
}

/** Converts a span to an interval with its lowest or highest level as evidence. */
export function toLevelInterval(s: AudioLevels, span: Span, which: 'min' | 'max', threshold: number): AudioInterval {
  let best = span.from;
  for (let i = span.from; i <= span.to; i++) {
    if (which === 'max' ? s.levelDb[i]! > s.levelDb[best]! : s.levelDb[i]! < s.levelDb[best]!) best = i;
  }
  const value = s.levelDb[best]!;
  const durationS = round((span.to - span.from + 1) * s.stepS);
  return {
    ...span,
    best,
    margin: Math.abs(value - threshold) / 8,
    name: 'sound level',
    value,
    threshold,
    reason: `the sound level ${which === 'max' ? 'reached' : 'fell to'} ${round(value, 1)} dBFS (threshold ${threshold}) for ${durationS} s`,
  };
}
