import type { Revision } from './answer.ts';
import { find, type IntervalMatch, type Scene, type SearchMatches, uncheckedText } from './find/index.ts';
import type { Plan, PlannedSearch, Unchecked } from './plan/index.ts';
import type { ReviewItem, ReviewVerdict, VerifyMode } from './vision/index.ts';
import {
  detailsOfTrack,
  isOrdered,
  isVerifiable,
  MOST_REMARKED,
  MOST_REVIEWS,
  visibleRemarks,
} from './vision/index.ts';

/** Matches below this confidence are in doubt. */
const DOUBTFUL = 0.75;
const FRAMES = 5;

/**
 * Selects what observers found for verification by a vision-language model: with `auto` what is in doubt, the surest
 * first. Only what frames can show is verified, not sounds or measurements. Of searches with remarks that frames may
 * show, the object is shown enlarged.
 */
export function selectReview(plan: Plan, scene: Scene, mode: VerifyMode, minConfidence?: number): ReviewItem[] {
  if (mode === 'never') return [];
  const found = find(plan, scene, minConfidence)
    .filter(({ search }) => isVerifiable(search))
    .flatMap(({ search, matches, candidates }) => {
      const hasRemarks = visibleRemarks(search).length > 0;
      return [
        ...matches.map((match) => ({ search, match, hasRemarks, isCandidate: false })),
        ...candidates.map((match) => ({ search, match, hasRemarks, isCandidate: true })),
      ];
    })
    .filter(
      ({ match, isCandidate }) =>
        mode === 'always' || isCandidate || match.confidence < DOUBTFUL || (match.caveats ?? []).length > 0,
    )
    .toSorted((a, b) => b.match.confidence - a.match.confidence);
  const remarked = found.filter(({ hasRemarks }) => hasRemarks).slice(0, MOST_REMARKED[mode]);
  const others = found.filter(({ hasRemarks }) => !hasRemarks).slice(0, MOST_REVIEWS[mode]);
  return [...remarked, ...others].map(({ search, match, hasRemarks }) => {
    const frames = framesOf(match, scene);
    return {
      key: keyOf(match, search),
      text: search.text,
      frames,
      isOrdered: isOrdered(search.text),
      confidence: match.confidence,
      ...(hasRemarks ? { details: detailsOf(match, frames, scene) } : {}),
    };
  });
}

/** Gives matches that were verified their new confidence, and states which remarks the model checked. */
export function reviseBy(verdicts: ReadonlyMap<string, ReviewVerdict>): Revision {
  return {
    revise(match, search) {
      const verdict = verdicts.get(keyOf(match, search));
      if (!verdict) return match;
      const { verification, confidence, isProven } = verdict;
      const caveats = isProven ? withoutRemarks(match.caveats ?? [], search, verification) : (match.caveats ?? []);
      return { ...match, confidence, verification, caveats: [...caveats, ...verdict.caveats] };
    },
    reviseResults: (results) => results.map((result) => withCheckedRemarks(result, verdicts)),
  };
}

/** Removes the remarks that the model confirmed or denied. */
function withoutRemarks(
  caveats: readonly string[],
  search: PlannedSearch,
  { status, by }: ReviewVerdict['verification'],
): string[] {
  const remarks = visibleRemarks(search);
  if (status === 'unverified' || remarks.length === 0) return [...caveats];
  const left = caveats.filter((caveat) => !remarks.some((remark) => isAbout(caveat, remark)));
  return status === 'verified' ? left : [...left, `${by} does not see "${search.text}" in these frames`];
}

/** True if a caveat or reason states a remark: `"dark": …`. */
const isAbout = (caveat: string, remark: Unchecked) => caveat === uncheckedText(remark);

/** Replaces remarks by what the model was shown and answered, if chance does not explain its answers. */
function withCheckedRemarks(result: SearchMatches, verdicts: ReadonlyMap<string, ReviewVerdict>): SearchMatches {
  const { search, matches, candidates, outcomes } = result;
  const remarks = visibleRemarks(search);
  const all = [...matches, ...candidates];
  const own = all.flatMap((match) => verdicts.get(keyOf(match, search)) ?? []).filter(({ isProven }) => isProven);
  if (remarks.length === 0 || own.length === 0) return result;
  const count = (status: string) => own.filter(({ verification }) => verification.status === status).length;
  const { by } = own[0]!.verification;
  const words = remarks.map(({ text }) => `"${text}"`).join(', ');
  const checked = `${words}: ${by} was shown ${own.length} of ${all.length} places with all words, confirmed ${count('verified')} and denied ${count('refuted')}`;
  const isOpen = (each: Unchecked) => !remarks.includes(each);
  const steps = search.steps.map((step) => ({ ...step, unchecked: step.unchecked.filter(isOpen) }));
  return {
    ...result,
    search: { ...search, steps },
    outcomes: outcomes.map((outcome): SearchMatches['outcomes'][number] => {
      const stated = outcome.step.unchecked.filter((each) => remarks.some(({ text }) => text === each.text));
      if (stated.length === 0) return outcome;
      const reasons = outcome.reasons.filter((reason) => !stated.some((remark) => isAbout(reason, remark)));
      const unchecked = outcome.step.unchecked.filter((each) => !stated.includes(each));
      return {
        ...outcome,
        step: { ...outcome.step, unchecked },
        by: [...new Set([...outcome.by, by])],
        reasons: [...reasons, checked],
      };
    }),
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

/** The object of a match that has one, enlarged. */
function detailsOf({ tracks }: IntervalMatch, frames: ReturnType<typeof framesOf>, scene: Scene) {
  const subjects = tracks.filter(({ role }) => role === 'subject');
  const [subject] = subjects;
  if (!subject || subjects.length > 1) return [];
  const { objects } = scene.observationsOf(subject.track);
  return objects ? detailsOfTrack(subject.track, objects.timeS, frames) : [];
}
