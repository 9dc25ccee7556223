import type { CaptureArgs, CaptureContext } from './capture.ts';
import type { Decoder, VideoPacket } from './decoder.ts';
import type { Encoder } from './encoder.ts';
import type { TrimRequest } from './trim.ts';

/** Operations on media files, for media processes. `libav/` implements them with node-av. */
export interface MediaEngine extends Decoder, Encoder {
  /** See `Media.probe`. */
  probe(path: string, maxSeconds: number): Promise<Probe>;
  /** The upright frame shown at `timeS`: the last one at or before it; outside the video, the first or the last one. */
  still(path: string, timeS: number, maxSide: number): Promise<StillFrame>;
  /**
   * The video's packets in file order, if `trim` can copy them and every browser plays them; null if it must encode.
   */
  copyablePackets(path: string): Promise<VideoPacket[] | null>;
  /**
   * Records a live stream until it ends, fails or is stopped, and emits everything received until then. Throws
   * `media_source_failed`, `media_source_denied`, `media_source_broken` or `media_no_video` (400).
   */
  capture(args: CaptureArgs, capturing: CaptureContext): Promise<void>;
  /** Writes a range of a video with its audio to the file `target`. */
  trim(path: string, target: string, request: TrimRequest): Promise<void>;
}

/** An upright frame: `height × width × 4` bytes of RGBA. */
export type StillFrame = { width: number; height: number; data: Uint8Array; timeS: number; pts: number };

/** Properties of a video file. Sizes in pixels after rotation, times in seconds of presentation time. */
export type Probe = {
  container: string;
  durationS: number;
  /** Presentation time of the first frame in the file. All positions count from it: the first frame is at 0. */
  startS: number;
  sizeBytes: number;
  video: {
    codec: string;
    pixelFormat: string;
    /** Transfer function of high dynamic range that the file states; null if it states none. */
    hdr: 'PQ' | 'HLG' | null;
    width: number;
    height: number;
    /** Clockwise rotation by the player in degrees: 0, 90, 180 or 270. */
    rotation: number;
    /** Average frames per second; null if unknown. Frame rates vary: do not compute times from it. */
    frameRate: number | null;
    timeBase: [number, number];
    /** Number of frames according to the header; null if unknown. */
    frames: number | null;
  };
  audio: { codec: string; sampleRate: number; channels: number } | null;
  /** Creation time from the file's metadata, ISO 8601, UTC; null if there is none. */
  createdAt: string | null;
  /** Container tags, unchanged. */
  tags: Record<string, string>;
};
