import type { Step } from '../plan/index.ts';
import { mergeMatches } from './actions/index.ts';
import { needsPoses } from './actions/poses/pose-actions.ts';
import { cutPresences } from './counting/occupancy.ts';
import { clock } from './format.ts';
import { textsOf } from './limits/index.ts';
import { isInRange } from './scene.ts';
import { isVisual, SPARSE_RECALL, USE_THINKING } from './sparse-search.ts';
import type { Excerpt, FrameTime, IntervalMatch, LimitDescriber, Scene, StepOutcome } from './types.ts';

/** Matches and outcome of one step in one scene. */
export type StepFinding = {
  outcome: StepOutcome;
  matches: IntervalMatch[];
  /** For an absence: its matches if these objects do not count. */
  matchesWithout?: (ids: ReadonlySet<number>) => IntervalMatch[];
};

/** Most ranges that coverage lists. */
const MAX_LISTED = 6;

/** True if parts of a video can show a step: not what never or always holds. */
export const isFoundInRanges = ({ what, negated, throughout }: Step): boolean =>
  !negated && !throughout && isVisual(what) && !(what.kind === 'object' && needsPoses(what.action));

/**
 * Joins what a step found in the sampled frames of a whole video with what it found in the dense ranges. In these the
 * latter counts: a match of sampled frames inside a range is dropped, one that reaches beyond it absorbs those that it
 * overlaps.
 */
export function joinDenseRanges(
  sampled: StepFinding,
  dense: readonly StepFinding[],
  scene: Scene,
  part: Excerpt,
): StepFinding {
  const isSearched = ({ outcome }: StepFinding) => outcome.status !== 'not_looked_for';
  const searched = dense.filter(isSearched);
  const known = scene.denseRanges.filter((_, i) => isSearched(dense[i]!)).map(edgesOf);
  const [first] = searched;
  if (!first) return sampled;
  const isSampled = sampled.outcome.status !== 'not_looked_for';
  const found = searched.flatMap(({ matches }) => matches);
  const reaching = sampled.matches.filter(({ start, end }) => !isInside(scene, start.timeS, end.timeS));
  const absorbed = new Set<IntervalMatch>();
  const joined = reaching.map((match) => {
    const overlapped = found.filter(
      ({ start, end }) => start.timeS <= match.end.timeS && end.timeS >= match.start.timeS,
    );
    for (const one of overlapped) absorbed.add(one);
    return overlapped.length > 0 ? absorb(match, overlapped, known) : match;
  });
  const matches = [...joined, ...found.filter((match) => !absorbed.has(match))];
  const outcomes = [...(isSampled ? [sampled] : []), ...searched].map(({ outcome }) => outcome);
  const { missing, ...own } = (isSampled ? sampled : first).outcome;
  const isMissing = missing !== undefined && outcomes.every((each) => each.missing !== undefined);
  return {
    matches: matches.toSorted((a, b) => a.start.timeS - b.start.timeS),
    outcome: {
      ...own,
      ...(isMissing ? { missing } : {}),
      status: 'partly',
      by: [...new Set(outcomes.flatMap(({ by }) => by))],
      reasons: [
        ...new Set([...outcomes.flatMap(({ reasons }) => reasons), ...textsOf(describeRanges({ isSampled }, part))]),
      ],
      matchCount: matches.length,
      recall: SPARSE_RECALL,
      detectorRecall: Math.min(...outcomes.map(({ detectorRecall }) => detectorRecall)),
    },
  };
}

const isInside = ({ denseRanges }: Scene, fromS: number, untilS: number) =>
  denseRanges.some((range) => isInRange(range, fromS) && isInRange(range, untilS));

/** Merges a match of sampled frames with those of dense ranges that it overlaps. In `known` ranges only these count. */
function absorb(sampled: IntervalMatch, dense: readonly IntervalMatch[], known: readonly Edges[]): IntervalMatch {
  const presences = [...cutPresences(sampled.presences, known), ...dense.flatMap((match) => match.presences)];
  return { ...mergeMatches([sampled, ...dense]), presences, isSampled: true };
}

type Edges = { start: FrameTime; end: FrameTime };

/** First and last frame of a dense range, at the times of its edges. */
function edgesOf({ observations: { video }, frameTimeAfter, frameTimeAt }: Scene): Edges {
  const { fromS, untilS } = video.range!;
  return { start: { ...frameTimeAfter(fromS), timeS: fromS }, end: { ...frameTimeAt(untilS), timeS: untilS } };
}

/** Coverage note: the ranges of which every frame was processed, and what was not done in the rest. */
const describeRanges: LimitDescriber<{ isSampled: boolean }> = ({ isSampled }, { denseRanges: ranges, lengthS }) => {
  const totalS = ranges.reduce((sum, { fromS, untilS }) => sum + untilS - fromS, 0);
  const listed = ranges.slice(0, MAX_LISTED).map(({ fromS, untilS }) => `${clock(fromS)} to ${clock(untilS)}`);
  const more = ranges.length > MAX_LISTED ? ` and ${ranges.length - MAX_LISTED} more` : '';
  const rest = isSampled ? '' : `; motion and changes were not looked for in the rest: ${USE_THINKING}`;
  const share = `${clock(totalS)} of ${clock(lengthS)}`;
  return [{ text: `every frame was processed in ${share} (${listed.join(', ')}${more})${rest}` }];
};
