import type { Decoder } from './decoder.ts';

/**
 * Media: everything that opens, decodes, draws or writes video. All of it runs in child processes with no secrets in
 * their environment, a memory and a time limit, and only the containers and protocols the job needs: every byte may be
 * hostile. A child that crashes is a failed call with a sentence, never a dead server.
 */
export interface Media {
  /** Which engine decodes: the node-av binding, or the ffmpeg command line as the fallback. */
  readonly engine: 'node-av' | 'ffmpeg';
  /**
   * Opens a local file as the container its own bytes say it is and reads its headers. Throws a Problem (400) naming what is wrong:
   * `media_unreadable`, `media_no_video`, `media_still_image`, `media_playlist`, `media_dimensions`, `media_too_long`, `media_empty`, `media_damaged`.
   */
  probe(path: string, options?: { signal?: AbortSignal }): Promise<Probe>;
  /** One picture as JPEG: the frame shown at `timeS` (the last one at or before it), boxes and their labels drawn on it. */
  picture(path: string, options: PictureOptions): Promise<Buffer>;
  /**
   * Runs an exported task function of `module` in a pooled decoding process (one per core, single-threaded is the fastest).
   * `args` and the result are structured-clonable. Aborting kills the child.
   */
  run<Result>(task: Task, options?: RunOptions): Promise<Result>;
  close(): Promise<void>;
}

export type Task = {
  /** URL of the module that exports the function (the engine's own observers, for instance). */
  module: URL;
  /** Name of the export: `(args, context: TaskContext) => Promise<result>`. */
  name: string;
  args: unknown;
};

export type RunOptions = {
  signal?: AbortSignal;
  /** Longest run in seconds; the child is killed then and the call fails with `media_timeout`. */
  timeoutS?: number;
  /** Fraction done, 0 to 1, never falling. */
  onProgress?: (fraction: number) => void;
};

/** What a task function gets besides its arguments, inside the child. */
export type TaskContext = { progress: (fraction: number) => void; decoder: Decoder };

export type PictureOptions = {
  timeS: number;
  /** Longest side in pixels; smaller pictures are not enlarged. */
  maxSide?: number;
  boxes?: readonly Box[];
  signal?: AbortSignal;
};

/** A rectangle in fractions of the picture's width and height, origin top left. */
export type Box = { x: number; y: number; width: number; height: number; label?: string };

/** What a file is. Sizes in pixels as shown (after rotation), times in seconds of presentation time. */
export type Probe = {
  container: string;
  durationS: number;
  /** Presentation time of the first frame; positions in a video count from here, so the first frame is at 0. */
  startS: number;
  sizeBytes: number;
  video: {
    codec: string;
    pixelFormat: string;
    width: number;
    height: number;
    /** Clockwise degrees that a player turns the coded picture by: 0, 90, 180 or 270. */
    rotation: number;
    /** Average frames per second; null when the file does not say. Variable rates are normal: never compute times from it. */
    frameRate: number | null;
    timeBase: [number, number];
    /** What the header claims; null when unknown. */
    frames: number | null;
  };
  audio: { codec: string; sampleRate: number; channels: number } | null;
  /** The file's own creation time, ISO 8601 UTC, when it has one. */
  createdAt: string | null;
  /** Container tags as they are. */
  tags: Record<string, string>;
};
