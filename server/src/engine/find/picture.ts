import type { Signals } from '../observe/observations.ts';
import type { SignalName, What } from '../plan/index.ts';
import { marginConfidence } from './confidence.ts';
import { type Hit, type Looked, measured, round, type SignalUse } from './hit.ts';
import { hysteresis, median, mergeGaps, type Span, smooth, subtract } from './intervals.ts';
import type { Scene } from './scene.ts';
import { LIMITS, STATES } from './thresholds.ts';

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

type Finder = (signals: Signals) => Shown[];

/** Looks for what the whole picture does. */
export function findPicture(what: Extract<What, { kind: 'signal' }>, scene: Scene): Looked {
  const { signals } = scene.observations;
  if (!signals) return { unavailable: 'the signals of the picture were not observed for this video' };
  const limits = NOTES[what.signal];
  return {
    hits: picturedHits(what, FINDERS[what.signal](signals), scene),
    by: ['signals'],
    limits: limits ? [limits] : [],
    domain: scene.frames,
  };
}

const NOTES: Partial<Record<SignalName, string>> = {
  blurred:
    "blur is told from the video's own usual sharpness: a video that is blurred from start to end cannot be told",
  frozen: 'a still scene from a noiseless source looks the same as a frozen picture',
  scene_change: 'cuts and fades over black are found, cross-dissolves are not',
};

const FINDERS: Record<SignalName, Finder> = {
  cut: cuts,
  fade: (s) => [...fades(s, 'fade_in'), ...fades(s, 'fade_out')].toSorted((a, b) => a.from - b.from),
  fade_in: (s) => fades(s, 'fade_in'),
  fade_out: (s) => fades(s, 'fade_out'),
  scene_change: (s) =>
    [...cuts(s), ...fades(s, 'fade_in'), ...fades(s, 'fade_out')].toSorted((a, b) => a.from - b.from),
  dark: (s) => state(s, evenLuma(s), STATES.dark, 'mean luma', LIMITS.stateMin.limit, 20),
  bright: (s) => state(s, evenLuma(s), STATES.bright, 'mean luma', LIMITS.stateMin.limit, 25),
  gets_dark: (s) => lightSteps(s, 'gets_dark'),
  gets_bright: (s) => lightSteps(s, 'gets_bright'),
  light_change: (s) =>
    [...lightSteps(s, 'gets_dark'), ...lightSteps(s, 'gets_bright')].toSorted((a, b) => a.from - b.from),
  flicker: flickers,
  black: blacks,
  frozen: frozen,
  blurred: blurred,
  covered: covered,
  shaking: shaking,
};

const evenLuma = (s: Signals) => smooth(s.luma, s.timeS, 0.3);

/** Runs in a state of at least `minS`; `clear` is the margin that is clearly beyond the threshold. */
export function state(
  s: { timeS: Float64Array },
  values: ArrayLike<number>,
  threshold: { enter: number; leave: number; unit: string },
  name: string,
  minS: number,
  clear: number,
  gapS = 0.3,
): Shown[] {
  const sign = threshold.enter >= threshold.leave ? 1 : -1;
  return mergeGaps(hysteresis(values, threshold), s.timeS, gapS).flatMap((span) => {
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

/** Frames that differ from the one before as no neighbour does. */
function cuts(s: Signals): Shown[] {
  const found: Shown[] = [];
  const n = s.cut.length;
  for (let i = 1; i < n; i++) {
    const score = s.cut[i]!;
    // At a few frames a second everything that moves changes much from one frame to the next.
    const slow = Math.min(1, Math.max(0, (s.timeS[i]! - s.timeS[i - 1]! - 0.1) / 0.4));
    const limit = LIMITS.cut.limit + 30 * slow;
    if (score < limit) continue;
    let around = 0;
    let count = 0;
    let highest = true;
    for (let k = Math.max(1, i - 3); k <= Math.min(n - 1, i + 3); k++) {
      if (k === i) continue;
      around += s.cut[k]!;
      count++;
      if (s.cut[k]! > score) highest = false;
    }
    const usual = count === 0 ? 0 : around / count;
    if (!highest || score < usual * LIMITS.cutRatio.limit) continue;
    found.push({
      from: i,
      to: i,
      best: i,
      margin: (score - limit) / 20,
      signals: [{ name: 'content difference', value: round(score), threshold: round(limit), unit: 'of 100' }],
      because: `content differs by ${round(score, 1)} from the frame before, ${round(usual, 1)} on average around it (threshold ${round(limit)})`,
      what: { kind: 'signal', signal: 'cut' },
    });
  }
  return found;
}

function blacks(s: Signals): Shown[] {
  return state(s, s.dark, STATES.black, 'share of dark pixels', LIMITS.blackMin.limit, 0.02);
}

/** Light that falls to black, or rises from it, over more than a few frames. */
function fades(s: Signals, direction: 'fade_in' | 'fade_out'): Shown[] {
  const step = direction === 'fade_out' ? -1 : 1;
  return blacks(s).flatMap((black) => {
    const edge = direction === 'fade_out' ? black.from : black.to;
    let i = edge;
    // Walk away from the black while the light keeps rising.
    while (i + step >= 0 && i + step < s.luma.length && s.luma[i + step]! > s.luma[i]! + 0.15) i += step;
    const [from, to] = direction === 'fade_out' ? [i, edge] : [edge, i];
    const length = s.timeS[to]! - s.timeS[from]!;
    const rise = s.luma[i]! - s.luma[edge]!;
    if (length < LIMITS.fade.limit || rise < LIMITS.lightStep.limit / 2) return [];
    return [
      {
        from,
        to,
        best: (from + to) >> 1,
        margin: length / LIMITS.fade.limit / 3,
        signals: [{ name: 'mean luma', value: round(s.luma[i]!, 1), threshold: round(s.luma[edge]!, 1), unit: 'luma' }],
        because: `mean luma went from ${round(s.luma[from]!, 1)} to ${round(s.luma[to]!, 1)} in ${round(length)} s`,
        what: { kind: 'signal', signal: direction },
      } satisfies Shown,
    ];
  });
}

/** Light that changes for good: by a step, or slowly into the dark (or out of it). */
function lightSteps(s: Signals, direction: 'gets_dark' | 'gets_bright'): Shown[] {
  const sign = direction === 'gets_dark' ? -1 : 1;
  const luma = smooth(s.luma, s.timeS, 0.2);
  const n = luma.length;
  const change = new Float64Array(n);
  let back = 0;
  for (let i = 0; i < n; i++) {
    while (s.timeS[back]! < s.timeS[i]! - LIMITS.lightStepTime.limit) back++;
    change[i] = (luma[i]! - luma[back]!) * sign;
  }
  const limit = LIMITS.lightStep.limit;
  const steps = hysteresis(change, { enter: limit, leave: limit / 2 })
    .map((span) => edgesOf(span))
    .filter(holds);
  const dark = hysteresis(luma, STATES.dark).filter(
    (span) => s.timeS[span.to]! - s.timeS[span.from]! >= LIMITS.stateMin.limit,
  );
  const slow = dark
    .map((span) => (direction === 'gets_dark' ? span.from : span.to + 1))
    .filter(
      (i) =>
        i > 0 &&
        i < n - 1 &&
        !steps.some((step) => s.timeS[i]! >= s.timeS[step.from]! - 1 && s.timeS[i]! <= s.timeS[step.to]! + 1),
    )
    .map((i) => ({ from: Math.max(0, i - 1), to: i }));
  return [...steps, ...slow]
    .toSorted((a, b) => a.from - b.from)
    .map(({ from, to }) => ({
      from,
      to,
      best: to,
      margin: Math.abs(luma[to]! - luma[from]!) / limit - 1,
      signals: [{ name: 'mean luma', value: round(luma[to]!, 1), threshold: round(luma[from]!, 1), unit: 'luma' }],
      because: `mean luma went from ${round(luma[from]!, 1)} to ${round(luma[to]!, 1)} in ${round(s.timeS[to]! - s.timeS[from]!)} s`,
      what: { kind: 'signal', signal: direction },
    }));

  /** What was switched stays so; what passed in front of the camera is gone again. */
  function holds({ from, to }: Span): boolean {
    const middle = (luma[from]! + luma[to]!) / 2;
    for (let i = to; i < n && s.timeS[i]! <= s.timeS[to]! + LIMITS.lightHold.limit; i++)
      if ((luma[i]! - middle) * sign < 0) return false;
    for (let i = from; i >= 0 && s.timeS[i]! >= s.timeS[from]! - LIMITS.lightHold.limit; i--)
      if ((luma[i]! - middle) * sign > 0) return false;
    return true;
  }

  /** From the last frame of the old light to the first of the new one. */
  function edgesOf(span: Span): Span {
    let low = span.from;
    while (low > 0 && s.timeS[low - 1]! >= s.timeS[span.from]! - LIMITS.lightStepTime.limit) low--;
    let [from, to] = [low, span.from];
    for (let i = low; i <= span.to; i++) if (luma[i]! * sign > luma[to]! * sign) to = i;
    for (let i = low; i < to; i++) if (luma[i]! * sign <= luma[from]! * sign + 2) from = i;
    const goal = luma[to]! * sign - 2;
    for (let i = from; i <= to; i++) {
      if (luma[i]! * sign >= goal) {
        to = i;
        break;
      }
    }
    return { from, to };
  }
}

/** Light that goes up and down again and again. */
function flickers(s: Signals): Shown[] {
  const n = s.luma.length;
  const turn = new Uint8Array(n);
  let lastSign = 0;
  for (let i = 1; i < n; i++) {
    const d = s.luma[i]! - s.luma[i - 1]!;
    if (Math.abs(d) < LIMITS.flickerStep.limit) continue;
    if (lastSign !== 0 && Math.sign(d) !== lastSign) turn[i] = 1;
    lastSign = Math.sign(d);
  }
  const rate = new Float64Array(n);
  let from = 0;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    sum += turn[i]!;
    while (s.timeS[from]! < s.timeS[i]! - 1) sum -= turn[from++]!;
    rate[i] = sum;
  }
  const limit = LIMITS.flickers.limit;
  return state(s, rate, { enter: limit, leave: limit / 2, unit: 'changes in 1 s' }, 'changes of light', 0, 4);
}

function frozen(s: Signals): Shown[] {
  const black = blacks(s);
  const difference = Float64Array.from(s.difference);
  // The first frame has none before it.
  if (difference.length > 1) difference[0] = difference[1]!;
  const found = state(s, difference, STATES.frozen, 'difference between frames', LIMITS.frozenMin.limit, 0.1, 0);
  return subtract(found, black).flatMap((span) => {
    if (s.timeS[span.to]! - s.timeS[span.from]! < LIMITS.frozenMin.limit) return [];
    const whole = found.find((f) => f.from <= span.from && f.to >= span.to)!;
    return [{ ...whole, ...span, best: span.from, margin: Math.min(whole.margin, 0.5) }];
  });
}

/** Sharpness divided by contrast, against the video's own usual value. */
function blurred(s: Signals): Shown[] {
  const clean = Float64Array.from(s.sharpness, (v, i) => v / (s.contrast[i]! ** 2 + 25));
  const lit = clean.filter((_, i) => s.dark[i]! < 0.9);
  const usual = median(lit);
  if (usual <= 0) return [];
  const ratio = smooth(
    clean.map((v, i) => (s.dark[i]! < 0.9 ? v / usual : 1)),
    s.timeS,
    0.3,
  );
  return state(s, ratio, STATES.blurred, 'sharpness', LIMITS.stateMin.limit, 0.2).map((shown) => ({
    ...shown,
    margin: Math.min(shown.margin, 0.6),
  }));
}

function covered(s: Signals): Shown[] {
  const usual = median(s.contrast);
  // A picture that is always flat (fog, a wall) is not covered.
  if (usual < STATES.covered.leave) return [];
  const found = state(s, smooth(s.contrast, s.timeS, 0.2), STATES.covered, 'contrast', LIMITS.stateMin.limit, 6);
  // Black, and the fades that lead to it, are flat for another reason.
  const black = [...blacks(s), ...fades(s, 'fade_in'), ...fades(s, 'fade_out')].toSorted((p, q) => p.from - q.from);
  return found.flatMap((whole) =>
    subtract([whole], mergeGaps(black, s.timeS, 0.2))
      .filter((span) => s.timeS[span.to]! - s.timeS[span.from]! >= LIMITS.stateMin.limit)
      .map((span) => ({ ...whole, ...span, best: (span.from + span.to) >> 1 })),
  );
}

/** Motion of the whole picture that changes direction within the smoothing window. */
function shaking(s: Signals): Shown[] {
  const w = LIMITS.smoothing.limit;
  const [mx, my] = [smooth(s.globalX, s.timeS, w), smooth(s.globalY, s.timeS, w)];
  const energy = mx.map((x, i) => (s.globalX[i]! - x) ** 2 + (s.globalY[i]! - my[i]!) ** 2);
  const rms = smooth(energy, s.timeS, w).map(Math.sqrt);
  return state(s, rms, STATES.shaking, 'shake', LIMITS.stateMin.limit, 0.2, 0.5);
}
