import type { Approval, EventFields } from '#features/analyses/index';

/**
 * Values that a reviewer sets on an event: `approval` and `reason` are the reviewer's own verdict, and `pending`
 * withdraws it.
 */
export type ReviewValues = EventFields & { approval: Approval; reason: string | null };

export type ReviewChange = Partial<ReviewValues>;

/** Values before and after a change, those that differ. */
export type ReviewDiff = { before: ReviewChange; after: ReviewChange };

export type ChangeKind = 'changed' | 'added' | 'undone';

/** A change of an event in its history. */
export type HistoryEntry = {
  changeId: string;
  actionId: string;
  kind: ChangeKind;
  userId: string;
  userName: string | null;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  undone: boolean;
  createdAt: Date;
};
