import type { Log } from '#platform/log';
import type { Box, Media } from '#platform/media/index';
import { answerScene } from './answer.ts';
import { createScene, type Scene } from './find/index.ts';
import { createLiveEngine, type LiveEngine } from './live/index.ts';
import { createLook, withLook } from './look/index.ts';
import {
  createObserve,
  createTriedWeights,
  createWeights,
  decodeObservations,
  isArtifact,
  OBSERVERS,
  withGlance,
} from './observe/index.ts';
import type { ObservationKind } from './observe/observations.ts';
import type { Depth } from './observe/observer.ts';
import { createPlanner, type Plan } from './plan/index.ts';
import { ENGINE_VERSION } from './version.ts';

export * from './live/index.ts';
export { describeSidecar } from './observe/telemetry/sidecar.ts';

export { type Plan, planSchema } from './plan/index.ts';

/**
 * The analysis engine: a library that knows video, not databases and not HTTP. A prompt becomes a typed plan; one decoding pass becomes
 * observations; plan × observations become findings with evidence; the same plan over the same observations gives the same answer, always.
 */
export interface Engine {
  /** Part of every document and of every cache key. */
  readonly version: string;
  /** Reads a prompt by the lexicon. Never fails: what it does not understand is in the plan as such. */
  plan(query: string): Plan;
  /** Checks a plan that a client sent. Throws a Problem `plan_invalid` (400) naming the field. */
  checkPlan(value: unknown): Plan;
  /** What can be observed on this node now, with the version each artifact is stored under. */
  observers(): Promise<Observer[]>;
  /**
   * Decodes the video once and observes the given kinds. Returns one artifact (bytes to store) per kind. `sidecar` is a file that was recorded
   * beside the video, for telemetry.
   * Throws a Problem when the video cannot be decoded; aborting kills the decoding process.
   */
  observe(
    path: string,
    kinds: readonly ObservationKind[],
    options?: ObserveOptions & { sidecar?: Uint8Array | null },
  ): Promise<Map<ObservationKind, Uint8Array>>;
  /** Whether stored bytes are whole and of this kind; what is not has to be observed again. */
  isArtifact(bytes: Uint8Array, kind: ObservationKind): boolean;
  /**
   * Finds what the plan asks for in stored observations. Pure, and quick: it decodes no video. What artifacts say is worked out once for each map, and
   * kept as long as the map is.
   */
  answer(plan: Plan, artifacts: ReadonlyMap<ObservationKind, Uint8Array>): Answer;
  /**
   * Has the vision-language model that is set up look for what no observer knows, and adds what it found. Without a model, or with nothing left to look
   * for, the answer stays as it is. A model that fails is a reason in `coverage`, never an error.
   */
  look(request: LookRequest, options?: ObserveOptions): Promise<Answer>;
  /**
   * Draws one frame of a finding's evidence with its boxes, as JPEG: the same bytes each time. The time may be rounded to microseconds, as it is in
   * documents. Throws a Problem when nothing can be decoded there.
   */
  draw(path: string, frame: Pick<EvidenceFrame, 'timeS' | 'boxes'>, signal?: AbortSignal): Promise<Buffer>;
}

export type LookRequest = {
  plan: Plan;
  artifacts: ReadonlyMap<ObservationKind, Uint8Array>;
  /** What the observers' answer was. */
  answer: Answer;
  /** A local path of the video; called only when frames are shown to the model. */
  path: () => Promise<string>;
};

export type { ObservationKind } from './observe/observations.ts';
export type { Depth } from './observe/observer.ts';

export type Observer<Kind = ObservationKind> = { kind: Kind; depth: Depth } & (
  | { version: string }
  | { unavailable: string }
);

export type ObserveOptions = { signal?: AbortSignal; onProgress?: (fraction: number) => void };

export type Answer = {
  findings: Finding[];
  /** For questions ("how many cars", "is anyone there"): the answer in words; null when the prompt asked none. */
  answer: string | null;
  /** One or two sentences on what was found and what could not be looked for. */
  summary: string;
  coverage: Coverage[];
};

/** One thing that happened, with what shows it. Times in seconds from the video's first frame; they are frames' own presentation times. */
export type Finding = {
  startS: number;
  endS: number;
  startPts: number;
  endPts: number;
  timeBase: [number, number];
  /** What a person would write: "red car enters from the left". */
  label: string;
  /** The kind of happening: `object`, `motion`, `light`, `cut`, `sound`, ... */
  category: string;
  severity: 'low' | 'medium' | 'high';
  /** 0 to 1. */
  confidence: number;
  /** One sentence with the numbers that led to it. */
  explanation: string;
  evidence: Evidence;
  /** What was measured when it began and when it ended, of a recording with telemetry. */
  overlay?: Overlay;
};

/** Values by name and unit: `gps_lat`, `speed_mps`. */
export type Overlay = Record<string, { start: number; end: number }>;

export type Evidence = {
  /** Frames worth looking at, with what to draw on each: first, best and last, without repeats. */
  frames: EvidenceFrame[];
  /** Tracks the finding rests on: id, class, colours, and the path as [time, x, y] of the box centre. */
  tracks: { id: number; className: string; color: string | null; path: [number, number, number][] }[];
  /** Signals the finding rests on, with value and threshold. */
  signals: { name: string; value: number; threshold: number; unit: string }[];
};

export type EvidenceFrame = { role: 'first' | 'best' | 'last'; timeS: number; pts: number; boxes: Box[] };

/** What became of one part of the prompt. */
export type Coverage = {
  /** The words of the prompt. */
  text: string;
  status: 'looked_for' | 'partly' | 'not_looked_for';
  /** What looked for it: `objects (yolox_nano)`, `signals`, `sound`, ... */
  by: string[];
  /** Why not, or with what limits; null when there is nothing to say. */
  reason: string | null;
  /** How many findings came of it. */
  findings: number;
};

export type EngineDeps = {
  media: Media;
  /** Folder of the detector's weights. */
  modelsDir: string;
  /** Whether they may be downloaded there when first needed. */
  modelsDownload: boolean;
  /** A vision-language model's endpoint; null when there is none. */
  vision: { url: string; model: string; apiKey: string | null } | null;
  log: Log;
};

/** Longest side of evidence pictures in pixels. */
const EVIDENCE_SIDE = 1280;
/** Of pictures that a model sees: what such models work with, and a fraction of the bytes. */
const LOOK_SIDE = 768;
/** A time rounded to microseconds may lie before its frame, whose predecessor would then be shown; no two frames are as close as this. */
const ROUNDING_S = 1e-6;
/** Evidence is a frame that was seen; one that lies earlier than this is another one. */
const SAME_FRAME_S = 0.1;

/** `live`: the same for streams that go on, piece by piece. */
export function createEngine({
  media,
  modelsDir,
  modelsDownload,
  vision,
  log,
}: EngineDeps): Engine & { readonly live: LiveEngine } {
  const planner = createPlanner();
  const files = createWeights({ dir: modelsDir, download: modelsDownload, log });
  const weights = createTriedWeights({ media, weights: files, log });
  const { observers, observe } = createObserve({ media, weights, observers: OBSERVERS });
  const look = createLook(vision);
  const scenes = new WeakMap<ReadonlyMap<ObservationKind, Uint8Array>, Scene>();

  function sceneOf(artifacts: ReadonlyMap<ObservationKind, Uint8Array>): Scene {
    const scene = scenes.get(artifacts) ?? createScene(withGlance(decodeObservations(artifacts)));
    scenes.set(artifacts, scene);
    return scene;
  }

  return {
    version: ENGINE_VERSION,
    plan: planner.planQuery,
    checkPlan: planner.checkPlan,
    observers,
    observe,
    isArtifact,
    answer: (plan, artifacts) => answerScene(plan, sceneOf(artifacts)),
    async look({ plan, artifacts, answer, path }, { signal, onProgress } = {}) {
      // There is nothing to see in frames that stand for measurements alone.
      if (!look || sceneOf(artifacts).observations.telemetry?.telemetry?.blank) return answer;
      const picture = async (timeS: number) => media.picture(await path(), { timeS, maxSide: LOOK_SIDE, signal });
      const looked = await look.look(plan, sceneOf(artifacts).observations, picture, { signal, onProgress });
      return withLook(plan, answer, looked);
    },
    draw: (path, { timeS, boxes }, signal) =>
      media.picture(path, {
        timeS: timeS + ROUNDING_S,
        withinS: SAME_FRAME_S,
        boxes,
        maxSide: EVIDENCE_SIDE,
        signal,
      }),
    live: createLiveEngine({ media, weights }),
  };
}
