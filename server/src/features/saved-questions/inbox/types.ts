import type { Approval } from '#features/analyses/index';

/** An alert of a saved question, with its event. Times are seconds from the first frame. */
export type ListedAlert = {
  id: string;
  questionId: string;
  questionName: string;
  /** Null for an event of a livestream before its recording has an analysis. */
  analysisId: string | null;
  /** That of the event in the analysis; null for an event of a livestream. */
  position: number | null;
  /** The session of an event of a livestream; null for other events. */
  sessionId: string | null;
  /** Id of the event in the session. */
  liveEventId: string | null;
  videoId: string;
  videoName: string;
  label: string;
  confidence: number;
  startS: number;
  endS: number;
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
