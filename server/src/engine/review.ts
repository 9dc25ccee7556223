import { find, type IntervalMatch, type ReviseMatch, type Scene } from './find/index.ts';
import type { Plan, PlannedSearch } from './plan/index.ts';
import type { ReviewItem, ReviewVerdict, VerifyMode } from './vision/index.ts';
import { isOrdered, isVerifiable, MOST_REVIEWS } from './vision/index.ts';

/** Matches below this confidence are in doubt. */
const DOUBTFUL = 0.75;
const FRAMES = 5;

/**
 * Selects what observers found for verification by a vision-language model: with `auto` what is in doubt, the surest
 * first. Only what frames can show is verified, not sounds or measurements.
 */
export function selectReview(plan: Plan, scene: Scene, mode: VerifyMode, minConfidence?: number): ReviewItem[] {
  if (mode === 'never') return [];
  const found = find(plan, scene, minConfidence)
    .filter(({ search }) => isVerifiable(search))
    .flatMap(({ search, matches, candidates }) => [
      ...matches.map((match) => ({ search, match, isCandidate: false })),
      ...candidates.map((match) => ({ search, match, isCandidate: true })),
    ])
    .filter(
      ({ match, isCandidate }) =>
        mode === 'always' || isCandidate || match.confidence < DOUBTFUL || (match.caveats ?? []).length > 0,
    )
    .toSorted((a, b) => b.match.confidence - a.match.confidence);
  return found.slice(0, MOST_REVIEWS[mode]).map(({ search, match }) => ({
    key: keyOf(match, search),
    text: search.text,
    frames: framesOf(match, scene),
    isOrdered: isOrdered(search.text),
    confidence: match.confidence,
  }));
}

/** Gives matches that were verified their new confidence. */
export function reviseMatches(verdicts: ReadonlyMap<string, ReviewVerdict>): ReviseMatch {
  return (match, search) => {
    const verdict = verdicts.get(keyOf(match, search));
    if (!verdict) return match;
    const { verification, confidence } = verdict;
    return { ...match, confidence, verification, caveats: [...(match.caveats ?? []), ...verdict.caveats] };
  };
}

function keyOf({ start, end, tracks }: IntervalMatch, { text }: PlannedSearch): string {
  return `${text} ${start.pts} ${end.pts} ${tracks.map(({ track, from }) => `${track.id}:${from}`).join(',')}`;
}

function framesOf({ start, end, best }: IntervalMatch, scene: Scene) {
  const even = Array.from({ length: FRAMES - 1 }, (_, i) =>
    scene.frameTimeAt(start.timeS + ((end.timeS - start.timeS) * i) / (FRAMES - 2)),
  );
  return [...new Map([...even, best].map((frame) => [frame.pts, frame])).values()].toSorted((a, b) => a.pts - b.pts);
}
