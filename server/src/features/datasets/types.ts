import type { Approval } from '#features/analyses/index';

export type AnalysisType = 'ask' | 'agent' | 'unanalyzed';

/** A dataset as it is stored. */
export type Dataset = {
  id: string;
  orgId: string;
  ownerId: string;
  /** `org`: everyone in the organization may read it; it then has shared batches and videos only. */
  scope: 'user' | 'org';
  name: string;
  searchDescription: string;
  /** A label of existing clients; it does not affect the content. */
  analysisType: AnalysisType;
  /** Field of work that a client stated; null without one. It does not affect the content. */
  vertical: string | null;
  /** In the order in which they were added; some may be deleted. */
  batchIds: string[];
  /** Videos without analyses, in the same way. */
  videoIds: string[];
  createdAt: Date;
  updatedAt: Date;
};

/** Events by review state. */
export type EventCounts = Record<Approval | 'total', number>;

/** Counts of the analyses and events of a batch that a download has. */
export type BatchCounts = { isProcessing: boolean; videoCount: number; eventCounts: EventCounts };

/** A dataset with the current state of its batches and videos. */
export type DatasetWithState = Dataset & {
  /** `processing`: a batch has not ended; `error`: a batch was deleted, the others can be downloaded. */
  status: 'processing' | 'ready' | 'error';
  /** Batches that have ended. */
  processingProgress: { completed: number; total: number };
  failedBatches: { batchId: string; error: string }[];
  totals: { batchCount: number; videoCount: number; clipCount: number; eventCounts: EventCounts };
};
