import type { What } from '../plan/index.ts';
import { marginConfidence } from './confidence.ts';
import { type Hit, measured, round, type SignalUse } from './hit.ts';
import { hysteresis, mergeGaps, type Span } from './intervals.ts';
import type { Scene } from './scene.ts';

/** A run of frames that shows something, with the numbers. */
export type Shown = Span & {
  best: number;
  margin: number;
  signals: SignalUse[];
  because: string /** What it is, when the question was wider. */;
  what?: What;
};

/** Turns runs of frames into hits. A state lasts until the frame after its last one is shown. */
export function picturedHits(what: What, shown: readonly Shown[], scene: Scene): Hit[] {
  const { frames } = scene;
  const moment = (i: number) => ({ timeS: frames.timeS[i]!, pts: frames.pts[i]! });
  const last = frames.timeS.length - 1;
  return shown.map((s) => ({
    what: s.what ?? what,
    negated: false,
    start: moment(s.from),
    end: moment(Math.min(last, s.to + 1)),
    best: moment(s.best),
    confidence: marginConfidence(s.margin),
    tracks: [],
    signals: s.signals,
    count: 1,
    because: [s.because],
    parts: [],
  }));
}

type StateOptions = {
  /** Runs this close together are one. */
  gapS?: number;
  /** What `values` were before they were evened out, and over how much: edges are moved to the frame at which it happened. */
  edges?: { values: ArrayLike<number>; windowS: number };
};

/** Runs in a state of at least `minS`; `clear` is the margin that is clearly beyond the threshold. */
export function state(
  s: { timeS: Float64Array },
  values: ArrayLike<number>,
  threshold: { enter: number; leave: number; unit: string },
  name: string,
  minS: number,
  clear: number,
  { gapS = 0.3, edges }: StateOptions = {},
): Shown[] {
  const sign = threshold.enter >= threshold.leave ? 1 : -1;
  return mergeGaps(hysteresis(values, threshold), s.timeS, gapS).flatMap((found) => {
    const span = edges ? refined(found, edges, s.timeS, (value) => value * sign >= threshold.leave * sign) : found;
    const length = (s.timeS[span.to + 1] ?? s.timeS[span.to]!) - s.timeS[span.from]!;
    if (length < minS) return [];
    let best = span.from;
    for (let i = span.from; i <= span.to; i++) if (values[i]! * sign > values[best]! * sign) best = i;
    const value = round(values[best]!, 3);
    return [
      {
        ...span,
        best,
        margin: (sign * (values[best]! - threshold.enter)) / clear,
        signals: [{ name, value, threshold: threshold.enter, unit: threshold.unit }],
        because: `${name} ${sign > 0 ? 'reached' : 'fell to'} ${measured(value, threshold.unit)} (threshold ${measured(threshold.enter, threshold.unit)}) for ${round(length)} s`,
      },
    ];
  });
}

/** Moves the edges of a run to the nearest frames at which the values themselves begin and end to be in the state. */
function refined(
  { from, to }: Span,
  { values, windowS }: NonNullable<StateOptions['edges']>,
  timeS: ArrayLike<number>,
  isIn: (value: number) => boolean,
): Span {
  const nearest = (edge: number, step: 1 | -1) => {
    for (let off = 0; ; off++) {
      const near = [edge - off, edge + off].filter((i) => Math.abs((timeS[i] ?? Number.NaN) - timeS[edge]!) <= windowS);
      if (near.length === 0) return edge;
      const at = near.find(
        (i) => isIn(values[i]!) && (i + step < 0 || i + step >= values.length || !isIn(values[i + step]!)),
      );
      if (at !== undefined) return at;
    }
  };
  const [first, last] = [nearest(from, -1), nearest(to, 1)];
  return first <= last ? { from: first, to: last } : { from, to };
}
