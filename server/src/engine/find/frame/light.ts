import type { Signals } from '../../observe/observations.ts';
import { round } from '../format.ts';
import { LIMITS, STATES } from '../thresholds.ts';
import { hysteresis, type Span, smooth } from '../time/intervals.ts';
import { findState, type SignalInterval } from '../time/signal-intervals.ts';

/** Smoothing window: noise around a threshold must not count. */
const SMOOTHING_S = 0.3;

/** Intervals in which the mean luma of frames is in a state. */
const lumaState = (
  s: Signals,
  threshold: typeof STATES.dark | typeof STATES.wellLit | typeof STATES.bright,
  clear: number,
) =>
  findState(s, smooth(s.luma, s.timeS, SMOOTHING_S), threshold, 'mean luma', LIMITS.stateMin.limit, clear, {
    edges: { values: s.luma, windowS: SMOOTHING_S },
  });
export const findDark = (s: Signals) => lumaState(s, STATES.dark, 20);
export const findWellLit = (s: Signals) => lumaState(s, STATES.wellLit, 20);
export const findBright = (s: Signals) => lumaState(s, STATES.bright, 25);
export const findOverexposure = (s: Signals) =>
  findState(
    s,
    smooth(s.bright, s.timeS, SMOOTHING_S),
    STATES.overexposed,
    'share of white pixels',
    LIMITS.stateMin.limit,
    0.2,
    {
      edges: { values: s.bright, windowS: SMOOTHING_S },
    },
  );

/** Luma that rises and immediately falls again. */
export function findFlashes(s: Signals): SignalInterval[] {
  const found: SignalInterval[] = [];
  const limit = LIMITS.flash.limit;
  for (let i = 1; i < s.luma.length; i++) {
    const before = s.luma[i - 1]!;
    if (s.luma[i]! - before < limit) continue;
    let best = i;
    let back = i + 1;
    while (back < s.luma.length && s.luma[back]! - before >= limit / 2) {
      if (s.luma[back]! > s.luma[best]!) best = back;
      back++;
    }
    if (back === s.luma.length || s.timeS[back]! - s.timeS[i]! > LIMITS.flashTime.limit) continue;
    const rise = s.luma[best]! - before;
    found.push({
      from: i,
      to: back - 1,
      best,
      margin: (rise - limit) / limit,
      signals: [{ name: 'rise of mean luma', value: round(rise, 1), threshold: limit, unit: 'luma' }],
      reason: `mean luma rose by ${round(rise, 1)} (threshold ${limit}) and fell again after ${round(s.timeS[back]! - s.timeS[i]!, 3)} s`,
    });
    i = back;
  }
  return found;
}

/** A lasting change of luma: in a step, or slowly into or out of the dark state. */
export function findLightChanges(s: Signals, direction: 'gets_dark' | 'gets_bright'): SignalInterval[] {
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
    .map((span) => findEdges(span))
    .filter(isLasting);
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
  return [...steps.filter(isLightSource), ...slow]
    .toSorted((a, b) => a.from - b.from)
    .map(({ from, to }) => ({
      from,
      to,
      best: to,
      margin: Math.abs(luma[to]! - luma[from]!) / limit - 1,
      signals: [{ name: 'mean luma', value: round(luma[to]!, 1), threshold: round(luma[from]!, 1), unit: 'luma' }],
      reason: `mean luma went from ${round(luma[from]!, 1)} to ${round(luma[to]!, 1)} in ${round(s.timeS[to]! - s.timeS[from]!)} s`,
      what: { kind: 'signal', signal: direction },
    }));

  /** True if the change lasts: an object that passes in front of the camera changes luma only for a moment. */
  function isLasting({ from, to }: Span): boolean {
    const middle = (luma[from]! + luma[to]!) / 2;
    for (let i = to; i < n && s.timeS[i]! <= s.timeS[to]! + LIMITS.lightHold.limit; i++)
      if ((luma[i]! - middle) * sign < 0) return false;
    for (let i = from; i >= 0 && s.timeS[i]! >= s.timeS[from]! - LIMITS.lightHold.limit; i--)
      if ((luma[i]! - middle) * sign > 0) return false;
    return true;
  }

  /** Contrast follows light. If much moves while luma falls and contrast rises, a dark object came into view. */
  function isLightSource({ from, to }: Span): boolean {
    const moving = s.localMotion.subarray(from + 1, to + 1).reduce((sum, share) => sum + share, 0) / (to - from);
    return moving < LIMITS.lightMotion.limit || (s.contrast[to]! - s.contrast[from]!) * sign >= 0;
  }

  /** From the last frame before the change to the first frame after it. */
  function findEdges(span: Span): Span {
    let low = span.from;
    while (low > 0 && s.timeS[low - 1]! >= s.timeS[span.from]! - LIMITS.lightStepTime.limit) low--;
    let [from, to] = [low, span.from];
    for (let i = low; i <= span.to; i++) if (luma[i]! * sign > luma[to]! * sign) to = i;
    const old = luma
      .subarray(low, to + 1)
      .reduce((least, value) => Math.min(least, value * sign), Number.POSITIVE_INFINITY);
    for (let i = low; i < to; i++) if (luma[i]! * sign <= old + 2) from = i;
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

/** Luma that goes up and down repeatedly. */
export function findFlicker(s: Signals): SignalInterval[] {
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
  return findState(s, rate, { enter: limit, leave: limit / 2, unit: 'changes in 1 s' }, 'changes of luma', 0, 4);
}
