import type { FolderScope } from '#features/folders/index';
import type { Sealed } from '#platform/secrets/index';

/** `FINISHED` and `FAILED` are the ends; a session that failed recorded nothing. */
export type SessionStatus = 'INITIALIZING' | 'ACTIVE' | 'ENDING' | 'FINISHED' | 'FAILED';
export const GOING: readonly SessionStatus[] = ['INITIALIZING', 'ACTIVE', 'ENDING'];

/** One following of a source. */
export type Session = {
  id: string;
  orgId: string;
  streamId: string;
  ownerId: string;
  ownerName: string;
  scope: FolderScope;
  folderId: string | null;
  name: string;
  /** As it may be shown: without credentials. */
  sourceUrl: string;
  /** The whole URL; null once the session has ended. */
  sourceSecret: Sealed | null;
  /** What is looked for while it goes on. */
  query: string | null;
  status: SessionStatus;
  /** Why it failed, or ended before anyone asked. */
  problem: { code: string; message: string } | null;
  /** The (first) recording: on its way while the session goes on. */
  videoId: string;
  segments: number;
  epochs: number;
  /** Seconds that are recorded. */
  durationS: number;
  bytes: number;
  /** Length of the longest segment in seconds. */
  longestS: number;
  /** By how much the times of its files are ahead of places in the recording, in seconds; null before the first picture. */
  leadS: number | null;
  events: number;
  /** Whether pictures are coming. */
  connected: boolean;
  createdAt: Date;
  /** When its first picture was taken. */
  startedAt: Date | null;
  endedAt: Date | null;
  /** When it was asked to end. */
  endRequestedAt: Date | null;
  /** Whether it is recorded to its end: what is left is to put the recording together. */
  recorded: boolean;
};

/** A stretch without a break: one description of its tracks holds for all of its segments. */
export type Epoch = {
  epoch: number;
  /** The recording that it became part of. */
  videoId: string | null;
  /** The initialisation section. */
  init: Buffer;
  codecs: string;
  width: number;
  height: number;
};

/** A chunk of a session: a few seconds that begin with a keyframe, as a fragment of MP4. */
export type Segment = {
  /** From 0 on without gaps. */
  sequence: number;
  epoch: number;
  /** Place in the recording in seconds: only what is recorded counts. */
  startS: number;
  /** Seconds since the session's first picture was taken, gaps included. */
  streamS: number;
  durationS: number;
  /** When its first picture was taken. */
  capturedAt: Date;
  bytes: number;
  /** Where its bytes are: a file of its own, or, with an offset, part of the recording. */
  storageKey: string;
  filmOffset: number | null;
};

/** A stretch of time of which nothing was recorded; `sequence` is the segment after it. */
export type Gap = { sequence: number; fromAt: Date; untilAt: Date; reason: string };

/** Something found while the session went on. Never changed once it is there. */
export type LiveEvent = {
  position: number;
  id: string;
  /** Sequence of the segment that it began in. */
  chunkIndex: number;
  streamS: number;
  capturedAt: Date;
  /** As it is told. */
  data: Record<string, unknown>;
  createdAt: Date;
};
