import { type Kernel, QUARTER_PIXELS } from './kernel.ts';
import { createLikeness } from './likeness.ts';

/** Finds where one shot ends and another begins: at once (a cut) or by blending (a dissolve), from small copies of the pictures. */
export type Shots = {
  /**
   * Takes the next frame's small picture, the sums of its pixels and of their squares, and its `cutScore` against the frame before. Returns how surely it is a cut,
   * 0 to 100; 50 and more is one, as far as is known before what follows is seen.
   */
  take(picture: Uint8Array, sums: { sum: number; squares: number }, timeS: number, change: number): number;
  finish(): { cut: Float32Array; dissolve: Float32Array };
};

/** A score that means a cut. */
export const CUT = 50;
/** A frame is looked at closely when it changes this much, and so many times as much, or by this much more, than the ones before on average. */
const CHANGED = 25;
const TIMES_USUAL = 3;
const MORE_THAN_USUAL = 10;
const USUAL_FRAMES = 3;
/** ... or, after stillness, this much and so many times as much: a jump between two shots of one table. */
const STIRRED = 10;
const TIMES_STILL = 8;
const CODING = 0.5;
/** What the change of any other frame counts for: motion that the search for blocks cannot follow has much of it, frame after frame. */
const UNSUSPICIOUS = 0.4;
/** Likeness that scores 100 and 0; 50 lies half way, at 0.73: frames of one shot measured 0.74 and more (light switched, whip pans), others up to 0.72. */
const UNLIKE = 0.5;
const ALIKE = 0.96;
/** What is seen again within this was interrupted, not cut: a flash, a dropped picture. */
const AGAIN_S = 0.5;
const AGAIN = 0.75;
/** ... and however much later, when it was too dark to see anything in between: this share of the variance before. */
const DARKENED = 0.02;

/** Dissolves are looked for every so often, in windows of these lengths: a blend is that of its beginning and end. */
const EVERY_S = 0.09;
const WINDOWS_S = [0.4, 0.8, 1.6];
const LONGEST_S = 1.7;
/** Least share that either end has in the middle. */
const LEAST_SHARE = 0.12;
/**
 * Least of the middle that its ends explain: this, and so much more the more the ends correlate. Measured: what moves reaches 0.5 + 0.3 × correlation, blends
 * of moving pictures 0.64 + 0.3 × correlation.
 */
const EXPLAINED = 0.58;
const EXPLAINED_BY_LIKENESS = 0.3;
/** Most that the ends correlate, as they are and with motion made up for. */
const ENDS_CORRELATE = 0.75;
const ENDS_LIKE = 0.6;
/** Least that blocks gain by being blended, when each is looked for nearby. */
const LEAST_GAIN = 0.03;
/** Least variance of a picture that can be told from another one. */
const STRUCTURE = 9;
/** Windows that have to agree. */
const AGREEING = 2;

type Frame = { frame: number; timeS: number; picture: Uint8Array; mean: number; variance: number };
type Blend = { from: number; to: number; windowS: number };

export function createShots(kernel: Kernel): Shots {
  const { likeness, blendGain, product } = createLikeness(kernel);
  const scores: number[] = [];
  const changes: number[] = [];
  const blends: Blend[] = [];
  let samples: Frame[] = [];
  /** Pictures of this frame and the one before, by turns. */
  const copies = [new Uint8Array(QUARTER_PIXELS), new Uint8Array(QUARTER_PIXELS)] as const;
  const kept = (frame: Frame): Frame => ({ ...frame, picture: frame.picture.slice() });
  let before: Frame | null = null;
  /** The frames at which something changed a moment ago, with the picture before each. */
  let changed: { frame: number; timeS: number; before: Frame }[] = [];

  function cutAt(now: Frame, change: number): number {
    if (!before || !isSuspicious(change, changes)) return UNSUSPICIOUS * change;
    const { frame, timeS, picture, variance } = now;
    const last = before;
    changed = changed.filter((one) => timeS - one.timeS <= AGAIN_S || last.variance < DARKENED * one.before.variance);
    const again = changed.find((one) => likeness(one.before.picture, picture) >= AGAIN);
    if (again) {
      for (let at = again.frame; at < frame; at++) scores[at] = Math.min(scores[at]!, UNSUSPICIOUS * CHANGED);
      changed = [];
      return UNSUSPICIOUS * CHANGED;
    }
    const unlike = (ALIKE - likeness(last.picture, picture)) / (ALIKE - UNLIKE);
    const score = 100 * Math.min(1, Math.max(0, unlike));
    if (Math.max(variance, last.variance) >= STRUCTURE) changed.push({ frame, timeS, before: kept(last) });
    return score;
  }

  const covariance = (a: Frame, b: Frame) => product(a.picture, b.picture) - a.mean * b.mean;

  /** Whether a picture is a blend of one before and one after it that have little in common. */
  function isBlend(start: Frame, middle: Frame, end: Frame): boolean {
    if (start.variance < STRUCTURE || middle.variance < STRUCTURE || end.variance < STRUCTURE) return false;
    const ends = covariance(start, end);
    const alike = ends / Math.sqrt(start.variance * end.variance);
    if (alike > ENDS_CORRELATE) return false;
    const [withStart, withEnd] = [covariance(start, middle), covariance(end, middle)];
    // Least squares: middle = a · start + b · end.
    const determinant = start.variance * end.variance - ends * ends;
    const a = (withStart * end.variance - withEnd * ends) / determinant;
    const b = (withEnd * start.variance - withStart * ends) / determinant;
    if (a < LEAST_SHARE || b < LEAST_SHARE) return false;
    if (a * withStart + b * withEnd < (EXPLAINED + EXPLAINED_BY_LIKENESS * alike) * middle.variance) return false;
    return (
      blendGain(middle.picture, start.picture, end.picture) >= LEAST_GAIN &&
      likeness(start.picture, end.picture) <= ENDS_LIKE
    );
  }

  function sample(now: Frame): void {
    const last = samples.at(-1);
    if (last && now.timeS - last.timeS < EVERY_S) return;
    samples = samples.filter((earlier) => now.timeS - earlier.timeS <= LONGEST_S);
    samples.push(kept(now));
    for (const windowS of WINDOWS_S) {
      const start = samples.findLast((earlier) => earlier.timeS <= now.timeS - windowS + 1e-6);
      const middle = samples.findLast((earlier) => earlier.timeS <= now.timeS - windowS / 2 + 1e-6);
      if (start && middle && isBlend(start, middle, now)) blends.push({ from: start.frame, to: now.frame, windowS });
    }
  }

  return {
    take(picture, { sum, squares }, timeS, change) {
      const mean = sum / picture.length;
      const variance = squares / picture.length - mean * mean;
      const copy = copies[scores.length % 2 === 0 ? 0 : 1];
      copy.set(picture);
      const now = { frame: scores.length, timeS, picture: copy, mean, variance };
      const score = cutAt(now, change);
      scores.push(score);
      changes.push(change);
      if (score >= CUT) samples = [];
      sample(now);
      before = now;
      return score;
    },
    finish: () => ({ cut: Float32Array.from(scores), dissolve: dissolves(blends, scores.length) }),
  };
}

function isSuspicious(change: number, changes: readonly number[]): boolean {
  const last = changes.slice(-USUAL_FRAMES);
  const usual = last.reduce((sum, value) => sum + value, 0) / Math.max(1, last.length);
  if (change >= CHANGED) return change >= Math.min(TIMES_USUAL * usual, usual + MORE_THAN_USUAL);
  return last.length === USUAL_FRAMES && change >= STIRRED && change >= TIMES_STILL * (usual + CODING);
}

/** Frames that are part of a dissolve score 100: those of the shortest windows that tell of it. */
function dissolves(blends: readonly Blend[], frames: number): Float32Array {
  const result = new Float32Array(frames);
  const groups: Blend[][] = [];
  for (const blend of blends) {
    const group = groups.at(-1);
    if (group?.some(({ to }) => to >= blend.from)) group.push(blend);
    else groups.push([blend]);
  }
  for (const group of groups) {
    if (group.length < AGREEING) continue;
    const shortest = Math.min(...group.map(({ windowS }) => windowS));
    for (const { from, to, windowS } of group) if (windowS === shortest) result.fill(100, from, to + 1);
  }
  return result;
}
