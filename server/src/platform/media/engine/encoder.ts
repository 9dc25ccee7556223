import type { AssembleResult, FrameSequence } from './frame-sequence.ts';

/** Writes MP4 files that play everywhere (H.264, AAC, index at the front), inside media processes only. */
export interface Encoder {
  encode(path: string, clip: EncodeRequest): Promise<void>;
  /**
   * Writes recorded frames, raw or coded, each with its own time. H.264 is copied if the stream allows it; anything
   * else is encoded as H.264 in the size of the first frame. Throws a Problem (400) if no frame is usable.
   */
  assemble(path: string, sequence: FrameSequence): Promise<AssembleResult>;
}

export type EncodeRequest = {
  /** In pixels, even. */
  width: number;
  height: number;
  /** In presentation order, each shown until the next. Times start at 0 and are at least 1/90,000 s apart. */
  frames: Iterable<RgbaFrame> | AsyncIterable<RgbaFrame>;
  /** End of the last frame in seconds. */
  endS: number;
  /** Mono samples from -1 to 1, starting with the first frame. */
  audio?: { sampleRate: number; samples: Float32Array };
  /** Maximum keyframe distance in frames; 60 when absent. */
  gopSize?: number;
  /** `low` takes a quarter of the time, for a file half as large again. */
  effort?: 'low' | 'normal';
};

export type RgbaFrame = {
  timeS: number;
  /** `height × width × 4` bytes of RGBA; alpha is ignored. Consumed before the next frame is requested. */
  data: Uint8Array;
};
