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
