/** A daily interval without alerts, such as 22:00 to 06:00; it may cross midnight. */
export type QuietHours = {
  /** Local times of day, `HH:MM`; the end is exclusive. */
  from: string;
  to: string;
  /** IANA name, such as `Europe/Berlin`. */
  timeZone: string;
};

/** A daily summary of the day before. */
export type DigestSettings = {
  /** Local time of day, `HH:MM`. */
  at: string;
  /** IANA name. */
  timeZone: string;
};

/** Which events are announced, and when. */
export type AlertRule = {
  /** Only events whose label or kind contains one of these texts; empty: all. */
  labels: string[];
  /** Least confidence of an announced event; null: that of the query. */
  minConfidence: number | null;
  /** Least seconds between two alerts of a question; 0: each event is an alert. */
  cooldownS: number;
  quietHours: QuietHours | null;
  digest: DigestSettings | null;
};

/** Filters by the time of recording, as the API has them; the times are ISO 8601. */
export type RecordedFilter = {
  recordedAfter?: string | null;
  recordedBefore?: string | null;
  timeOfDay?: string | null;
  weekday?: string | null;
};

export type SavedQuestionSettings = {
  name: string;
  query: string;
  mode: 'fast' | 'thinking';
  minConfidence: number;
  verify: 'auto' | 'always' | 'never';
  /** Null: all videos that the owner may use. */
  folderId: string | null;
  /** IANA name or offset of days and times of day, in the prompt and in `recorded`; null: that of each video. */
  timeZone: string | null;
  /** When its videos must have been recorded; null: at any time, or it is not known when. */
  recorded: RecordedFilter | null;
  /** False: new videos are not analyzed. */
  enabled: boolean;
  /** Until then, no event is announced. */
  snoozedUntil: Date | null;
  /** Webhooks that receive its alerts and digests; null: all that want them. */
  webhookIds: string[] | null;
  rule: AlertRule;
};

export type SavedQuestion = SavedQuestionSettings & {
  id: string;
  orgId: string;
  ownerId: string;
  /** That of the folder; `org` without a folder. */
  scope: 'user' | 'org';
  /** Null without a folder, or if it was deleted. */
  folderName: string | null;
  ownerRemoved: boolean;
  /** The plan that its runs use, as it is stored; null if its words have none yet. */
  reading: { query: string } | null;
  /** Version of the engine that read the words; null without a reading. */
  readingVersion: string | null;
  /** Identifies the other reading that somebody decided not to accept. */
  declinedReading: string | null;
  lastAlertAt: Date | null;
  createdAt: Date;
};

/** The stored reading of a question, and the one that this version proposes. */
export type QuestionReading = {
  /** `declined`: somebody has decided to keep the stored reading; `unusable`: this version cannot run it. */
  state: 'current' | 'differs' | 'declined' | 'unusable';
  /** The stored reading in one sentence; null if this version cannot run it. */
  interpretation: string | null;
  engineVersion: string | null;
  /** Reason why this version cannot run it; null if it can. */
  problem: string | null;
  /** The other reading; null if there is none. */
  proposed: { readingId: string; interpretation: string; engineVersion: string } | null;
};

export type ReadingDecision = { readingId: string; decision: 'accept' | 'keep' };

export type RunStatus = 'waiting' | 'processing' | 'completed' | 'failed';

/** Reason why matching events of a run were not announced. */
export type Silence = 'not_requested' | 'paused' | 'snoozed' | 'quiet_hours' | 'cooldown';

/** A question on a video. */
export type QuestionRun = {
  id: string;
  questionId: string;
  videoId: string;
  videoName: string;
  status: RunStatus;
  batchId: string | null;
  /** Null before the analysis has ended. */
  analysisId: string | null;
  eventCount: number;
  /** Events that match the rule. */
  matchingCount: number;
  alertCount: number;
  silenced: Silence | null;
  problemCode: string | null;
  problemMessage: string | null;
  createdAt: Date;
  endedAt: Date | null;
};
