import type { Step } from '../plan/index.ts';
import { MAX_CONFIDENCE } from './confidence.ts';
import { LIMITS } from './thresholds.ts';
import type { IntervalMatch } from './types.ts';

/** Combines the matches of the steps of a sequence ("then", "while"), from the first step on. */
export function combineSequence(
  steps: readonly Step[],
  matchesByStep: readonly (readonly IntervalMatch[])[],
): IntervalMatch[] {
  let combined: IntervalMatch[] = matchesByStep[0]!.map((match) => match);
  for (let i = 1; i < steps.length; i++) {
    const step = steps[i]!;
    const next = matchesByStep[i]!.toSorted((a, b) => a.start.timeS - b.start.timeS);
    combined = step.join === 'while' ? intersectMatches(combined, next, step.same) : joinInOrder(combined, next, step);
  }
  return combined;
}

const lastStep = (match: IntervalMatch) => match.stepMatches.at(-1) ?? match;

function hasSameSubject(a: IntervalMatch, b: IntervalMatch): boolean {
  const ids = new Set(
    lastStep(a)
      .tracks.filter((t) => t.role === 'subject')
      .map((t) => t.track.id),
  );
  return b.tracks.some((t) => t.role === 'subject' && ids.has(t.track.id));
}

/** Joins each later match to the latest earlier one that starts before it and does not end too long before it. */
function joinInOrder(first: readonly IntervalMatch[], next: readonly IntervalMatch[], step: Step): IntervalMatch[] {
  const apart = step.apart ?? 0;
  const within = step.within ?? (step.apart === undefined ? LIMITS.sequenceGap.limit : Number.POSITIVE_INFINITY);
  const byStart = first.toSorted((a, b) => lastStep(a).start.timeS - lastStep(b).start.timeS);
  const used = new Set<IntervalMatch>();
  return next.flatMap((match) => {
    for (let i = byStart.length - 1; i >= 0; i--) {
      const before = byStart[i]!;
      const previous = lastStep(before);
      if (previous.start.timeS >= match.start.timeS - 1e-9 || used.has(before)) continue;
      const gap = match.start.timeS - previous.end.timeS;
      if (gap > within || (apart > 0 && gap < apart)) continue;
      if (step.same && !hasSameSubject(before, match)) continue;
      used.add(before);
      return [joinPair(before, match, before.start, match.end.timeS > before.end.timeS ? match.end : before.end)];
    }
    return [];
  });
}

/** Intervals in which two steps hold at once. */
function intersectMatches(
  first: readonly IntervalMatch[],
  next: readonly IntervalMatch[],
  same: boolean,
): IntervalMatch[] {
  return first.flatMap((a) =>
    next.flatMap((b) => {
      const start = a.start.timeS >= b.start.timeS ? a.start : b.start;
      const end = a.end.timeS <= b.end.timeS ? a.end : b.end;
      if (end.timeS < start.timeS || (same && !hasSameSubject(a, b))) return [];
      const best = [a.best, b.best].find((m) => m.timeS >= start.timeS && m.timeS <= end.timeS) ?? start;
      return [{ ...joinPair(a, b, start, end), best }];
    }),
  );
}

function joinPair(
  a: IntervalMatch,
  b: IntervalMatch,
  start: IntervalMatch['start'],
  end: IntervalMatch['end'],
): IntervalMatch {
  return {
    ...b,
    start,
    end,
    confidence: Math.min(MAX_CONFIDENCE, a.confidence * b.confidence),
    tracks: [...a.tracks, ...b.tracks],
    signals: [...a.signals, ...b.signals],
    reasons: [...a.reasons.slice(0, 2), ...b.reasons.slice(0, 2)],
    caveats: [...new Set([...(a.caveats ?? []), ...(b.caveats ?? [])])],
    stepMatches: [...(a.stepMatches.length > 0 ? a.stepMatches : [a]), b],
  };
}
