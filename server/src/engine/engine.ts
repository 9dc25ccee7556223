import type { Log } from '#platform/log';
import type { Media } from '#platform/media/index';
import { answerScene } from './answer.ts';
import { interpretPlan } from './describe/index.ts';
import { createScene, type Scene } from './find/index.ts';
import { createLanguageReader, type ReadOptions } from './language/index.ts';
import { createLiveEngine, type LiveEngine } from './live/index.ts';
import type { ModelEntry, ModelFiles } from './models/index.ts';
import {
  type Artifacts,
  createObserve,
  createTestedWeights,
  createWeights,
  decodeObservations,
  decodeRange,
  isArtifact,
  listRanges,
  mergeSparsePass,
  OBSERVERS,
  tryWeights,
} from './observe/index.ts';
import type { ObservationKind, TimeRange } from './observe/observations.ts';
import type { ObserveOptions, ObserverStatus } from './observe/types.ts';
import { type CloserLook, type Pass, selectCloserLook, selectFirstPass } from './passes/index.ts';
import { createPlanner, type Plan } from './plan/index.ts';
import { type PlanPart, previewPlan } from './preview.ts';
import { reviseMatches, selectReview } from './review.ts';
import {
  checkOutputSchema,
  createAskPhrase,
  type FieldReader,
  fillFields,
  inferOutputSchema,
  type OutputSchema,
} from './structured/index.ts';
import type { Answer, EvidenceFrame } from './types.ts';
import { ENGINE_VERSION } from './version.ts';
import {
  type CallLedger,
  createVisionSearch,
  type EndpointHealth,
  estimateVision,
  type FrameSource,
  mergeVisionResult,
  priceOf,
  TOKENS_PER_QUESTION,
  type VerifyMode,
  type VisionEstimate,
  type VisionProfile,
} from './vision/index.ts';

/**
 * The analysis engine: a library for video, without databases and HTTP. It turns a prompt into a typed plan, a decoded
 * video into observations, and a plan and observations into events with evidence. The same plan and observations always
 * give the same answer.
 */
export interface Engine {
  /** Part of every document and of every cache key. */
  readonly version: string;
  /** Reads a prompt by the lexicon. Never fails: the plan contains unknown words as such. */
  plan(query: string): Plan;
  /**
   * Reads a prompt like `plan`, with the help of the configured language model where the rules do not understand it.
   * A failure of the model costs nothing but its reading. Rejects only if the signal is aborted.
   */
  read(query: string, options?: ReadOptions): Promise<Plan>;
  /** Restates a plan in one sentence: what was understood, and what was not. */
  interpret(plan: Plan): string;
  /**
   * Previews a plan before any video is opened: who would search for each part, and what the vision model is expected
   * to take for these videos, if nothing is cached.
   */
  preview(plan: Plan, videos: readonly PreviewedVideo[]): Promise<{ parts: PlanPart[]; vision: PreviewedVision }>;
  /** Validates a plan from a client. Throws a Problem `plan_invalid` (400) with the name of the field. */
  checkPlan(value: unknown): Plan;
  /** Returns the observers of this node, each with the version of its artifacts or the reason why it is unavailable. */
  observers(): Promise<ObserverStatus<ObservationKind>[]>;
  /**
   * Tries a model's file in a media process. Returns what is wrong with it, or null if the engine can use it. The file
   * may come from a user.
   */
  tryModel(model: ModelEntry, path: string): Promise<string | null>;
  /**
   * Decodes a video once and observes the given kinds. Returns one artifact (bytes to store) per kind. `sidecar` is a
   * file that was recorded beside the video, for telemetry. `range` restricts observers that are `ranged` to a part.
   * Throws a Problem if the video cannot be decoded. Aborting kills the decoding process.
   */
  observe(
    path: string,
    kinds: readonly ObservationKind[],
    options?: ObserveOptions & { sidecar?: Uint8Array | null; range?: TimeRange },
  ): Promise<Map<ObservationKind, Uint8Array>>;
  /**
   * Returns the first pass of fast mode over a video of this length in seconds, null if unknown: `dense` if it is short
   * and a part of the plan needs every frame.
   */
  selectFirstPass(plan: Plan, durationS: number | null): Pass;
  /**
   * Returns what fast mode should observe densely, because a sparse pass left a part of the plan without an answer: a
   * short video as a whole, of a long one the most promising ranges, ten minutes in all. Null if nothing is left.
   */
  selectCloserLook(plan: Plan, artifacts: Artifacts, minConfidence?: number): CloserLook;
  /** True if stored bytes are a complete artifact of this kind. Otherwise the video has to be observed again. */
  isArtifact(bytes: Uint8Array, kind: ObservationKind): boolean;
  /**
   * Finds what the plan requests in stored observations. Pure and fast: no video is decoded. Results that are derived
   * from a map of artifacts are cached as long as the map exists. Matches below `minConfidence` (default 0.5) are
   * candidates.
   */
  answer(plan: Plan, artifacts: Artifacts, minConfidence?: number): Answer;
  /**
   * Queries the configured vision-language model for what no observer can detect and for answers in words, lets it
   * verify what observers found, and adds its results. Without a model, or if nothing is left to query, the answer does
   * not change. A failure of the model is a reason in `coverage`, never an error.
   */
  queryVisionModel(request: VisionRequest, options?: ObserveOptions): Promise<Answer>;
  /** Validates a schema of fields. Throws a Problem `output_schema_invalid` (400) that lists all faults. */
  checkOutputSchema(value: unknown, param?: string): OutputSchema;
  /** The fields that a prompt requests, such as "VERDICT: yes/no"; null with a reason if it requests none. */
  inferOutputSchema(query: string): { schema: OutputSchema | null; reason: string | null };
  /**
   * Fills the fields of a schema for each event, or for the video: from measurements, and from the model where those do
   * not suffice. A field without a value has a reason.
   */
  fillFields(request: FieldsRequest, options?: ObserveOptions): Promise<Answer>;
  /** State of the vision model's endpoint, as this process knows it; null if none is configured. */
  visionHealth(): (EndpointHealth & { model: string }) | null;
  /**
   * Draws one frame of an event's evidence with its boxes as JPEG; the bytes are always the same. The time may be
   * rounded to microseconds, as in documents. Throws a Problem if nothing can be decoded there.
   */
  drawEvidence(path: string, frame: Pick<EvidenceFrame, 'timeS' | 'boxes'>, signal?: AbortSignal): Promise<Buffer>;
}

export type VisionRequest = {
  plan: Plan;
  artifacts: Artifacts;
  /** The answer of the observers. */
  answer: Answer;
  /** Events below it are candidates; default 0.5. */
  minConfidence?: number;
  /** Which events of the observers the model verifies; default `auto`. */
  verify?: VerifyMode;
  /** Cache and account of its calls. Default: one in memory. */
  ledger?: CallLedger;
  /** Returns a local path of the video; called only if frames are shown to the model. */
  path: () => Promise<string>;
};

export type FieldsRequest = VisionRequest & { schema: OutputSchema };
export type PreviewedVideo = { durationS: number; width?: number; height?: number };
/** `cost` is in the currency of the configured prices. */
export type PreviewedVision = VisionEstimate & { cost: number };

export type EngineDeps = {
  media: Media;
  /** Files of models, such as the detector's weights. */
  models: ModelFiles;
  /** Models to use, for tests. Default: all. */
  catalog?: readonly ModelEntry[];
  /** Vision-language model, or null. */
  vision: (VisionProfile & { tokenLimits?: { question?: number } }) | null;
  /** Endpoint of a language model that reads prompts; none by default. */
  language?: { url: string; model: string; apiKey: string | null } | null;
  /** Creates the reader of fields that need a model, for one answer. Without it such fields have a reason. */
  readFields?: (request: FieldsRequest, options: ObserveOptions) => FieldReader;
  log: Log;
};

/** Maximum side of evidence images in pixels. */
const EVIDENCE_SIDE = 1280;
/** Added to times, which may have been rounded to before their frame. No two frames are as close as this. */
const ROUNDING_S = 1e-6;
/** Maximum distance of an evidence frame from its stated time, in seconds. */
const SAME_FRAME_S = 0.1;

/** Creates the engine. `live` is the engine for livestreams, segment by segment. */
export function createEngine({
  media,
  models,
  catalog,
  vision,
  language = null,
  readFields,
  log,
}: EngineDeps): Engine & { readonly live: LiveEngine } {
  const planner = createPlanner();
  const files = createWeights({ models, catalog, log });
  const weights = createTestedWeights({ media, weights: files, log });
  const { observers, observe } = createObserve({ media, weights, observers: Object.values(OBSERVERS) });
  const reader = language === null ? null : createLanguageReader(language, planner);
  void reader?.probe();
  const tokensPerQuestion = vision?.tokenLimits?.question ?? TOKENS_PER_QUESTION;
  const visionSearch = vision === null ? null : createVisionSearch(vision, { tokensPerQuestion });
  const scenes = new WeakMap<Artifacts, Scene>();

  function sceneOf(artifacts: Artifacts): Scene {
    const scene = scenes.get(artifacts) ?? openScene(artifacts);
    scenes.set(artifacts, scene);
    return scene;
  }

  return {
    version: ENGINE_VERSION,
    plan: planner.planQuery,
    read: async (query, options) => (reader === null ? planner.planQuery(query) : reader.read(query, options)),
    interpret: interpretPlan,
    async preview(plan, videos) {
      const estimates = vision === null ? [] : videos.map((video) => estimateVision(plan, video, tokensPerQuestion));
      const sum = (field: keyof VisionEstimate) => estimates.reduce((total, each) => total + each[field], 0);
      const total = { calls: sum('calls'), inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') };
      return {
        parts: previewPlan(plan, await observers(), vision?.model ?? null),
        vision: { ...total, cost: vision === null ? 0 : priceOf(vision, total) },
      };
    },
    checkPlan: planner.checkPlan,
    observers,
    tryModel: (_model, path) => tryWeights(media, path),
    observe,
    selectFirstPass,
    selectCloserLook: (plan, artifacts, minConfidence) => selectCloserLook(plan, sceneOf(artifacts), minConfidence),
    isArtifact,
    answer: (plan, artifacts, minConfidence) => answerScene(plan, sceneOf(artifacts), minConfidence),
    async queryVisionModel(request, { signal, onProgress } = {}) {
      const { plan, artifacts, answer, minConfidence, verify = 'auto', ledger, path } = request;
      const scene = sceneOf(artifacts);
      const { observations } = scene;
      // Frames of a video that only carries telemetry are empty.
      if (!visionSearch || observations.telemetry?.telemetry?.blank) return answer;
      const source: FrameSource = {
        frame: async (timeS, maxSide) => media.frameImage(await path(), { timeS: timeS + ROUNDING_S, maxSide, signal }),
        sheet: async (times, columns, tile) => media.contactSheet(await path(), { times, columns, tile, signal }),
      };
      const review = selectReview(plan, scene, verify, minConfidence);
      const { events } = answer;
      const result = await visionSearch.search({
        ...{ plan, observations, source, events, review, signal, onProgress, minConfidence },
        ...(ledger ? { ledger } : {}),
      });
      if (result === null) return answer;
      const revise = reviseMatches(result.verdicts);
      const revised = result.verdicts.size > 0 ? answerScene(plan, scene, minConfidence, revise) : answer;
      return mergeVisionResult(plan, revised, result);
    },
    checkOutputSchema,
    inferOutputSchema,
    fillFields(request, options = {}) {
      const scene = sceneOf(request.artifacts);
      return fillFields(request.answer, request.schema, {
        durationS: scene.observations.video.durationS,
        ask: createAskPhrase(planner.planQuery, (plan) => answerScene(plan, scene, request.minConfidence)),
        read: readFields?.(request, options) ?? null,
      });
    },
    visionHealth: () => visionSearch && { ...visionSearch.health(), model: vision!.model },
    drawEvidence: (path, { timeS, boxes }, signal) =>
      media.frameImage(path, {
        timeS: timeS + ROUNDING_S,
        withinS: SAME_FRAME_S,
        boxes,
        maxSide: EVIDENCE_SIDE,
        signal,
      }),
    live: createLiveEngine({ media, weights }),
  };
}

/** A scene of the whole video; if its frames were only sampled, with the ranges of which every frame was observed. */
function openScene(artifacts: Artifacts): Scene {
  const whole = mergeSparsePass(decodeObservations(artifacts));
  const ranges = whole.sparsePass ? listRanges(artifacts, { withObjects: whole.objects !== null }) : [];
  return createScene(
    whole,
    ranges.map((range) => decodeRange(artifacts, range, whole)),
  );
}
