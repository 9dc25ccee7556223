import type { Decoder, DecodeSummary, PictureRequest } from '#platform/media/index';
import type { Numbers } from './artifact.ts';
import type { WeightsFinder } from './weights.ts';

export type Depth = 'sparse' | 'dense' | 'both';

/**
 * One kind of observation, and all that anything else has to know of it: what it leaves, how that is stored, and how it is made. `observers.ts` lists them; their
 * kinds, versions and types follow from the list. Either it looks on in the pass that decodes every frame (`open`), or it is a task of its own (`observe`).
 */
export type Observer<Kind extends string, Observation, Settings> =
  | DenseObserver<Kind, Observation, Settings, Pass<Observation>>
  | TaskObserver<Kind, Observation, Settings>;

export type AnyObserver = Observer<string, unknown, unknown>;

type Facts<Kind extends string, Observation, Settings> = {
  kind: Kind;
  /** What results are stored under. It changes with everything that changes them: artifacts of another version are made anew. */
  version: string;
  /** Which look at a video it belongs to: one sparse look, the one at every frame, or both. */
  depth: Depth;
  /** The two media engines scale pictures a little differently: versions name the one, unless results do not depend on it. */
  sameOnEveryEngine?: boolean;
  /** What it needs besides the video, where that may be missing. Without this it is always ready, its settings are null. */
  ready?(deps: ReadyDeps): Promise<Ready<Settings> | Unavailable>;
  encode(observation: Observation): Stored;
  /** The reverse. The arrays are views of the artifact: nothing is parsed. */
  decode(stored: Stored): Observation;
};

export type DenseObserver<Kind extends string, Observation, Settings, Looking extends Pass<Observation>> = Facts<
  Kind,
  Observation,
  Settings
> & { open(context: DenseGiven<Settings>): Looking | Promise<Looking> };

export type TaskObserver<Kind extends string, Observation, Settings> = Facts<Kind, Observation, Settings> & {
  /** The time it takes, as a part of what a pass over every frame takes. */
  share: number;
  observe(context: TaskGiven<Settings>): Promise<Observed<Observation>>;
};

/** What an observation is stored as: arrays as they lie in memory, and whatever is not an array and survives JSON. */
export type Stored = { facts: object; arrays: Record<string, Numbers> };

export type ReadyDeps = { weights: WeightsFinder };
/** `suffix`: what of the settings changes results, for the version. */
export type Ready<Settings> = { settings: Settings; suffix: string };
export type Unavailable = { unavailable: string };

export type VideoFacts = {
  durationS: number;
  /** Present where the video is damaged: how long it should have been, in seconds. What could not be decoded nobody looked at. */
  claimedS?: number;
  width: number;
  height: number;
  /** Seconds per presentation time stamp, as a fraction. */
  timeBase: [number, number];
  hasAudio: boolean;
};

type Given<Settings> = { video: VideoFacts; settings: Settings };

export type DenseGiven<Settings = null> = Given<Settings> & {
  /** Whether its observation was asked for; otherwise it is opened only for what another observer needs of it. */
  kept: boolean;
  /** Another observer in the same pass, for what it tells on the way: opened where it was not, and given each frame before this one. */
  pass<Looking>(observer: { kind: string; open(context: never): Looking | Promise<Looking> }): Promise<Looking>;
};

export type TaskGiven<Settings = null> = Given<Settings> & {
  path: string;
  /** A file that was recorded beside the video. */
  sidecar: Uint8Array | null;
  decoder: Decoder;
  progress: (fraction: number) => void;
  /** What another task observed in this video: made now where it was not asked for. */
  observed<Observation>(observer: {
    kind: string;
    observe(given: never): Promise<Observed<Observation>>;
  }): Promise<Observed<Observation>>;
};

/** An observer at work in the pass over every frame. */
export type Pass<Observation> = {
  /** The pictures it takes; each frame is decoded once, however many there are. */
  pictures?: PictureRequest[];
  /** Told of the sound, where there is some, as mono samples at `SAMPLE_RATE`. `timeS` is the first one's; valid only during the call. */
  onSamples?(samples: Float32Array, timeS: number): void;
  finish(): Observation | Promise<Observation>;
  /** Always called in the end. */
  close?(): Promise<void>;
};

/** `durationS`: how long the video is, as far as this pass got to know. */
export type Observed<Observation> = { observation: Observation; durationS: number; claimedS?: number };

/** How long a video turned out to be, in seconds, and how long it should have been where it is damaged. */
export const lengthOf = ({ endS, state }: DecodeSummary, { durationS }: VideoFacts) => ({
  durationS: endS,
  ...(state === 'damaged' ? { claimedS: durationS } : {}),
});

/** Enough for loudness: what is heard above 8 kHz adds little to it. */
export const SAMPLE_RATE = 16_000;

/** These check an observer and keep its exact types. */
export const denseObserver = <Kind extends string, Observation, Looking extends Pass<Observation>, Settings = null>(
  observer: DenseObserver<Kind, Observation, Settings, Looking>,
) => observer;
export const taskObserver = <Kind extends string, Observation, Settings = null>(
  observer: TaskObserver<Kind, Observation, Settings>,
) => observer;
