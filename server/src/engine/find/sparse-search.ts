import type { Observations, SparsePass } from '../observe/observations.ts';
import { signalOf, type Target } from '../plan/index.ts';
import { mergeMatches } from './actions/groups.ts';
import { justBefore, measureOccupancy } from './counting/occupancy.ts';
import { round } from './format.ts';
import { indexAt } from './time/intervals.ts';
import type { FrameTime, IntervalMatch, LimitDescriber, StepResult } from './types.ts';

export const USE_THINKING = 'use thinking mode to process every frame';
/** Factor for confidence: a second frame does not confirm the light of a frame. */
const UNCONFIRMED = 0.9;
/** Factor for confidence of what a single frame does not settle, such as color, which depends on light. */
const UNCONFIRMED_TRAIT = 0.5;
/**
 * Confidence in consecutive frames from which an object in a single frame is more likely there than not: a detector
 * score of 0.57 (`confidence.ts`). The odds of an unconfirmed object are divided by the odds of this (decision 0004).
 */
const EVEN_CHANCE = 0.78125;
/** Cars are taken for these in single frames, seen from above most of all; thinking mode compares their sizes. */
const LIKE_CARS: ReadonlySet<string> = new Set(['truck', 'bus', 'train']);
/** Probability that an event is found if most frames were skipped. */
export const SPARSE_RECALL = 0.6;

/** Kinds of targets that do not depend on the sampled frames. */
const COMPLETE: ReadonlySet<Target['kind']> = new Set(['sound', 'speech', 'quantity', 'text', 'fact', 'unknown']);

/**
 * Evaluates a condition on observations of a sparse pass. Conditions that need consecutive frames are unavailable; the
 * others have a lower confidence and state the interval between frames. Audio, telemetry and text are complete in
 * either pass.
 */
export function searchSparsely(what: Target, observations: Observations, evaluate: () => StepResult): StepResult {
  const { sparsePass, telemetry } = observations;
  if (!sparsePass || COMPLETE.has(what.kind)) return evaluate();
  if (what.kind === 'camera' && telemetry?.telemetry) return evaluate();
  if (needsConsecutiveFrames(what))
    return { unavailable: `motion and changes cannot be detected in sampled frames: ${USE_THINKING}` };
  const result = evaluate();
  if ('unavailable' in result || what.kind === 'notable') return result;
  const matches = what.kind === 'object' ? mergeRuns(result.matches, sparsePass) : result.matches;
  const confidenceOf = unconfirmedBy(what);
  return {
    ...result,
    matches: matches.map((match) => ({ ...match, confidence: confidenceOf(match.confidence) })),
    limits: (part) => [...result.limits(part), ...describeSamples(null, part)],
  };
}

/** Confidence that remains where no second frame confirms what was found. */
function unconfirmedBy(what: Target): (confidence: number) => number {
  if (what.kind !== 'object') return (confidence) => confidence * UNCONFIRMED;
  const { colors, classes } = what.subject;
  const isLikeCar = classes.length > 0 && classes.every((name) => LIKE_CARS.has(name));
  if (colors.length > 0 || isLikeCar) return (confidence) => confidence * UNCONFIRMED_TRAIT;
  const limit = oddsOf(EVEN_CHANCE);
  return (confidence) => oddsOf(confidence) / (oddsOf(confidence) + limit);
}
const oddsOf = (probability: number) => probability / (1 - probability);

/** True if a condition is evaluated on the frames of a video. */
export const isVisual = ({ kind }: Target): boolean =>
  ['object', 'signal', 'motion', 'camera', 'traffic_light', 'notable'].includes(kind);

/** Motion, and lamps that change within seconds. */
const CONSECUTIVE: ReadonlySet<Target['kind']> = new Set(['motion', 'camera', 'traffic_light']);

/** True if single frames do not show whether a condition holds. */
export function needsConsecutiveFrames(what: Target): boolean {
  if (what.kind === 'signal') return !signalOf(what.signal).singleFrame;
  if (what.kind !== 'object') return CONSECUTIVE.has(what.kind);
  return what.action !== 'present' || what.idle || what.relation !== null || what.subject.state !== null;
}

/**
 * Merges matches in consecutive samples: objects cannot be identified across frames that lie seconds apart. Each is
 * taken to be there until the next sample.
 */
function mergeRuns(matches: readonly IntervalMatch[], { signals: { timeS, pts } }: SparsePass): IntervalMatch[] {
  const sampleAt = (match: FrameTime) => indexAt(timeS, match.timeS + 1e-6);
  const runs: { matches: IntervalMatch[]; until: number }[] = [];
  for (const match of matches.toSorted((a, b) => a.start.timeS - b.start.timeS)) {
    const until = sampleAt(match.end);
    const run = runs.at(-1);
    if (run && sampleAt(match.start) <= run.until + 1) {
      run.matches.push(match);
      run.until = Math.max(run.until, until);
    } else runs.push({ matches: [match], until });
  }
  return runs.map(({ matches: inside, until }) => {
    const run = mergeMatches(inside);
    const presences = run.presences.map((presence) => {
      const next = sampleAt(presence.end) + 1;
      return next > until ? presence : { ...presence, end: justBefore({ timeS: timeS[next]!, pts: pts[next]! }) };
    });
    const { peak } = measureOccupancy(presences);
    return { ...run, presences, isSampled: true, best: peak && peak.count > 1 ? peak.start : run.best };
  });
}

/** Coverage note of a sparse pass: number of frames, largest gap, and unchanged intervals that were skipped. */
const describeSamples: LimitDescriber = (_what, { observations: { sparsePass } }) => {
  if (!sparsePass) return [];
  const { signals, quiet } = sparsePass;
  const { timeS } = signals;
  const isQuiet = (from: number, to: number) => quiet.some(({ startS, endS }) => startS <= from && to <= endS);
  let gapS = 0;
  for (let i = 1; i < timeS.length; i++)
    if (!isQuiet(timeS[i - 1]!, timeS[i]!)) gapS = Math.max(gapS, timeS[i]! - timeS[i - 1]!);
  const quietS = quiet.reduce((sum, { startS, endS }) => sum + endS - startS, 0);
  const unchanged = quietS > 0 ? `; nothing changed in ${round(quietS, 0)} s` : '';
  const gap = timeS.length > 1 ? `, up to ${round(gapS, 1)} s apart` : '';
  const text = `${timeS.length} frames were sampled${gap}: shorter events may be missed and start and end times are approximate${unchanged}; ${USE_THINKING}`;
  return [{ text, recall: SPARSE_RECALL }];
};
