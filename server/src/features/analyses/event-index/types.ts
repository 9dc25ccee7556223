export type Severity = 'low' | 'medium' | 'high';

/** An event of a completed analysis. Times are seconds from the first frame. */
export type IndexedEvent = {
  analysisId: string;
  /** Index of the event in its document. */
  position: number;
  videoId: string;
  videoDurationS: number | null;
  folderId: string | null;
  folderName: string | null;
  batchId: string | null;
  query: string;
  type: string;
  label: string;
  severity: string;
  confidence: number;
  startS: number;
  endS: number;
  /** Name of its evidence image; null without one. */
  image: string | null;
  createdAt: Date;
};

export type EventSort = '-created_at' | '-confidence';

/** Conditions that all must hold; null or absent: any. */
export type EventFilter = {
  /** Words of the label, the type or the prompt. */
  q?: string | null;
  folderId?: string | null;
  videoId?: string | null;
  batchId?: string | null;
  label?: string | null;
  type?: string | null;
  severity?: Severity | null;
  minConfidence?: number | null;
  createdAfter?: Date | null;
  createdBefore?: Date | null;
};

export type FacetValue = { value: string; count: number };
