import {
  find,
  isFoundInRanges,
  isRecognizedSound,
  isVisual,
  needsConsecutiveFrames,
  type Scene,
  showsPoses,
} from '../find/index.ts';
import type { ObservationKind, TimeRange } from '../observe/observations.ts';
import { type Plan, type PlannedSearch, picturableSearches, type QuestionKind, type Step } from '../plan/index.ts';
import { cellsOutside, joinCells, selectPromisingRanges } from './promising-ranges.ts';

/** Which frames of a video an observation covers: a sample, or all of them. */
export type Pass = 'sparse' | 'dense';

/**
 * Videos up to this length, in seconds, are observed densely in fast mode too: ten minutes of 1080p take two processor
 * cores about a minute.
 */
export const SHORT_S = 600;

/** Questions that need every object and every start and end, which samples do not show. */
const COMPLETE: ReadonlySet<QuestionKind> = new Set([
  'count',
  'how_often',
  'how_long',
  'time_between',
  'which_way',
  'calculation',
]);

/** Returns the first pass of fast mode: dense if a part of the plan needs it and the video is short. */
export function selectFirstPass(plan: Plan, durationS: number | null): Pass {
  const isShort = durationS !== null && durationS <= SHORT_S;
  return isShort && plan.searches.some((search) => isSearchable(search) && needsDensePass(search, plan))
    ? 'dense'
    : 'sparse';
}

/** Parts to observe densely after a sparse pass: the whole video, some ranges of it, or nothing. */
export type CloserLook = 'whole' | TimeRange[] | null;

/**
 * Selects what to observe densely if the sparse pass has left a search without an answer that a dense pass may give:
 * one that needs consecutive frames, or has no match of at least `minConfidence`, because the sampled frames may have
 * missed it. All of a short video; of a long one the most promising ranges that were not observed yet.
 */
export function selectCloserLook(plan: Plan, scene: Scene, minConfidence?: number): CloserLook {
  const { sparsePass, telemetry, video } = scene.observations;
  if (!sparsePass || telemetry?.blank) return null;
  const open = findOpenSearches(plan, scene, minConfidence);
  if (video.durationS <= SHORT_S) return open.length > 0 ? 'whole' : null;
  const observed = scene.denseRanges.map(({ observations }) => observations.video.range!);
  const searches = open.filter(({ steps }) => steps.some(isFoundInRanges));
  if (searches.length === 0) return null;
  const ranges = joinCells(cellsOutside(selectPromisingRanges(searches, plan, scene), observed));
  return ranges.length > 0 ? ranges : null;
}

/** Searches without an answer that a dense pass may give. */
function findOpenSearches(plan: Plan, scene: Scene, minConfidence?: number): PlannedSearch[] {
  const { sparsePass } = scene.observations;
  const open = find(plan, scene, minConfidence).filter(({ search, matches, outcomes }) => {
    if (!isSearchable(search) || !search.steps.some(({ what }) => isVisual(what))) return false;
    if (
      search.steps.some(({ what }) => what.kind === 'object' || what.kind === 'traffic_light') &&
      !sparsePass?.objects
    )
      return false;
    const isImpossible = outcomes.some(
      ({ step, status }) => status === 'not_looked_for' && !needsConsecutiveFrames(step.what),
    );
    return !isImpossible && (matches.length === 0 || needsDensePass(search, plan));
  });
  return open.map(({ search }) => search);
}

const isSearchable = ({ steps }: PlannedSearch) => steps.every(({ unchecked }) => unchecked.every((u) => !u.blocks));

function needsDensePass({ steps, pick }: PlannedSearch, { question }: Plan): boolean {
  const isComplete = pick !== null || (question !== null && COMPLETE.has(question));
  return steps.some(
    (step) =>
      needsConsecutiveFrames(step.what) ||
      step.what.kind === 'notable' ||
      (isVisual(step.what) && (isComplete || needsExactTimes(step))),
  );
}

const needsExactTimes = ({ duration, join }: Step) => duration !== null || join !== null;

function onDemandFor(what: Step['what']): ObservationKind[] {
  if (what.kind === 'object') return showsPoses(what.action) ? ['fine_objects', 'poses'] : ['fine_objects'];
  if (what.kind === 'text') return ['text'];
  if (what.kind === 'speech') return ['subtitles', 'speech'];
  if (what.kind === 'sound' && what.sound === 'recognized') return ['sounds'];
  if (what.kind !== 'sound' || !isRecognizedSound(what.sound)) return [];
  // A transcript also has the times in which voices are heard.
  return what.sound === 'speech' ? ['sounds', 'speech'] : ['sounds'];
}

const VECTORS: readonly ObservationKind[] = ['embeddings', 'object_embeddings'];

/** Returns the observers on demand that a plan needs: their cost is not that of other prompts. */
export function selectOnDemand(plan: Plan): ObservationKind[] {
  const searchable = plan.searches.filter(isSearchable);
  const needed = searchable.flatMap(({ steps }) => steps.flatMap(({ what }) => onDemandFor(what)));
  // Without their model, vectors are not observed, and nothing but the candidates is missing.
  return [...new Set([...needed, ...(picturableSearches(plan).length > 0 ? VECTORS : [])])];
}

/** Targets that are found without the detector. */
const WITHOUT_DETECTOR: ReadonlySet<Step['what']['kind']> = new Set([
  'signal',
  'motion',
  'camera',
  'sound',
  'speech',
  'text',
  'quantity',
  'fact',
]);

/** True if the answer to a plan may depend on detected objects. */
export function needsDetector({ searches }: Plan): boolean {
  return (
    searches.length === 0 ||
    searches.some(({ steps, pick }) => pick === 'most' || steps.some(({ what }) => !WITHOUT_DETECTOR.has(what.kind)))
  );
}
