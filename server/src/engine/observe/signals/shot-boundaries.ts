import type { SavedPass, SavedRange } from '../resume.ts';
import { type Kernel, QUARTER_PIXELS } from './kernel.ts';
import { createFrameSimilarity } from './similarity.ts';

/** Finds shot boundaries from small copies of the frames: cuts and dissolves. */
export type ShotBoundaryDetector = {
  /**
   * Adds the next frame's small copy, the sums of its pixels and of their squares, and its cut score against the
   * previous frame. Returns the preliminary score of a cut, 0 to 100; later frames may lower it. 50 and more is a cut.
   */
  addFrame(frame: Uint8Array, sums: { sum: number; squares: number }, timeS: number, change: number): number;
  finish(): { cut: Float32Array; dissolve: Float32Array };
  /** The results since the last call, and what later ones depend on. */
  save(): SavedRange<AddedShots, ShotsState>;
};

/** `scores` replace those from `from` on, since later frames lower some. */
export type AddedShots = { from: number; scores: number[]; blends: Blend[] };
export type ShotsState = { changes: number[]; samples: SmallFrame[]; previous: SmallFrame | null; changed: Changed[] };

/** Score from which a frame is a cut. */
export const CUT = 50;
/** A frame is examined if it changes this much, and this many times, or by this much, more than the previous ones. */
const CHANGED = 25;
const TIMES_USUAL = 3;
const MORE_THAN_USUAL = 10;
const USUAL_FRAMES = 3;
/** ... or, after a still interval, this much and this many times as much: a jump between two shots of one scene. */
const STIRRED = 10;
const TIMES_STILL = 8;
const CODING = 0.5;
/** Weight of the change of all other frames: fast motion changes frame after frame. */
const UNSUSPICIOUS = 0.4;
/**
 * Similarities that score 100 and 0; 0.73 scores 50. Frames of one shot measured 0.74 and more (switched light, whip
 * pans), others up to 0.72.
 */
const DIFFERENT = 0.5;
const SAME = 0.96;
/** A scene that returns within this time was interrupted, not cut: a flash, a damaged frame. */
const AGAIN_S = 0.5;
const AGAIN = 0.75;
/** ... or at any later time, if the frames in between were too dark: this share of the variance before. */
const DARKENED = 0.02;

/** Dissolves are searched at this interval in windows of these lengths: the middle is a blend of start and end. */
const EVERY_S = 0.09;
const WINDOWS_S = [0.4, 0.8, 1.6];
const MAX_S = 1.7;
/** Minimum share of either end in the middle. */
const MIN_SHARE = 0.12;
/**
 * Minimum share of the middle that its ends explain, and its increase with their correlation. Measured: motion reaches
 * 0.5 + 0.3 × correlation, blends of moving frames 0.64 + 0.3 × correlation.
 */
const EXPLAINED = 0.58;
const EXPLAINED_BY_CORRELATION = 0.3;
/** Maximum correlation of the ends, without and with motion compensation. */
const ENDS_CORRELATE = 0.75;
const ENDS_SIMILAR = 0.6;
/** Minimum gain of the blend with motion compensation. */
const MIN_GAIN = 0.03;
/** Minimum variance of a frame that can be compared. */
const STRUCTURE = 9;
/** Number of windows that have to agree. */
const AGREEING = 2;

type SmallFrame = { index: number; timeS: number; pixels: Uint8Array; mean: number; variance: number };
type Changed = { index: number; timeS: number; before: SmallFrame };
type Blend = { from: number; to: number; windowS: number };

/** Continues what an earlier detector saved. */
export function createShotBoundaryDetector(
  kernel: Kernel,
  saved: SavedPass<AddedShots, ShotsState> | null = null,
): ShotBoundaryDetector {
  const { similarity, blendGain, product } = createFrameSimilarity(kernel);
  const scores: number[] = [];
  const changes: number[] = [];
  const blends: Blend[] = [];
  let samples: SmallFrame[] = [];
  /** Copies of the current and the previous frame, alternating. */
  const copies = [new Uint8Array(QUARTER_PIXELS), new Uint8Array(QUARTER_PIXELS)] as const;
  const cloneFrame = (frame: SmallFrame): SmallFrame => ({ ...frame, pixels: frame.pixels.slice() });
  let previous: SmallFrame | null = null;
  /** Recent changes, each with the frame before it. */
  let changed: Changed[] = [];
  /** Scores that can no longer change, and blends, of which both were saved. */
  let settledScores = 0;
  let savedBlends = 0;
  const markSaved = () => {
    settledScores = Math.min(scores.length, ...changed.map(({ index }) => index));
    savedBlends = blends.length;
  };
  if (saved) {
    for (const range of saved.added) {
      for (const [at, score] of range.scores.entries()) scores[range.from + at] = score;
      blends.push(...range.blends);
    }
    ({ samples, previous, changed } = saved.state);
    changes.push(...saved.state.changes);
    markSaved();
  }

  function scoreCut(now: SmallFrame, change: number): number {
    if (!previous || !isSuspicious(change, changes)) return UNSUSPICIOUS * change;
    const { index, timeS, pixels, variance } = now;
    const last = previous;
    changed = changed.filter((one) => timeS - one.timeS <= AGAIN_S || last.variance < DARKENED * one.before.variance);
    const again = changed.find((one) => similarity(one.before.pixels, pixels) >= AGAIN);
    if (again) {
      for (let at = again.index; at < index; at++) scores[at] = Math.min(scores[at]!, UNSUSPICIOUS * CHANGED);
      changed = [];
      return UNSUSPICIOUS * CHANGED;
    }
    const difference = (SAME - similarity(last.pixels, pixels)) / (SAME - DIFFERENT);
    const score = 100 * Math.min(1, Math.max(0, difference));
    if (Math.max(variance, last.variance) >= STRUCTURE) changed.push({ index, timeS, before: cloneFrame(last) });
    return score;
  }

  const covariance = (a: SmallFrame, b: SmallFrame) => product(a.pixels, b.pixels) - a.mean * b.mean;

  /** True if a frame is a blend of an earlier and a later one that have little in common. */
  function isBlend(start: SmallFrame, middle: SmallFrame, end: SmallFrame): boolean {
    if (start.variance < STRUCTURE || middle.variance < STRUCTURE || end.variance < STRUCTURE) return false;
    const ends = covariance(start, end);
    const correlation = ends / Math.sqrt(start.variance * end.variance);
    if (correlation > ENDS_CORRELATE) return false;
    const [withStart, withEnd] = [covariance(start, middle), covariance(end, middle)];
    // Least squares: middle = a · start + b · end.
    const determinant = start.variance * end.variance - ends * ends;
    const a = (withStart * end.variance - withEnd * ends) / determinant;
    const b = (withEnd * start.variance - withStart * ends) / determinant;
    if (a < MIN_SHARE || b < MIN_SHARE) return false;
    if (a * withStart + b * withEnd < (EXPLAINED + EXPLAINED_BY_CORRELATION * correlation) * middle.variance)
      return false;
    return (
      blendGain(middle.pixels, start.pixels, end.pixels) >= MIN_GAIN &&
      similarity(start.pixels, end.pixels) <= ENDS_SIMILAR
    );
  }

  function sample(now: SmallFrame): void {
    const last = samples.at(-1);
    if (last && now.timeS - last.timeS < EVERY_S) return;
    samples = samples.filter((earlier) => now.timeS - earlier.timeS <= MAX_S);
    samples.push(cloneFrame(now));
    for (const windowS of WINDOWS_S) {
      const start = samples.findLast((earlier) => earlier.timeS <= now.timeS - windowS + 1e-6);
      const middle = samples.findLast((earlier) => earlier.timeS <= now.timeS - windowS / 2 + 1e-6);
      if (start && middle && isBlend(start, middle, now)) blends.push({ from: start.index, to: now.index, windowS });
    }
  }

  return {
    addFrame(frame, { sum, squares }, timeS, change) {
      const mean = sum / frame.length;
      const variance = squares / frame.length - mean * mean;
      const copy = copies[scores.length % 2 === 0 ? 0 : 1];
      copy.set(frame);
      const now = { index: scores.length, timeS, pixels: copy, mean, variance };
      const score = scoreCut(now, change);
      scores.push(score);
      changes.push(change);
      if (changes.length > USUAL_FRAMES) changes.shift();
      if (score >= CUT) samples = [];
      sample(now);
      previous = now;
      return score;
    },
    save() {
      const added = { from: settledScores, scores: scores.slice(settledScores), blends: blends.slice(savedBlends) };
      markSaved();
      // Frames in lists are never written again.
      const state = { changes: [...changes], samples: [...samples], changed: [...changed] };
      return { added, state: { ...state, previous: previous && cloneFrame(previous) } };
    },
    finish: () => ({ cut: Float32Array.from(scores), dissolve: scoreDissolves(blends, scores.length) }),
  };
}

function isSuspicious(change: number, changes: readonly number[]): boolean {
  const last = changes.slice(-USUAL_FRAMES);
  const usual = last.reduce((sum, value) => sum + value, 0) / Math.max(1, last.length);
  if (change >= CHANGED) return change >= Math.min(TIMES_USUAL * usual, usual + MORE_THAN_USUAL);
  return last.length === USUAL_FRAMES && change >= STIRRED && change >= TIMES_STILL * (usual + CODING);
}

/** Frames of a dissolve score 100: those of its shortest windows. */
function scoreDissolves(blends: readonly Blend[], frames: number): Float32Array {
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
