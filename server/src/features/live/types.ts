import type { FolderScope } from '#features/folders/index';
import type { EncryptedSecret } from '#platform/secrets/index';

/** `FINISHED` and `FAILED` are final. A failed session has no recording. */
export type SessionStatus = 'INITIALIZING' | 'ACTIVE' | 'ENDING' | 'FINISHED' | 'FAILED';
export const OPEN_STATUSES: readonly SessionStatus[] = ['INITIALIZING', 'ACTIVE', 'ENDING'];

/** Notification channel: carries the id of a session with a new segment or a new part of one. */
export const PARTS_CHANNEL = 'sightline_live_parts';
/** Notification channel: carries the id of a session whose end was requested, or that is watched from now on. */
export const SESSION_CHANNEL = 'sightline_live';

/** `continuous`: all of it; `events`: only ranges around the events of its query. */
export const RECORDING_MODES = ['continuous', 'events'] as const;
export type RecordingMode = (typeof RECORDING_MODES)[number];

/** Mode of a recording, and the seconds that are retained before and after events. */
export type RecordingSettings = { recording: RecordingMode; preRollS: number; postRollS: number };

/** One recording session of a source. */
export type LiveSession = {
  id: string;
  orgId: string;
  streamId: string;
  ownerId: string;
  ownerName: string;
  scope: FolderScope;
  folderId: string | null;
  /** Camera that it recorded; null for a session that was started by itself. */
  cameraId: string | null;
  name: string;
  /** Source URL without credentials, for display. */
  sourceUrl: string;
  /** The encrypted source URL; null once the session has ended. */
  sourceSecret: EncryptedSecret | null;
  /** IANA name or offset of the place; null: unknown. */
  timeZone: string | null;
  /** Query of the analysis. */
  query: string | null;
  status: SessionStatus;
  /** Reason why the session failed or ended early. */
  problem: { code: string; message: string } | null;
  /** Video of the first recording; incomplete during the session. */
  videoId: string;
  segmentCount: number;
  epochCount: number;
  /** Seconds that were received and stored at first. */
  durationS: number;
  recording: RecordingMode;
  /** Seconds that are retained before and after events. */
  preRollS: number;
  postRollS: number;
  /** Of `durationS`, what is retained and what is not, where that is decided. */
  retainedS: number;
  discardedS: number;
  /** Of `discardedS`, what the query was not answered for. */
  unansweredS: number;
  bytes: number;
  /** Length of the longest segment in seconds. */
  longestSegmentS: number;
  /** Offset of media timestamps from positions in the recording, in seconds; null before the first frame. */
  timestampOffsetS: number | null;
  eventCount: number;
  /** True while frames arrive. */
  connected: boolean;
  /** Since when the picture has not changed, or has been black; null: neither. */
  frozenSince: Date | null;
  blackSince: Date | null;
  createdAt: Date;
  /** Capture time of the first frame. */
  startedAt: Date | null;
  endedAt: Date | null;
  /** Time of the request to end the session. */
  endRequestedAt: Date | null;
  /** True once capture has ended and only finalizing remains. */
  captureComplete: boolean;
};

/** Segments without a discontinuity between them; they share an initialization section. */
export type RecordedEpoch = {
  epoch: number;
  /** Video that contains the epoch. */
  videoId: string | null;
  /** Initialization section. */
  init: Buffer;
  codecs: string;
  width: number;
  height: number;
};

/** A segment of a session: a few seconds that start with a keyframe, as an MP4 fragment. The API calls it a chunk. */
export type RecordedSegment = {
  /** Counts from 0 without gaps. */
  sequence: number;
  epoch: number;
  /** Start in the recording in seconds, gaps excluded. */
  startS: number;
  /** Seconds since the first frame of the session, gaps included. */
  streamS: number;
  durationS: number;
  /** Capture time of the first frame. */
  capturedAt: Date;
  bytes: number;
  /** A file of its own, or the recording that contains the segment at `recordingOffset`. */
  storageKey: string;
  recordingOffset: number | null;
  /** Null: not decided yet, or of a session that is recorded as a whole. Discarded segments have no bytes. */
  decision: 'retained' | 'discarded' | null;
};

/** Where a segment is: in the stream, and in the recording that contains it. */
export type RecordedPlace = Pick<RecordedSegment, 'sequence' | 'startS' | 'streamS' | 'durationS'> & {
  /** The recording; null until it is written. */
  videoId: string | null;
};

/** A part of the segment that is being recorded. */
export type RecordedPart = { sequence: number; part: number; durationS: number; independent: boolean };

/** A gap in the recording; `sequence` is the segment after it. */
export type RecordingGap = { sequence: number; fromAt: Date; untilAt: Date; reason: string };
/** The same with its place in seconds from the first frame of the session. */
export type PlacedGap = RecordingGap & { fromS: number; untilS: number };

/** A retained range of a session that is recorded around its events. */
export type RetainedSpan = {
  startAt: Date;
  /** In seconds of the stream. */
  fromS: number;
  untilS: number;
  /** The video that contains it, and its start there; null until that is written. */
  videoId: string | null;
  videoFromS: number | null;
};

/** An event of the analysis of a live session. */
export type LiveEvent = {
  position: number;
  id: string;
  /** Sequence of the segment that it starts in. */
  chunkIndex: number;
  streamS: number;
  capturedAt: Date;
  /** Payload as published. */
  data: Record<string, unknown>;
  createdAt: Date;
};
