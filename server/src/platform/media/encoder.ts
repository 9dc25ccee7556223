import type { Assembled, Reel } from './reel.ts';

/**
 * Writing video, inside a media process only (see `Media.run`): pictures with their own times, and sound, become an MP4 that plays everywhere
 * (H.264, AAC, index at the front).
 */
export interface Encoder {
  encode(path: string, clip: Clip): Promise<void>;
  /**
   * Frames that a recorder kept, raw or coded, each with its own time. H.264 is copied where its stream allows; the rest is encoded as H.264 in
   * the size of the first frame. Throws a Problem (400) when no frame can be used.
   */
  assemble(path: string, reel: Reel): Promise<Assembled>;
}

export type Clip = {
  /** Even numbers of pixels. */
  width: number;
  height: number;
  /** In presentation order, each shown until the next; times in seconds from 0, at least 1/90,000 s apart. Asked for one by one: a clip is never in memory as a whole. */
  pictures: Iterable<ClipPicture> | AsyncIterable<ClipPicture>;
  /** When the last picture ends, in seconds. The command line engine lets it last as long as the one before. */
  endS: number;
  /** Mono samples from -1 to 1, from the first picture on. */
  sound?: { sampleRate: number; samples: Float32Array };
  /** Longest distance between keyframes in pictures; 60 when absent. */
  keyframeEvery?: number;
};

export type ClipPicture = {
  timeS: number;
  /** `height × width × 4` bytes of RGBA; alpha is ignored. Read before the next picture is asked for. */
  data: Uint8Array;
};
