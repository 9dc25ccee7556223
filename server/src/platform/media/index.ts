import { tmpdir } from 'node:os';
import type { Log } from '../log.ts';
import { type CaptureOptions, capture } from './capture.ts';
import { type ChildSettings, spawnChild } from './child.ts';
import { type CutFile, emptyFile, measure } from './cut-file.ts';
import type { Cut } from './cutter.ts';
import type { Decoder } from './decoder.ts';
import type { Encoder } from './encoder.ts';
import type { LiveRequest } from './live.ts';
import { createPool } from './pool.ts';
import { mediaProblem } from './problems.ts';
import { findSandbox } from './sandbox.ts';
import type { Segments } from './segments.ts';
import type { Sheet } from './sheet.ts';
import type { CutArgs, PictureArgs, ProbeArgs } from './tasks.ts';

export type * from './cutter.ts';
export type * from './decoder.ts';
export type * from './encoder.ts';
export type { LiveRequest, LiveSegment, LiveSource } from './live.ts';
export type * from './reel.ts';
export type { Segments } from './segments.ts';

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
   * Too long is what is longer than `maxSeconds`, which is the service's own limit unless given.
   */
  probe(path: string, options?: { signal?: AbortSignal; maxSeconds?: number }): Promise<Probe>;
  /** One picture as JPEG: the frame shown at `timeS` (the last one at or before it), boxes and their labels drawn on it. */
  picture(path: string, options: PictureOptions): Promise<Buffer>;
  /** Many frames of a video as one JPEG, in rows: each the frame shown at its time, scaled to the tile. */
  sheet(path: string, options: Sheet & { signal?: AbortSignal }): Promise<Buffer>;
  /** A stretch of a video as a temporary file, which goes when it is disposed of. */
  cut(path: string, options: Cut & { signal?: AbortSignal }): Promise<CutFile>;
  /**
   * Follows a live stream in a process of its own, and hands over what it records, segment by segment. Settles when the stream has ended, or was
   * to stop. Throws `media_source_failed`, `media_source_broken`, `media_no_video`, `media_crashed` (400), what the source's bytes
   * throw, or what keeping a segment throws.
   */
  capture(request: LiveRequest, options: CaptureOptions): Promise<void>;
  /** Where a video can be cut into segments that play one after the other, found without decoding it. */
  segments(path: string, options?: { signal?: AbortSignal }): Promise<Segments>;
  /**
   * Runs an exported task function of `module` in a pooled decoding process (one per core).
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
  /** The organisation that the task is for: its tasks, however long, leave room for those of others. */
  orgId?: string;
  /** Whether a task whose process crashed is started once more; true when absent. One that was killed from outside always is. */
  retryCrash?: boolean;
  /** A short piece of something that goes on: it has processes of its own, so that it never stands in line behind a whole video. */
  live?: boolean;
};

/** What a task function gets besides its arguments, inside the child. */
export type TaskContext = {
  progress: (fraction: number) => void;
  /** Gives the parent a value on the way; settles once the parent has kept it. */
  handOver: (value: unknown) => Promise<void>;
  /** Aborts when the task is asked to come to its end. */
  stopping: AbortSignal;
  decoder: Decoder;
  encoder: Encoder;
};

export type PictureOptions = {
  timeS: number;
  /**
   * For a frame that is known to be there: how many seconds before `timeS` the frame found may lie. An earlier one means that the video is damaged
   * in between, and is `media_damaged`. Without it any earlier frame will do.
   */
  withinS?: number;
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

export type MediaSettings = {
  engine: 'auto' | 'node-av' | 'ffmpeg';
  /** How many videos are decoded at once. */
  processes: number;
  ffmpegPath: string;
  /** Longest video accepted, in seconds. */
  maxSeconds: number;
  /** Folder for temporary files, which must be there as long as this is open; the system's when absent. */
  tempDir?: string;
  log: Log;
};

const TASKS = new URL('./tasks.ts', import.meta.url);
const SHEET = new URL('./sheet.ts', import.meta.url);
const SEGMENTS = new URL('./segments.ts', import.meta.url);
/** Probing and drawing read little of a file; a minute is a hundred times what they take. */
const INTERACTIVE_TIMEOUT_S = 60;
/** How many renditions (storyboards, clips, segments) are made at once, and how long one may take in seconds. */
const RENDERERS = 2;
const RENDER_TIMEOUT_S = 600;
/** Pictures beyond this side are scaled down: no screen shows more. */
const MAX_SIDE = 4_096;

/**
 * Starts media: finds the engine and warms one process. Work on whole videos goes to up to `processes` of them; what someone
 * waits for does not stand in line behind it: probes and pictures have one of their own, renditions two, plans of segments one, livestreams as many again. Throws `media_engine_unavailable` when no engine works here.
 */
export async function createMedia({ tempDir = tmpdir(), ...rest }: MediaSettings): Promise<Media> {
  const { engine, processes, ffmpegPath, maxSeconds, log } = rest;
  const sandbox = await findSandbox();
  const settings: ChildSettings = { engine, ffmpegPath, sandbox, tempDir, log };
  const scout = spawnChild(settings);
  const started = await scout.started;
  if ('unavailable' in started) {
    scout.kill();
    throw mediaProblem.media_engine_unavailable(
      `No media engine works here: ${started.unavailable}. Install ffmpeg, or set SIGHTLINE_FFMPEG to its path.`,
    );
  }
  // Later processes take the same engine, so that one node's results are of one kind.
  const spawn = () => spawnChild({ ...settings, engine: started.engine });
  const pool = createPool({ size: processes, spawn, log });
  const live = createPool({ size: processes, spawn, log });
  const interactive = createPool({ size: 1, spawn, log, first: scout });
  const rendering = createPool({ size: RENDERERS, spawn, log });
  const planning = createPool({ size: 1, spawn, log });
  const render = (task: Task, signal?: AbortSignal) => rendering.run(task, { signal, timeoutS: RENDER_TIMEOUT_S });

  return {
    engine: started.engine,
    async probe(path, { signal, maxSeconds: longestS = maxSeconds } = {}) {
      const args: ProbeArgs = { path, maxSeconds: longestS };
      const timeoutS = INTERACTIVE_TIMEOUT_S;
      return (await interactive.run({ module: TASKS, name: 'probe', args }, { signal, timeoutS })) as Probe;
    },
    async picture(path, { timeS, withinS = Number.POSITIVE_INFINITY, maxSide = MAX_SIDE, boxes = [], signal }) {
      const args: PictureArgs = { path, timeS, withinS, maxSide: Math.min(maxSide, MAX_SIDE), boxes };
      const timeoutS = INTERACTIVE_TIMEOUT_S;
      const bytes = await interactive.run({ module: TASKS, name: 'picture', args }, { signal, timeoutS });
      return Buffer.from(bytes as Uint8Array);
    },
    async sheet(path, { times, columns, tile, signal }) {
      const args = { path, times, columns, tile };
      return Buffer.from((await render({ module: SHEET, name: 'sheet', args }, signal)) as Uint8Array);
    },
    async cut(path, { signal, ...request }) {
      await using made = new AsyncDisposableStack();
      const file = made.use(await emptyFile(tempDir));
      const args: CutArgs = { path, target: file.path, request };
      await render({ module: TASKS, name: 'cut', args }, signal);
      const measured = await measure(file);
      made.move();
      return measured;
    },
    capture: (request, options) => capture({ ...settings, engine: started.engine }, request, options),
    async segments(path, options) {
      const task = { module: SEGMENTS, name: 'segments', args: { path } };
      return (await planning.run(task, { ...options, timeoutS: RENDER_TIMEOUT_S })) as Segments;
    },
    run: <Result>(task: Task, options: RunOptions = {}) =>
      (options.live ? live : pool).run(task, options) as Promise<Result>,
    async close() {
      await Promise.all([pool, live, interactive, rendering, planning].map((each) => each.close()));
    },
  };
}
