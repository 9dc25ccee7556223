/**
 * Sources of the time at which a video was recorded, the best first: a person, a livestream, the log of a robot, the
 * file, its name.
 */
export type ClockSource = 'person' | 'live' | 'log' | 'container' | 'name';

/** The time of the first frame by one source. */
export type ClockReading = {
  source: Exclude<ClockSource, 'person'>;
  /** Time as it is written, without a zone: `2026-11-27T08:00:00.000`. */
  time: string;
  /** Minutes that it is ahead of UTC; null if the source does not say. */
  offsetMin: number | null;
  /** True if the offset may be wrong: many cameras write local time where UTC belongs. */
  isDoubtful?: boolean;
};

/** From `atS` on, in seconds of the video, frames are `seconds` later: a livestream that was connected again. */
export type ClockJump = { atS: number; seconds: number };

/** When a video was recorded, by the room that recorded it. */
export type RecordingTime = { reading: ClockReading; jumps?: readonly ClockJump[] };

/** Settings of a person. */
export type ClockSettings = {
  /** Instant of the first frame, ISO 8601, UTC; null: by the best source. */
  recordedAt: string | null;
  /** IANA name or offset of the place; null: unknown. */
  timeZone: string | null;
  /** Seconds that are added to what the best source says, for a camera whose clock is wrong. */
  shiftS: number;
};

/** The readings and settings of a video, as they are stored. */
export type StoredClock = {
  readings: ClockReading[];
  jumps?: readonly ClockJump[];
  settings: ClockSettings | null;
};

/** When a video was recorded, by the best source. */
export type RecordingClock = {
  recordedAt: Date;
  /** IANA name or offset; null if it is unknown. */
  timeZone: string | null;
  source: ClockSource;
  /** False if the source does not say in which time zone it is, so that UTC is assumed. */
  isZoneKnown: boolean;
  /** Sources that contradict it by more than a minute. */
  conflicts: { source: ClockSource; recordedAt: Date }[];
};
