/**
 * What was measured while filming, in the video's time. Parallel arrays, one entry per sample, times rising; NaN where something was not measured.
 * Filled by whatever a recording brings: a GoPro's track, a drone's subtitles, a file beside the video.
 */
export type Telemetry = {
  /** Where it comes from: `GoPro track`, `sidecar JSON`. */
  source: string;
  /** Limits to tell with every answer: what was worked out from what, which clock or unit was assumed. */
  notes: string[];
  /** Whether the video's frames are empty, because the recording has no camera that could be read; absent when they are not. */
  blank?: true;
  /** Between samples farther apart than this nothing is known, in seconds. */
  gapS: number;
  timeS: Float64Array;
  /** Over ground, never negative. */
  speedMps: Float64Array;
  /** Along the way; braking is negative. */
  accelerationMps2: Float64Array;
  /** Turning, degrees per second, to the left positive (ISO 8855, as in ROS). */
  yawRateDps: Float64Array;
  /** Clockwise from north, 0 to 360. */
  headingDeg: Float64Array;
  /** WGS 84, in degrees. */
  latitude: Float64Array;
  longitude: Float64Array;
  /** Above the sea where the source says so, otherwise above the start. */
  altitudeM: Float64Array;
};

/** What a recording measured besides pictures and sound; null when it measured nothing, with a reason where there was something to read. */
export type TelemetryReading = { telemetry: Telemetry | null; reason: string | null };
