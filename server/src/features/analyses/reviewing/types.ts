import type { Approval, Severity } from '../event-index/index.ts';

export type Verdict = Exclude<Approval, 'pending'>;

/** The latest verdict of a reviewer on an event. */
export type ReviewerVerdict = { userId: string; verdict: Verdict; reason: string | null; reviewedAt: Date };

/** Fields of an event that reviewers change. Times are seconds from the first frame. */
export type EventFields = { label: string; severity: Severity; startS: number; endS: number; note: string | null };

/** An event as reviewers see it. */
export type EventState = EventFields & { verdicts: readonly ReviewerVerdict[] };

/** An event that was missed by the analysis. `origin`: the file of labels that it is from; null: entered by hand. */
export type AddedEvent = EventFields & { addedBy: string; origin: string | null };

/** An event in the list of its analysis. */
export type ListedEvent = {
  position: number;
  state: EventState;
  approval: Approval;
  /** A person added it. */
  added: boolean;
  /** Values before reviewers changed it; null if they did not. */
  original: Pick<EventFields, 'label' | 'startS' | 'endS'> | null;
};
