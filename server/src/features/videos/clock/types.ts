/**
 * Sources of the time at which a video was recorded, the best first: a person, a livestream, a GPS receiver, the log of
 * a robot, a file beside the video, the video file, the rule of its folder, its name, a clock in the picture.
 */
export const CLOCK_SOURCES = [
  'person',
  'live',
  'gps',
  'log',
  'sidecar',
  'container',
  'rule',
  'name',
  'picture',
] as const;
export type ClockSource = (typeof CLOCK_SOURCES)[number];

/** The time of the first frame by one source. */
export type ClockReading = {
  source: Exclude<ClockSource, 'person'>;
  /** Time as it is written, without a zone: `2026-11-27T08:00:00.000`. */
  time: string;
  /** Minutes that it is ahead of UTC; null if the source does not say. */
  offsetMin: number | null;
  /** True if the offset may be wrong: many cameras write local time where UTC belongs. */
  isDoubtful?: boolean;
  /** Seconds by which it may be early, such as 3,600 of an hour without minutes. Default: it is exact. */
  withinS?: number;
  /** Seconds of the calendar in a second of the video, where it is not 1. */
  rate?: number;
};

/** From `atS` on, in seconds of the video, frames are `seconds` later: a livestream that was connected again. */
export type ClockJump = { atS: number; seconds: number };

/** When a video was recorded, by the room that recorded it. */
export type RecordingTime = {
  readings: readonly ClockReading[];
  jumps?: readonly ClockJump[];
  /** IANA name or offset of the place, as a person set it for the camera; null: unknown. */
  timeZone?: string | null;
};

/** A second of the video and the instant at which it was recorded, ISO 8601, UTC. */
export type ClockPoint = { atS: number; recordedAt: string };
/** An instant by the clock of a camera, and the right one, ISO 8601, UTC. */
export type ClockComparison = { shownAt: string; recordedAt: string };

/** Settings of a person. */
export type ClockSettings = {
  /** Instant of the first frame, ISO 8601, UTC; null: by the best source. */
  recordedAt: string | null;
  /** IANA name or offset of the place; null: unknown. */
  timeZone: string | null;
  /** Seconds that are added to what the best source says, for a camera whose clock is wrong. */
  shiftS: number;
  /** Two points of the video: its first frame and its rate follow from them. Absent or null: none. */
  points?: readonly [ClockPoint, ClockPoint] | null;
  /** Two comparisons of a clock that drifts, which replace `shiftS`. Absent or null: none. */
  comparisons?: readonly [ClockComparison, ClockComparison] | null;
  /** True: the file states local time where UTC belongs. */
  isHeaderLocal?: boolean;
};

/** Rule by which the clocks of the videos of a folder are read. */
export type PathRule = {
  /** Where dates and times are in paths, as `{yyyy}-{mm}-{dd}/{HH}`; null: not there. */
  pattern: string | null;
  /** Settings that new videos start with; null: none. */
  settings: Partial<ClockSettings> | null;
};

/** The readings and settings of a video, as they are stored. */
export type StoredClock = {
  readings: ClockReading[];
  jumps?: readonly ClockJump[];
  settings: ClockSettings | null;
  /** Seconds of the calendar in a second of the video, by the best source; absent: 1. */
  rate?: number;
};

/** When a video was recorded, by the best source. */
export type RecordingClock = {
  recordedAt: Date;
  /** IANA name or offset; null if it is unknown. */
  timeZone: string | null;
  source: ClockSource;
  /** False if the source does not say in which time zone it is, so that UTC is assumed. */
  isZoneKnown: boolean;
  /** Seconds of the calendar in a second of the video. */
  rate: number;
  /** Sources that contradict it by more than a minute. */
  conflicts: { source: ClockSource; recordedAt: Date }[];
};
