import type { Signals } from '../../observe/observations.ts';
import { round } from '../format.ts';
import { LIMITS, STATES } from '../thresholds.ts';
import { runs } from '../time/intervals.ts';
import { findState, type SignalInterval } from '../time/signal-intervals.ts';

/** Frames that differ from the frame before much more than their neighbors do. */
export function findCuts(s: Signals): SignalInterval[] {
  const found: SignalInterval[] = [];
  const n = s.cut.length;
  for (let i = 1; i < n; i++) {
    const score = s.cut[i]!;
    // At low frame rates, any motion changes much from one frame to the next.
    const slow = Math.min(1, Math.max(0, (s.timeS[i]! - s.timeS[i - 1]! - 0.1) / 0.4));
    const limit = LIMITS.cut.limit + 30 * slow;
    if (score < limit) continue;
    let neighborSum = 0;
    let count = 0;
    let highest = true;
    for (let k = Math.max(1, i - 3); k <= Math.min(n - 1, i + 3); k++) {
      if (k === i) continue;
      neighborSum += s.cut[k]!;
      count++;
      if (s.cut[k]! > score) highest = false;
    }
    const neighborMean = count === 0 ? 0 : neighborSum / count;
    if (!highest || score < neighborMean * LIMITS.cutRatio.limit) continue;
    found.push({
      from: i,
      to: i,
      best: i,
      margin: (score - limit) / 20,
      signals: [{ name: 'content difference', value: round(score), threshold: round(limit), unit: 'of 100' }],
      reason: `content differs by ${round(score, 1)} from the previous frame, compared to ${round(neighborMean, 1)} on average around it (threshold ${round(limit)})`,
      what: { kind: 'signal', signal: 'cut' },
    });
  }
  return found;
}

export function findBlackFrames(s: Signals): SignalInterval[] {
  return findState(s, s.dark, STATES.black, 'share of dark pixels', LIMITS.blackMin.limit, 0.02);
}

/** Luma that falls to black, or rises from it, over more than a few frames. */
export function findFades(s: Signals, direction: 'fade_in' | 'fade_out'): SignalInterval[] {
  const step = direction === 'fade_out' ? -1 : 1;
  return findBlackFrames(s).flatMap((black) => {
    const edge = direction === 'fade_out' ? black.from : black.to;
    let i = edge;
    // Walk away from the black frames while luma keeps rising.
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
        reason: `mean luma went from ${round(s.luma[from]!, 1)} to ${round(s.luma[to]!, 1)} in ${round(length)} s`,
        what: { kind: 'signal', signal: direction },
      } satisfies SignalInterval,
    ];
  });
}

/** Frames that are blends of two shots. Fades over black are reported as fades. */
export function findDissolves(s: Signals): SignalInterval[] {
  const fading = [...findFades(s, 'fade_in'), ...findFades(s, 'fade_out')];
  const dark = findBlackFrames(s);
  return runs(s.dissolve.length, (i) => s.dissolve[i]! >= LIMITS.dissolve.limit)
    .filter(({ from, to }) => !fading.some((fade) => fade.from <= to && fade.to >= from))
    .filter(({ from, to }) => !dark.some((black) => black.from > from && black.to < to))
    .map(({ from, to }) => ({
      from,
      to,
      best: (from + to) >> 1,
      margin: 1,
      signals: [{ name: 'blend', value: 100, threshold: LIMITS.dissolve.limit, unit: 'of 100' }],
      reason: `for ${round(s.timeS[to]! - s.timeS[from]!)} s the frames are a blend of two different shots`,
      what: { kind: 'signal', signal: 'dissolve' } as const,
    }));
}

/**
 * Shots: what lies between cuts, dissolves and black frames. Together they last as long as the video, each until the
 * next begins.
 */
export function findShots(s: Signals): SignalInterval[] {
  const black = findBlackFrames(s);
  const isAtBlack = (i: number) => black.some(({ from, to }) => i >= from - EDGE_FRAMES && i <= to + 1 + EDGE_FRAMES);
  const starts = [
    0,
    ...findCuts(s)
      .map(({ from }) => from)
      .filter((from) => !isAtBlack(from)),
    ...findDissolves(s).map(middleOf),
    ...black.filter(({ from, to }) => from > 0 && to < s.timeS.length - 1).map(middleOf),
  ].toSorted((a, b) => a - b);
  return starts.flatMap((from, k) => {
    const to = (starts[k + 1] ?? s.timeS.length) - 1;
    if (to < from) return [];
    return [
      {
        from,
        to,
        best: (from + to) >> 1,
        margin: 1,
        signals: [],
        reason: `shot ${k + 1} of ${starts.length}`,
        what: { kind: 'signal', signal: 'shot' } satisfies SignalInterval['what'],
      },
    ];
  });
}

const middleOf = ({ from, to }: { from: number; to: number }) => (from + to) >> 1;
/** A cut to or from black is this many frames from it at most. */
const EDGE_FRAMES = 2;
