import type { Approval } from '#features/analyses/index';
import type { DomainEvents } from '#features/events/index';

/** An alert of a saved question, with its event. Times are seconds from the first frame. */
export type ListedAlert = {
  id: string;
  /** Null for a fault of a camera. */
  questionId: string | null;
  questionName: string | null;
  /** The camera and its fault; null for other alerts. */
  camera: { id: string; name: string } | null;
  faultKind: DomainEvents['camera.fault']['kind'] | null;
  /** Null for an event of a livestream before its recording has an analysis. */
  analysisId: string | null;
  /** That of the event in the analysis; null for an event of a livestream. */
  position: number | null;
  /** The session of an event of a livestream; null for other events. */
  sessionId: string | null;
  /** Id of the event in the session. */
  liveEventId: string | null;
  /** Null for a fault of a camera. */
  videoId: string | null;
  videoName: string | null;
  label: string;
  /** Null for a fault of a camera. */
  confidence: number | null;
  startS: number | null;
  endS: number | null;
  approval: Approval;
  /** Further events of the video that it stands for. */
  otherEvents: number;
  /** True if the user has seen it. */
  isRead: boolean;
  /** True if the user has muted its question. */
  isMuted: boolean;
  createdAt: Date;
};

/** A question whose alerts a user does not want to be shown. `mutedUntil` null: until the user ends it. */
export type AlertMute = { questionId: string; questionName: string; mutedUntil: Date | null };
