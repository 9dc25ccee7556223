import type { CalendarFilter } from '#features/videos/index';

export type Severity = 'low' | 'medium' | 'high';

/** Review state of an event. */
export type Approval = 'pending' | 'approved' | 'rejected' | 'unsure';

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
  /** When it was recorded; null if that is unknown. */
  startAt: Date | null;
  endAt: Date | null;
  /** Time zone of the place; null if it is unknown. */
  timeZone: string | null;
  /** Name of its evidence image; null without one. */
  image: string | null;
  approval: Approval;
  /** The field `review` of its document; null until somebody reviews it. */
  review: Record<string, unknown> | null;
  leaseUserId: string | null;
  leaseUntil: Date | null;
  createdAt: Date;
  /** Shared by all events that show the same incident; null until it is computed. */
  incidentId: string | null;
};

/** Where an event contains words of a search. Times, in seconds from the first frame, of what is spoken or read. */
export type SourceMatch = {
  source: 'label' | 'type' | 'prompt' | 'caption' | 'transcript' | 'text' | 'tag' | 'note';
  text: string;
  startS: number | null;
  endS: number | null;
};

/** An event by its analysis and its index in the document. */
export type EventKey = { analysisId: string; position: number };

export type EventSort = '-created_at' | '-confidence' | 'confidence';

/** Conditions that all must hold; null or absent: any. */
export type EventFilter = CalendarFilter & {
  /**
   * Words of the label, the type, the prompt, what is spoken or read during the event, notes of reviewers, or tags of
   * the video.
   */
  q?: string | null;
  /** Only these events. */
  events?: readonly EventKey[] | null;
  folderId?: string | null;
  videoId?: string | null;
  /** Only events of these videos. */
  videoIds?: readonly string[] | null;
  batchId?: string | null;
  /** Only events of this incident. */
  incidentId?: string | null;
  label?: string | null;
  type?: string | null;
  severity?: Severity | null;
  minConfidence?: number | null;
  approval?: Approval | null;
  /** Only events that people added. */
  added?: boolean | null;
  /** Only events whose reviewers disagree. */
  disputed?: boolean | null;
  /** Only events that wait for a verdict of the caller: pending, without one of theirs, and leased to nobody else. */
  toReview?: boolean | null;
  /** Only events that are leased to the caller. */
  assigned?: boolean | null;
  createdAfter?: Date | null;
  createdBefore?: Date | null;
};

/** An event with its video and its stored form. */
export type EventWithDocument = Omit<IndexedEvent, 'position' | 'image' | 'review' | 'leaseUserId' | 'leaseUntil'> & {
  eventId: string;
  videoName: string;
  /** Pixels; null if unknown. */
  width: number | null;
  height: number | null;
  frameRate: number | null;
  /** Its element of `analysis.events` in the document. */
  stored: Record<string, unknown>;
};

export type FacetValue = { value: string; count: number };

/**
 * Events of a video: their number, that of the incidents that they show, those of both that wait for a verdict, and the
 * most frequent labels.
 */
export type VideoEventCount = {
  count: number;
  incidents: number;
  pendingIncidents: number;
  pending: number;
  labels: FacetValue[];
};
