import type { EventFields, EventSummary } from '#features/analyses/index';
import type { AuditActor } from '#features/audit/index';
import type { DomainEvents } from '#features/events/index';
import type { Transaction } from '#platform/db/index';
import type { Caller, Domain } from '#platform/http/index';
import type { LabelCounts, LabelImport } from './labels/index.ts';
import type { Samples } from './samples/index.ts';
import type { FolderReview } from './schema.ts';
import type { ScoreFilter } from './scores/score-store.ts';
import type { Score } from './scores/scores.ts';
import type { HistoryEntry, ReviewChange } from './types.ts';

type ReviewedEvent = Domain<typeof EventSummary>;

export interface Review {
  /** Throws `event_not_found` (404), `analysis_forbidden` or `key_limited` (403). */
  get(caller: Caller, eventId: string): Promise<ReviewedEvent>;
  /**
   * Applies one change to several events, in one transaction. Returns them. Throws `review_empty`,
   * `event_range_invalid` (400), `event_not_found` (404), `analysis_forbidden` or `key_limited` (403).
   */
  change(caller: Caller, eventIds: readonly string[], change: ReviewChange, by: AuditActor): Promise<ReviewedEvent[]>;
  /** Adds an event that the analysis missed, approved by the caller. Throws as `change` does. */
  add(caller: Caller, videoId: string, analysisId: string, event: EventFields, by: AuditActor): Promise<ReviewedEvent>;
  /**
   * Compares labels with the events of analyses: those that match are approved, others are added, all in one
   * transaction; one undo takes all of it back. Throws as `change` does.
   */
  importLabels(caller: Caller, labels: LabelImport, by: AuditActor): Promise<LabelCounts>;
  /**
   * Undoes the caller's last request that changed or added events. Returns these. Throws `nothing_to_undo` or
   * `review_superseded` (409).
   */
  undo(caller: Caller, by: AuditActor): Promise<ReviewedEvent[]>;
  /** Changes of an event, newest first. Throws as `get` does. */
  history(caller: Caller, eventId: string): Promise<HistoryEntry[]>;
  /**
   * Assigns events to a member for some seconds, those that nobody else works on. Throws as `get` does, or
   * `reviewer_not_found` (404).
   */
  assign(
    caller: Caller,
    eventIds: readonly string[],
    assignment: { userId: string | null; seconds: number },
  ): Promise<{ eventIds: string[]; assignedUntil: Date }>;
  release(caller: Caller, eventIds: readonly string[]): Promise<{ eventIds: string[]; assignedUntil: null }>;
  /**
   * Scores of the prompts whose events were reviewed and that the caller may see. Throws `folder_not_found` (404) or
   * `folder_forbidden` (403).
   */
  scores(caller: Caller, filter: ScoreFilter): Promise<Score[]>;
  /** Random ranges without events, and what reviewers saw in them. */
  samples: Samples;
  /** Throws `folder_not_found` (404) or `folder_forbidden` (403). */
  getFolder(caller: Caller, folderId: string): Promise<FolderReview>;
  /** The same; also `folder_read_only` (403). */
  setReviewers(caller: Caller, folderId: string, reviewers: number, by: AuditActor): Promise<FolderReview>;
  /** Handler of a domain event of the videos room; `compose.ts` subscribes it. */
  onVideoErased(trx: Transaction, event: DomainEvents['video.erased']): Promise<void>;
}
