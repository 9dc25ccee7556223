/**
 * What was observed in one video: plain arrays over presentation time, no opinion about any prompt. `find` is pure functions over these.
 * Times are seconds from the video's first frame. Positions and sizes are fractions of the picture's width and height, origin top left.
 */
export type Observations = {
  video: VideoFacts;
  signals: Signals | null;
  sound: Sound | null;
  objects: Objects | null;
  triage: Triage | null;
  /** Null when the recording has none. */
  telemetry: Telemetry | null;
  /** Why what came with the recording could not be read as telemetry; null when nothing is to say. */
  telemetryReason: string | null;
};

export type VideoFacts = {
  durationS: number;
  width: number;
  height: number;
  /** Seconds per presentation time stamp, as a fraction. */
  timeBase: [number, number];
  hasAudio: boolean;
};

/** What packets and keyframes tell: where a video may be looked at less closely. See `quietIntervals`. */
export type Triage = {
  /** Every packet of the video track by presentation time, with its size and whether it begins anew (1) or builds on others (0). */
  packetS: Float64Array;
  packetBytes: Int32Array;
  packetKey: Uint8Array;
  /** Times and exact stamps of the keyframes that were decoded; the arrays below are parallel to these. */
  timeS: Float64Array;
  pts: Float64Array;
  /** Mean absolute difference to the keyframe before in the square of the picture that differs most, 0 to 255; 0 for the first. */
  difference: Float32Array;
  /** Each keyframe as the mean luma of its squares: `rows × columns` values per keyframe, row by row. */
  pictures: Uint8Array;
  rows: number;
  columns: number;
};

/** Parallel arrays, one entry per decoded frame, in presentation order. */
export type Signals = {
  timeS: Float64Array;
  /** Exact time stamps in the video's time base. */
  pts: Float64Array;
  /** Mean luma, 0 to 255. */
  luma: Float32Array;
  /** Standard deviation of luma, 0 to 128. */
  contrast: Float32Array;
  /** Share of pixels darker than 32, 0 to 1: a black picture has nearly 1. */
  dark: Float32Array;
  /** Share of pixels of 224 and brighter, 0 to 1: an overexposed picture has much. */
  bright: Float32Array;
  /** Times at which colours were looked at, in seconds: fewer than frames. */
  colorTimeS: Float64Array;
  /** Mean of each channel then, 0 to 255. */
  red: Float32Array;
  green: Float32Array;
  blue: Float32Array;
  /** Mean over the pixels of the largest channel minus the smallest, 0 to 255: 0 for a picture without colours. */
  chroma: Float32Array;
  /** Mean squared Laplacian of luma: falls when the picture blurs or the lens is covered. */
  sharpness: Float32Array;
  /** Mean absolute luma difference to the frame before, 0 to 255; 0 for the first frame. */
  difference: Float32Array;
  /**
   * How different the picture's content is from the frame before, 0 to 100; 50 and more is a cut. Motion and light are left out, and so is what the picture
   * comes back from within half a second (a flash) or from darkness.
   */
  cut: Float32Array;
  /** 100 where the frame is part of a blend from one shot into another, else 0. */
  dissolve: Float32Array;
  /** Motion of the whole picture since the frame before, in picture widths (x, right positive) and heights (y, down positive) per second: a pan to the right moves the picture left. */
  globalX: Float32Array;
  globalY: Float32Array;
  /** Growth of the whole picture per second (0.1: ten percent): positive when the camera goes forward or zooms in. */
  zoom: Float32Array;
  /** Turning of the whole picture about its centre, radians per second, clockwise positive: the camera rolls the other way. */
  roll: Float32Array;
  /**
   * How fast the scene comes closer, in picture widths per second; negative when it goes away. Grows with the camera's speed as long as the scene stays the
   * same; how fast that is cannot be told from the picture.
   */
  advance: Float32Array;
  /** Share of blocks that move otherwise than the whole picture, 0 to 1: things that move in the scene. */
  localMotion: Float32Array;
  /** The same per region: `rows × columns` values per frame, row by row, so `regions[i * rows * columns + r * columns + c]`. */
  regions: Float32Array;
  regionRows: number;
  regionColumns: number;
};

/** Loudness over time: one entry per window of `stepS` seconds, from `startS`. */
export type Sound = {
  startS: number;
  stepS: number;
  /** RMS level in dB relative to full scale, -120 for silence. */
  levelDb: Float32Array;
  /** Highest sample in the window, dB relative to full scale. */
  peakDb: Float32Array;
};

export type Objects = {
  /** Name of the detector and digest of its weights: `yolox_nano fd7193b8405b`. */
  model: string;
  /** Every class the detector knows, whether seen or not: what can be said to be absent. */
  classes: string[];
  /** Times of the frames that were looked at. */
  timeS: Float64Array;
  pts: Float64Array;
  tracks: Track[];
};

/** One thing followed through the video. The arrays are parallel: one entry per frame it was seen in (or bridged over a short loss). */
export type Track = {
  id: number;
  /** One of the detector's classes, or `moving object`: something went about before a standing camera and was not recognised. */
  className: string;
  /** Named colours of the thing's own pixels with their share, most first; empty when too small or too dark to say. */
  colors: { name: string; share: number }[];
  /** Index into `Objects.timeS` for each entry. */
  frame: Int32Array;
  /** Centre and size of the box, fractions of the picture. */
  x: Float32Array;
  y: Float32Array;
  width: Float32Array;
  height: Float32Array;
  /** Detector's score, 0 to 1; 0 where the track was bridged. */
  score: Float32Array;
  /** Edge of the picture it came in over or went out over; null when it appeared or vanished inside the picture, or was there at the start or end. */
  enteredFrom: Edge | null;
  leftTo: Edge | null;
  /** Intervals in seconds in which it did not move against the scene. */
  stationary: { startS: number; endS: number }[];
};

export type Edge = 'left' | 'right' | 'top' | 'bottom';

/**
 * What was measured while filming, in the video's time. Parallel arrays, one entry per sample, times rising; NaN where something was not measured.
 * Filled by whatever a recording brings: a GoPro's track, a drone's subtitles, a file beside the video.
 */
export type Telemetry = {
  /** Where it comes from: `GoPro track`, `sidecar JSON`. */
  source: string;
  /** Limits to tell with every answer: what was worked out from what, which clock or unit was assumed. */
  notes: string[];
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
