/** Frames as a recorder kept them, each with its own time, to be made a video of. */
export type Reel = {
  /** Asked for one by one, so that a reel is never in memory as a whole; begun again when what could be copied turns out to need encoding. */
  frames: () => AsyncIterable<ReelFrame>;
  /** How many frames there are at most, where that is known: room for the index is then left at the front, and the file is written once. */
  most?: number;
  onProgress?: (timeS: number) => void;
};

export type ReelFrame = {
  /** Seconds on any clock; later than the frame before, by at least 1/90,000 s. */
  timeS: number;
  /** Read before the next frame is asked for. */
  data: Uint8Array;
  form: FrameForm;
};

/** Coded: a still picture, or an access unit (H.264 and H.265 with start codes). Raw: rows without padding. */
export type FrameForm = { codec: FrameCodec } | { pixels: PixelLayout; width: number; height: number };

export type FrameCodec = 'jpeg' | 'png' | 'webp' | 'h264' | 'h265' | 'vp9' | 'av1';

/** Raw layouts, by the name FFmpeg gives them, with the bytes of `pixels` pixels in them. */
export const PIXEL_LAYOUTS = {
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
export type PixelLayout = keyof typeof PIXEL_LAYOUTS;

export type Assembled = {
  /** Frames that are in the video. */
  frames: number;
  /** Time of the first of them, on the reel's clock; the video's own time counts from it. */
  startS: number;
  /** Whether the coded frames are as they came. */
  video: 'copied' | 'encoded';
  /** Frames that could not be used: damaged, or before the first one that decoding can begin with. */
  left: number;
};
