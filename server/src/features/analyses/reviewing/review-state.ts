import { rounded } from '#platform/numbers';
import { formatTimecode } from '../document.ts';
import type { Approval, Severity } from '../event-index/index.ts';
import type { EventState, ListedEvent, ReviewerVerdict, Verdict } from './types.ts';

type Times = { start_s: number; end_s: number; start_pts: number; end_pts: number };
type Original = Times & { label: string; severity: Severity };
type VerdictJson = { user_id: string; verdict: Verdict; reason: string | null; reviewed_at: string };

/** The field `review` of an event in a document, in both of its forms. */
export type ReviewJson = {
  verdicts: VerdictJson[];
  /** Reason of the verdict that decided; null without one. */
  reason: string | null;
  note: string | null;
  /** Verdicts of reviewers differ, and none has the required number. */
  disputed: boolean;
  /** A person added the event, because the analysis missed it. */
  added: boolean;
  /** File of labels that the event is from; absent for others. */
  origin?: string;
  /** The report of the engine, if a reviewer changed it. */
  original: Original | null;
};

export type StoredEvent = {
  description: string;
  severity: Severity;
  time: string;
  end_time: string;
  start_s: number;
  end_s: number;
  approval: Approval;
  review?: ReviewJson;
  data: { start_pts: number; end_pts: number; time_base: [number, number] };
};

export type ReadableEvent = Times & {
  label: string;
  description: string;
  severity: Severity;
  t_start: string;
  t_end: string;
  approval: string;
  review?: ReviewJson;
};

/** The state of an event in its stored form. */
export function readState({ description, severity, start_s, end_s, review }: StoredEvent): EventState {
  return {
    label: description,
    severity,
    startS: start_s,
    endS: end_s,
    note: review?.note ?? null,
    verdicts: (review?.verdicts ?? []).map(({ user_id, verdict, reason, reviewed_at }) => ({
      userId: user_id,
      verdict,
      reason,
      reviewedAt: new Date(reviewed_at),
    })),
  };
}

/** An event in its stored form, with its position in the document. */
export function listEvent(event: StoredEvent, position: number): ListedEvent {
  const { added = false, original = null } = event.review ?? {};
  return {
    position,
    state: readState(event),
    approval: event.approval,
    added,
    original: original && { label: original.label, startS: original.start_s, endS: original.end_s },
  };
}

/**
 * The latest verdict that at least `required` reviewers share, and its latest reason; `pending` without one. With one
 * reviewer the latest verdict decides, with two the first one that two people agree on.
 */
export function decide(
  verdicts: readonly ReviewerVerdict[],
  required: number,
): { approval: Approval; reason: string | null; disputed: boolean } {
  const latestFirst = verdicts.toSorted((a, b) => b.reviewedAt.getTime() - a.reviewedAt.getTime());
  const decided = latestFirst.find(({ verdict }) => verdicts.filter((v) => v.verdict === verdict).length >= required);
  if (decided) {
    const reason = latestFirst.find((v) => v.verdict === decided.verdict && v.reason !== null)?.reason ?? null;
    return { approval: decided.verdict, reason, disputed: false };
  }
  return { approval: 'pending', reason: null, disputed: new Set(verdicts.map(({ verdict }) => verdict)).size > 1 };
}

/** Writes a state into both forms of an event. The first change keeps what the engine reported as `original`. */
export function writeState(
  { stored, readable }: { stored: StoredEvent; readable: ReadableEvent },
  state: EventState,
  options: { required: number; added?: boolean; origin?: string | null },
): void {
  const original = stored.review?.original ?? currentOf(stored);
  const { approval, ...decision } = decide(state.verdicts, options.required);
  const [numerator, denominator] = stored.data.time_base;
  const pts = (from: number, fromPts: number, to: number) =>
    fromPts + Math.round(((to - from) * denominator) / numerator);
  const [startS, endS] = [rounded(state.startS), rounded(state.endS)];
  const times = {
    start_s: startS,
    end_s: endS,
    start_pts: pts(original.start_s, original.start_pts, startS),
    end_pts: pts(original.end_s, original.end_pts, endS),
  };
  const origin = options.origin ?? stored.review?.origin;
  const isOriginal =
    state.label === original.label &&
    state.severity === original.severity &&
    startS === original.start_s &&
    endS === original.end_s;
  const review: ReviewJson = {
    verdicts: state.verdicts.map(({ userId, verdict, reason, reviewedAt }) => ({
      user_id: userId,
      verdict,
      reason,
      reviewed_at: reviewedAt.toISOString(),
    })),
    ...decision,
    note: state.note,
    added: options.added ?? stored.review?.added ?? false,
    ...(origin !== undefined && { origin }),
    original: isOriginal ? null : original,
  };
  const shared = { description: state.label, severity: state.severity, approval, review };
  Object.assign(stored, shared, {
    start_s: startS,
    end_s: endS,
    time: `t=${startS.toFixed(3)}`,
    end_time: `t=${endS.toFixed(3)}`,
  });
  Object.assign(stored.data, { start_pts: times.start_pts, end_pts: times.end_pts });
  Object.assign(readable, shared, times, {
    label: state.label,
    t_start: formatTimecode(startS),
    t_end: formatTimecode(endS),
  });
}

const currentOf = ({ description, severity, start_s, end_s, data: { start_pts, end_pts } }: StoredEvent): Original => ({
  label: description,
  severity,
  start_s,
  end_s,
  start_pts,
  end_pts,
});
