import type { Target } from '../../plan/index.ts';
import { marginConfidence } from '../confidence.ts';
import { formatValue, round } from '../format.ts';
import type { IntervalMatch, Scene, SignalEvidence } from '../types.ts';
import { hysteresis, mergeGaps, type Span } from './intervals.ts';

/** A span of frames in which a condition on signals holds. */
export type SignalInterval = Span & {
  /** Frame that shows it best. */
  best: number;
  /** Distance from the threshold; 1 is clearly beyond it. */
  margin: number;
  signals: SignalEvidence[];
  reason: string;
  /** The exact condition, if the requested one is wider. */
  what?: Target;
};

/** Converts signal intervals to matches. A match ends when the frame after its last frame is shown. */
export function toSignalMatches(what: Target, intervals: readonly SignalInterval[], scene: Scene): IntervalMatch[] {
  const { frames } = scene;
  const frameTime = (i: number) => ({ timeS: frames.timeS[i]!, pts: frames.pts[i]! });
  const last = frames.timeS.length - 1;
  return intervals.map((interval) => ({
    what: interval.what ?? what,
    negated: false,
    start: frameTime(interval.from),
    end: frameTime(Math.min(last, interval.to + 1)),
    best: frameTime(interval.best),
    confidence: marginConfidence(interval.margin),
    tracks: [],
    signals: interval.signals,
    presences: [],
    reasons: [interval.reason],
    stepMatches: [],
  }));
}

type StateOptions = {
  /** Spans at most this far apart are merged. */
  gapS?: number;
  /** `values` before smoothing, and the smoothing window: edges are moved to the frame where the raw value changes. */
  edges?: { values: ArrayLike<number>; windowS: number };
};

/**
 * Spans of at least `minS` in which a value is in a state. `clear` is a margin that is clearly beyond the threshold.
 */
export function findState(
  s: { timeS: Float64Array },
  values: ArrayLike<number>,
  threshold: { enter: number; leave: number; unit: string },
  name: string,
  minS: number,
  clear: number,
  { gapS = 0.3, edges }: StateOptions = {},
): SignalInterval[] {
  const sign = threshold.enter >= threshold.leave ? 1 : -1;
  return mergeGaps(hysteresis(values, threshold), s.timeS, gapS).flatMap((found) => {
    const isInState = (value: number) => value * sign >= threshold.leave * sign;
    const span = edges ? refineEdges(found, edges, s.timeS, isInState) : found;
    const length = (s.timeS[span.to + 1] ?? s.timeS[span.to]!) - s.timeS[span.from]!;
    if (length < minS) return [];
    let best = span.from;
    for (let i = span.from; i <= span.to; i++) if (values[i]! * sign > values[best]! * sign) best = i;
    const value = round(values[best]!, 3);
    const limit = formatValue(threshold.enter, threshold.unit);
    return [
      {
        ...span,
        best,
        margin: (sign * (values[best]! - threshold.enter)) / clear,
        signals: [{ name, value, threshold: threshold.enter, unit: threshold.unit }],
        reason: `${name} ${sign > 0 ? 'reached' : 'fell to'} ${formatValue(value, threshold.unit)} (threshold ${limit}) for ${round(length)} s`,
      },
    ];
  });
}

/** Moves the edges of a span to the nearest frames at which the raw values enter and leave the state. */
function refineEdges(
  { from, to }: Span,
  { values, windowS }: NonNullable<StateOptions['edges']>,
  timeS: ArrayLike<number>,
  isInState: (value: number) => boolean,
): Span {
  const nearest = (edge: number, step: 1 | -1) => {
    for (let offset = 0; ; offset++) {
      const near = [edge - offset, edge + offset].filter(
        (i) => Math.abs((timeS[i] ?? Number.NaN) - timeS[edge]!) <= windowS,
      );
      if (near.length === 0) return edge;
      const crossing = near.find(
        (i) => isInState(values[i]!) && (i + step < 0 || i + step >= values.length || !isInState(values[i + step]!)),
      );
      if (crossing !== undefined) return crossing;
    }
  };
  const [first, last] = [nearest(from, -1), nearest(to, 1)];
  return first <= last ? { from: first, to: last } : { from, to };
}
