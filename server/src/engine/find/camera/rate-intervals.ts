import type { Signals } from '../../observe/observations.ts';
import { round } from '../format.ts';
import type { Span } from '../time/intervals.ts';
import type { SignalInterval } from '../time/signal-intervals.ts';
import { durationOf } from './camera-speed.ts';

/** Converts a span to an interval with the mean of a rate as its evidence. */
export function toInterval(
  s: Signals,
  span: Span,
  values: Float64Array,
  threshold: { enter: number; unit: string },
  name: string,
): SignalInterval {
  let best = span.from;
  let sum = 0;
  for (let i = span.from; i <= span.to; i++) {
    sum += values[i]!;
    if (values[i]! > values[best]!) best = i;
  }
  const mean = round(sum / (span.to - span.from + 1), 3);
  return {
    ...span,
    best,
    margin: Math.abs(mean - threshold.enter) / threshold.enter,
    signals: [{ name, value: mean, threshold: threshold.enter, unit: threshold.unit }],
    reason: `${name} was ${mean} ${threshold.unit} on average (threshold ${threshold.enter}) for ${round(durationOf(s, span))} s`,
  };
}

/** Integral of a rate over a span. */
export function integrate(rate: Float64Array, s: Signals, { from, to }: Span): number {
  let sum = 0;
  for (let i = from + 1; i <= to; i++) sum += rate[i]! * (s.timeS[i]! - s.timeS[i - 1]!);
  return sum;
}
