/**
 * Measurements of the camera or its vehicle, in the video's time. Parallel arrays with one entry per sample, times
 * ascending, NaN for missing values. Sources: a GoPro track, a drone's subtitles, a file beside the video.
 */
export type Telemetry = {
  /** Source, such as `GoPro track` or `sidecar JSON`. */
  source: string;
  /** Limits reported with every answer: derived measures, assumed clocks and units. */
  notes: string[];
  /** Samples farther apart than this have a gap between them, in seconds. */
  gapS: number;
  timeS: Float64Array;
  /** Over ground, never negative. */
  speedMps: Float64Array;
  /** Longitudinal; braking is negative. */
  accelerationMps2: Float64Array;
  /** Degrees per second, left positive (ISO 8855, as in ROS). */
  yawRateDps: Float64Array;
  /** Clockwise from north, 0 to 360. */
  headingDeg: Float64Array;
  /** WGS 84, in degrees. */
  latitude: Float64Array;
  longitude: Float64Array;
  /** Above sea level if the source states it, otherwise above the start. */
  altitudeM: Float64Array;
};

/** Recorded numbers by the name that the recording gives them, in the video's time: times ascending, values finite. */
export type Channel = {
  name: string;
  /** Symbol of the unit, if the recording or the name states one. */
  unit: string | null;
  timeS: Float64Array;
  values: Float64Array;
};

/** `leftOut`: number of channels that were left out because there are too many. */
export type RecordedChannels = { channels: readonly Channel[]; leftOut: number };

/** Telemetry of a video, or null; `reason` names data that could not be used. */
export type TelemetryReading = {
  telemetry: Telemetry | null;
  reason: string | null;
  /** All other numbers of the recording; absent without them. */
  recorded?: RecordedChannels;
  /** UTC of the first frame by the satellites, in milliseconds since 1970; absent if the recording does not say it. */
  startMs?: number;
  /** True if the video's frames are empty because the recording has no readable camera; absent otherwise. */
  blank?: true;
};
