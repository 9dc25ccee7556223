import type { Telemetry } from '../../observe/observations.ts';
import type { Target } from '../../plan/index.ts';
import { round } from '../format.ts';
import { limitsOf } from '../limits/index.ts';
import type { Span } from '../time/intervals.ts';
import { type SignalInterval, toSignalMatches } from '../time/signal-intervals.ts';
import type { FrameTimes, Scene, StepResult } from '../types.ts';
import { durationOf, TELEMETRY_LIMITS } from './telemetry-columns.ts';

type Rule = {
  name: string;
  unit: string;
  limit: number;
  /** Error of a good receiver; the unit of the margin. */
  noise: number;
  /** True if values below the limit are searched. */
  falling: boolean;
};

/** Converts a span to an interval with its extreme value as evidence. */
export function toMeasuredInterval(
  values: Float64Array,
  times: FrameTimes,
  span: Span,
  { name, unit, limit, noise, falling }: Rule,
): SignalInterval {
  let best = span.from;
  for (let i = span.from; i <= span.to; i++) {
    if (falling ? values[i]! < values[best]! : values[i]! > values[best]!) best = i;
  }
  const value = round(values[best]!);
  const extreme = falling ? 'least' : 'most';
  return {
    ...span,
    best,
    margin: Math.abs(values[best]! - limit) / noise,
    signals: [{ name, value, threshold: round(limit), unit }],
    reason: `${name} was ${value} ${unit} at ${extreme} (threshold ${round(limit)}) in ${round(durationOf(times, span))} s`,
  };
}

export function toStepResult(
  what: Target,
  intervals: readonly SignalInterval[],
  telemetry: Telemetry,
  frames: FrameTimes,
  scene: Scene,
): StepResult {
  return {
    matches: toSignalMatches(what, intervals, { ...scene, frames }),
    by: [`telemetry (${telemetry.source})`],
    limits: limitsOf(TELEMETRY_LIMITS, null),
    frames,
  };
}
