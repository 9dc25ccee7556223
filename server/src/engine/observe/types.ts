import type { DecodeRange, Decoder, DecodeSummary, FrameRequest, MediaTaskOptions } from '#platform/media/index';
import type { NumericArray } from './artifact.ts';
import type { FileFacts } from './file/observation.ts';
import type { SavedPass, SavedRange } from './resume.ts';
import type { WeightsFinder } from './weights.ts';

/** The pass that an observation belongs to: the sparse pass, the pass over every frame, or both. */
export type Depth = 'sparse' | 'dense' | 'both';

/**
 * One kind of observation: its result, its stored form, and the code that computes it. `observers.ts` lists all of
 * them. An observer either takes part in the pass over every frame (`open`) or is a task of its own (`observe`).
 */
export type Observer<Kind extends string, Observation, Settings> =
  | DenseObserver<Kind, Observation, Settings, DensePass<Observation>>
  | TaskObserver<Kind, Observation, Settings>;

export type AnyObserver = Observer<string, unknown, unknown>;

/**
 * State of an observer on this node: the version of its artifacts, or the reason why it is unavailable. `ranged`: it
 * can observe a range of a video; `onDemand`: it runs only for plans that need it. `family` is part of the versions of
 * artifacts that say the same by another detector: only observers that use it have one. `source` is the kind of the
 * observation that it is made from. `fallback` is the reason why it uses a weaker model, and how to get the better one.
 */
export type ObserverStatus<Kind extends string> = {
  kind: Kind;
  depth: Depth;
  ranged?: boolean;
  onDemand?: boolean;
  family?: string;
  source?: Kind;
} & ({ version: string; fallback?: string } | { unavailable: string });

/**
 * Files beside a video: `sidecar` was recorded with it, for telemetry; `subtitles` is a subtitle file that was added.
 * `sources` are stored artifacts by kind, for observations that are made from them.
 */
export type ObserveInput = {
  sidecar?: Uint8Array | null;
  subtitles?: Uint8Array | null;
  sources?: ReadonlyMap<string, Uint8Array>;
};
/** `orgId` and `priority`: who waits for the observation; others let it go first. */
export type ObserveOptions = Pick<MediaTaskOptions, 'signal' | 'onProgress' | 'orgId' | 'priority'>;

/** A range of a video, in seconds from its first frame. `untilS` is excluded. */
export type TimeRange = DecodeRange;

type ObserverBase<Kind extends string, Observation, Settings> = {
  /** Name under which results are stored and reported by the API. */
  kind: Kind;
  /**
   * Version of the results. Raise it with every change that affects them; artifacts of another version are replaced.
   */
  version: string;
  depth: Depth;
  /** True if only plans that need it have it run (`selectOnDemand`); others run whenever a video is observed. */
  onDemand?: boolean;
  /** True if its results depend on the detector, which a query can choose. */
  usesDetector?: boolean;
  /** True if it needs so much memory that a node runs it for one video at a time, in a process of its own. */
  isExclusive?: boolean;
  /** Loads what the observer needs besides the video. Without this it is always available, with null as settings. */
  prepare?(deps: PrepareDeps): Promise<Prepared<Settings> | Unavailable>;
  encode(observation: Observation): EncodedObservation;
  /** Reverses `encode`. The arrays are views of the artifact. */
  decode(stored: EncodedObservation): Observation;
};

export type DenseObserver<
  Kind extends string,
  Observation,
  Settings,
  Pass extends DensePass<Observation>,
> = ObserverBase<Kind, Observation, Settings> & {
  /** True if it can observe a range of a video: its results depend on the frames in the range only. */
  ranged?: boolean;
  open(context: DenseContext<Settings>): Pass | Promise<Pass>;
};

export type TaskObserver<Kind extends string, Observation, Settings> = ObserverBase<Kind, Observation, Settings> & {
  /** Expected duration relative to the pass over every frame. */
  relativeDuration: number;
  /**
   * Kind of the observation that it is made from. It runs after all others, in a process of its own, and only if there
   * is one.
   */
  source?: string;
  observe(context: TaskObserverContext<Settings>): Promise<TaskResult<Observation>>;
};

/** Stored form of an observation: typed arrays, and everything else as JSON. */
export type EncodedObservation = { facts: object; arrays: Record<string, NumericArray> };

/** `detector` is the name of a model for objects; by default that of the service. */
export type PrepareDeps = { weights: WeightsFinder; detector?: string | null };
/** `suffix` is the part of the version that depends on the settings, `fallback` the reason for a weaker model. */
export type Prepared<Settings> = { settings: Settings; suffix: string; fallback?: string | null };
export type Unavailable = { unavailable: string };

export type VideoFacts = {
  durationS: number;
  /** Claimed duration of a damaged video in seconds; the rest could not be decoded. */
  claimedS?: number;
  width: number;
  height: number;
  /** Seconds per presentation timestamp, as a fraction. */
  timeBase: [number, number];
  hasAudio: boolean;
  /** The observed range, if it is not the whole video. */
  range?: TimeRange;
};

type ObserverContext<Settings> = { video: VideoFacts; settings: Settings };

export type DenseContext<Settings = null> = ObserverContext<Settings> & {
  /** False if the observer is opened only because another one depends on it. */
  isRequested: boolean;
  /** Saved by an earlier pass, to continue after its last range; null for a pass from the start. */
  saved: SavedPass | null;
  /** True if the ranges of the pass are saved. */
  savesRanges: boolean;
  /** Opens another observer in the same pass. It receives each frame before this one. */
  openPass<Pass>(observer: { kind: string; open(context: never): Pass | Promise<Pass> }): Promise<Pass>;
};

export type TaskObserverContext<Settings = null> = ObserverContext<Settings> & {
  path: string;
  /** Facts that the file states about itself; null if it was not read. */
  file: FileFacts | null;
  /** Content of a file that was recorded beside the video. */
  sidecar: Uint8Array | null;
  /** Content of a subtitle file that was added to the video. */
  subtitles: Uint8Array | null;
  /** Artifact of the kind that it is made from; null for an observer without `source`. */
  source: Uint8Array | null;
  decoder: Decoder;
  onProgress: (fraction: number) => void;
  /** Returns the result of another task on this video; runs the task if it was not requested. */
  getResult<Observation>(observer: {
    kind: string;
    observe(context: never): Promise<TaskResult<Observation>>;
  }): Promise<TaskResult<Observation>>;
};

/** An open observer in the pass over every frame. */
export type DensePass<Observation> = {
  /** Requested frames; each frame is decoded once for all requests. */
  frames?: FrameRequest[];
  /**
   * Receives the audio, if any, as mono samples at `SAMPLE_RATE`. `timeS` is the time of the first one. The samples are
   * valid only during the call.
   */
  onSamples?(samples: Float32Array, timeS: number): void;
  /**
   * Saves what the frames so far gave, so that another process can continue after them. What it copies before it
   * returns is their state; a promise may resolve after later frames. A pass with frames and without this is repeated
   * from the start.
   */
  save?(): SavedRange | Promise<SavedRange>;
  /**
   * Copies the results so far while the pass continues. `untilS` is the time in seconds until which they are complete:
   * passes without one follow the frames of the others.
   */
  soFar?: { untilS?(): number; observation(): Observation };
  finish(): Observation | Promise<Observation>;
  /** Called at the end, also after errors. */
  close?(): Promise<void>;
};

/** `durationS` is the duration of the video as far as the task decoded it. */
export type TaskResult<Observation> = { observation: Observation; durationS: number; claimedS?: number };

/** Returns the decoded duration of a video in seconds, and the claimed one if the video is damaged. */
export const toDuration = ({ endS, state }: DecodeSummary, { durationS }: VideoFacts) => ({
  durationS: endS,
  ...(state === 'damaged' ? { claimedS: durationS } : {}),
});

/** Enough for loudness, and the rate of the recognizer of sounds: frequencies above 8 kHz add little. */
export const SAMPLE_RATE = 16_000;

/** Checks an observer and keeps its exact types. */
export const defineDenseObserver = <
  Kind extends string,
  Observation,
  Pass extends DensePass<Observation>,
  Settings = null,
>(
  observer: DenseObserver<Kind, Observation, Settings, Pass>,
) => observer;

/** Checks an observer and keeps its exact types. */
export const defineTaskObserver = <Kind extends string, Observation, Settings = null>(
  observer: TaskObserver<Kind, Observation, Settings>,
) => observer;
