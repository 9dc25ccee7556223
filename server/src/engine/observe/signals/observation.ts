/** Parallel arrays, one entry per decoded frame, in presentation order. */
export type Signals = {
  timeS: Float64Array;
  /** Presentation timestamps in the video's time base. */
  pts: Float64Array;
  /** Mean luma, 0 to 255. */
  luma: Float32Array;
  /** Standard deviation of luma, 0 to 128. */
  contrast: Float32Array;
  /** Share of pixels darker than 32, 0 to 1: nearly 1 for a black frame. */
  dark: Float32Array;
  /** Share of pixels of 224 and brighter, 0 to 1: high for an overexposed frame. */
  bright: Float32Array;
  /** Times of the color samples in seconds: fewer than frames. */
  colorTimeS: Float64Array;
  /** Mean of each channel at these times, 0 to 255. */
  red: Float32Array;
  green: Float32Array;
  blue: Float32Array;
  /** Mean difference of each pixel's largest and smallest channel, 0 to 255: 0 without colors. */
  chroma: Float32Array;
  /** Mean squared Laplacian of luma: falls when the image blurs or the lens is covered. */
  sharpness: Float32Array;
  /** Mean absolute luma difference to the previous frame, 0 to 255; 0 for the first frame. */
  difference: Float32Array;
  /**
   * Change of content from the previous frame, 0 to 100; 50 and more is a cut. Motion, light, flashes of up to half a
   * second and intervals of darkness are ignored.
   */
  cut: Float32Array;
  /** 100 if the frame is part of a dissolve, else 0. */
  dissolve: Float32Array;
  /**
   * Motion of the whole frame in frame widths (x, right positive) and heights (y, down positive) per second. A pan to
   * the right moves the image left.
   */
  globalX: Float32Array;
  globalY: Float32Array;
  /** Growth of the whole frame per second (0.1: ten percent): positive when the camera moves forward or zooms in. */
  zoom: Float32Array;
  /**
   * Rotation of the image about its center in radians per second, clockwise positive: the camera rolls the other way.
   */
  roll: Float32Array;
  /**
   * Approach of the scene in frame widths per second, negative when it recedes. Grows with the camera's speed within
   * one scene; the speed itself is not known.
   */
  advance: Float32Array;
  /** Share of blocks with a motion of their own, 0 to 1: objects that move in the scene. */
  localMotion: Float32Array;
  /** The same per region, `rows × columns` values per frame: `regions[i * rows * columns + r * columns + c]`. */
  regions: Float32Array;
  regionRows: number;
  regionColumns: number;
};
