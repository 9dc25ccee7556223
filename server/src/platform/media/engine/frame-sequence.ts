/** Recorded frames, each with its own time, to assemble into a video. */
export type FrameSequence = {
  /** Iterates over the frames. Called a second time if copying fails and the frames must be encoded. */
  frames: () => AsyncIterable<SequenceFrame>;
  /**
   * Upper bound of the number of frames, if known. It reserves space for the index, so that the file is written once.
   */
  maxFrames?: number;
  onProgress?: (timeS: number) => void;
};

export type SequenceFrame = {
  /** Seconds on any clock, at least 1/90,000 s after the previous frame. */
  timeS: number;
  /** Consumed before the next frame is requested. */
  data: Uint8Array;
  format: FrameFormat;
};

/** Coded: a still image or an access unit (H.264 and H.265 with start codes). Raw: rows without padding. */
export type FrameFormat = { codec: FrameCodec } | { pixelFormat: RawPixelFormat; width: number; height: number };

export type FrameCodec = 'jpeg' | 'png' | 'webp' | 'h264' | 'h265' | 'vp9' | 'av1';

/** Raw pixel formats by their FFmpeg names, with bytes per pixel. */
export const RAW_PIXEL_FORMATS = {
  gray: 1,
  gray16le: 2,
  gray16be: 2,
  rgb24: 3,
  bgr24: 3,
  rgba: 4,
  bgra: 4,
  rgb48le: 6,
  rgba64le: 8,
  uyvy422: 2,
  yuyv422: 2,
  nv12: 1.5,
  nv21: 1.5,
  bayer_rggb8: 1,
  bayer_bggr8: 1,
  bayer_gbrg8: 1,
  bayer_grbg8: 1,
  bayer_rggb16le: 2,
  bayer_bggr16le: 2,
  bayer_gbrg16le: 2,
  bayer_grbg16le: 2,
} as const;
export type RawPixelFormat = keyof typeof RAW_PIXEL_FORMATS;

export type AssembleResult = {
  /** Number of frames in the video. */
  frames: number;
  /** Time of the first frame on the clock of the sequence; the video's own time starts there. */
  startS: number;
  /** `copied` if the coded frames are unchanged. */
  video: 'copied' | 'encoded';
  /** Number of unusable frames: damaged, or before the first keyframe. */
  skipped: number;
};
