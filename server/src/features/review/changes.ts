import type { EventState } from '#features/analyses/index';
import type { ReviewChange, ReviewDiff, ReviewValues } from './types.ts';

/** The change that takes an added event back. It keeps its place, so that the ids of others stay valid. */
export const WITHDRAWN = { approval: 'rejected', reason: 'withdrawn' } as const;

/** The fields of an event and the verdict of this reviewer. */
export function valuesOf({ verdicts, ...fields }: EventState, userId: string): ReviewValues {
  const own = verdicts.find((verdict) => verdict.userId === userId);
  return { ...fields, approval: own?.verdict ?? 'pending', reason: own?.reason ?? null };
}

/** Applies a change by a reviewer. A new verdict without a reason has none, and a withdrawn one is removed. */
export function applyChange(
  state: EventState,
  { approval, reason, ...fields }: ReviewChange,
  userId: string,
): EventState {
  const own = state.verdicts.find((verdict) => verdict.userId === userId);
  const next = { ...state, ...fields };
  const verdict = approval ?? own?.verdict;
  if (approval === undefined && reason === undefined) return next;
  const others = state.verdicts.filter((each) => each !== own);
  if (verdict === undefined || verdict === 'pending') return { ...next, verdicts: others };
  return { ...next, verdicts: [...others, { userId, verdict, reason: reason ?? null, reviewedAt: new Date() }] };
}

/** The values that differ; null if none does. */
export function diff(before: ReviewValues, after: ReviewValues): ReviewDiff | null {
  const names = (Object.keys(after) as (keyof ReviewValues)[]).filter((name) => before[name] !== after[name]);
  if (names.length === 0) return null;
  const pick = (values: ReviewValues): ReviewChange => Object.fromEntries(names.map((name) => [name, values[name]]));
  return { before: pick(before), after: pick(after) };
}

/** True if the event still has the values that a change left. */
export const isUnchangedSince = (now: ReviewValues, after: ReviewChange): boolean =>
  (Object.keys(after) as (keyof ReviewValues)[]).every((name) => now[name] === after[name]);
