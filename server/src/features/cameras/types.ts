import type { RecordingMode, RecordingSettings, SessionStatus } from '#features/live/index';
import type { EncryptedSecret } from '#platform/secrets/index';
import type { Schedule } from './schedule.ts';

/**
 * `off`: switched off. `off_by_schedule`: not at this time of the week. `starting`: wanted, and no frame has arrived
 * yet. `live`: frames arrive. `offline`: wanted, and no frames arrive; the service tries again. `stopping`: not wanted
 * any more, and its last recording is being finished.
 */
export const CAMERA_STATES = ['off', 'off_by_schedule', 'starting', 'live', 'offline', 'stopping'] as const;
export type CameraState = (typeof CAMERA_STATES)[number];

export type CameraSettings = {
  name: string;
  /** Null: in no folder. */
  folderId: string | null;
  /** False: not recorded. */
  enabled: boolean;
  /** IANA name or offset of the place; null: unknown, and UTC for the schedule. */
  timeZone: string | null;
  schedule: Schedule;
  /** Until then, no alert is raised. */
  mutedUntil: Date | null;
  retention: Retention;
} & RecordingSettings;

/** Which recordings are deleted. Null: none. */
export type Retention = {
  /** Those that ended this many days ago; null: of no age. */
  days: number | null;
  /** The oldest, while all together have more bytes; null: any size. */
  bytes: number | null;
  /** True: recordings with an approved event stay. They count in `bytes`. */
  keepApproved: boolean;
} | null;

export const FAULT_KINDS = ['offline', 'black', 'frozen'] as const;

/** A camera that is on sends nothing, or a black or frozen picture. */
export type CameraFault = { kind: (typeof FAULT_KINDS)[number]; since: Date; message: string | null };

/** Number of faults that are returned with a camera: the newest ones. */
export const RECENT_FAULTS = 20;

/** A fault with its end; null: it lasts. */
export type PastFault = Pick<CameraFault, 'kind' | 'message'> & { from: Date; until: Date | null };

/** The newest session of a camera. */
export type CameraSession = {
  id: string;
  status: SessionStatus;
  connected: boolean;
  /** Since when its picture has not changed, or has been black; null: neither. */
  frozenSince: Date | null;
  blackSince: Date | null;
  problem: { code: string; message: string } | null;
  query: string | null;
  videoId: string;
  startedAt: Date | null;
  eventCount: number;
  /** A session without questions is recorded continuously. */
  recording: RecordingMode;
  preRollS: number;
  postRollS: number;
  /** Seconds that were received, and of these what is retained around events and what is not. */
  durationS: number;
  retainedS: number;
  discardedS: number;
};

export type Camera = CameraSettings & {
  id: string;
  orgId: string;
  ownerId: string;
  ownerName: string;
  scope: 'user' | 'org';
  folderName: string | null;
  /** URL of the source without credentials. */
  sourceUrl: string;
  sourceSecret: EncryptedSecret;
  /** True if a key was created for the encoder of a camera that pushes. */
  hasPushKey: boolean;
  /** The encoder that publishes to it now: address of the client, and since when. */
  publisher: { remote: string; connectedAt: Date } | null;
  /** The last time that an encoder was refused, or disconnected by the service. */
  refusal: { at: Date; reason: string } | null;
  /** True if the URL has credentials. */
  hasCredentials: boolean;
  session: CameraSession | null;
  /** The query that the session was given; somebody may have changed it since. */
  sessionQuery: string | null;
  /** Digest of the reading that the session was given. */
  sessionReading: string | null;
  /** The reason why no session could be started or the last one ended early; null if that did not happen. */
  problem: { code: string; message: string } | null;
  offlineSince: Date | null;
  /** Failed attempts since the last frame. */
  attempts: number;
  retryAt: Date | null;
  /** Time of the image that the last test stored; null without one. */
  snapshotAt: Date | null;
  /** End of the newest segment of the newest session. */
  lastFrameAt: Date | null;
  /** Bits per second of about the last recorded minute; null before. */
  bitrate: number | null;
  /** Gaps within its sessions in the last 24 hours, and their seconds. */
  interruptionCount: number;
  lostS: number;
  /** The newest faults, newest first. */
  recentFaults: PastFault[];
  createdAt: Date;
  changedAt: Date;
};
