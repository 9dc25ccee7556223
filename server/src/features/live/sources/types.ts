import type { CaptureSource } from '#platform/media/index';
import type { GuardedFetch } from '#platform/net/index';

/** Uninterrupted input from a source, up to the next break or discontinuity. */
export type SourceInput = {
  source: CaptureSource;
  /** Capture time of its first frame in Unix milliseconds; null if the source does not state it. */
  clockMs: number | null;
};

/** Reads a source as a series of uninterrupted inputs. */
export type SourceReader = {
  /**
   * Connects, or continues where the last input ended. Returns null at the end of the source. Throws `fetch_…`
   * problems, or a problem that describes an invalid stream.
   */
  next(signal: AbortSignal): Promise<SourceInput | null>;
  /** End of the last published segment in Unix milliseconds; null if the source does not state times. */
  publishedMs?(): number | null;
};

/** End of the recorded part of a source. A reader that reconnects continues after it where the source allows that. */
export type RecordedPosition = {
  /** Capture time of the end in Unix milliseconds. */
  untilMs: number;
  /** Recorded duration in seconds. */
  seconds: number;
};

/** Where what encoders publish to cameras is received. */
export type PushedSources = {
  /** The process that receives a camera, and the token with which it is played there; null: nothing is published. */
  find(cameraId: string): Promise<{ host: string; port: number; token: string } | null>;
};

export type LiveSourceDeps = { net: GuardedFetch; pushed: PushedSources };
