import type { Log } from '#platform/log';
import type { Media } from '#platform/media/index';
import { answerScene } from './answer.ts';
import { type Passage, type PassageKind, readPassages } from './captions/passages.ts';
import { interpretPlan } from './describe/index.ts';
import { createEmbedder, type Embedder, type FrameVectors } from './embeddings/index.ts';
import { createScene, type Scene } from './find/index.ts';
import { createLanguageReader, createTextRanker, type ReadOptions, type TextRanker } from './language/index.ts';
import { createLiveEngine, type LiveEngine } from './live/index.ts';
import { CATALOG, type ModelEntry, type ModelFiles } from './models/index.ts';
import { prepareClip } from './observe/embeddings/observer.ts';
import {
  type Artifacts,
  createObserve,
  createTestedWeights,
  createWeights,
  decodeObservation,
  decodeObservations,
  decodeRange,
  isArtifact,
  listRanges,
  mergeSparsePass,
  OBSERVERS,
  tryWeights,
} from './observe/index.ts';
import type { ObservationKind, TimeRange } from './observe/observations.ts';
import { observeProblem } from './observe/problems.ts';
import type { ObserveInput, ObserveOptions, ObserverStatus } from './observe/types.ts';
import {
  type CloserLook,
  needsDetector,
  type Pass,
  selectCloserLook,
  selectFirstPass,
  selectOnDemand,
} from './passes/index.ts';
import { createPlanner, type Plan, type Zone } from './plan/index.ts';
import { type PlanPart, previewPlan } from './preview.ts';
import { checkOutputSchema, createSchemaWriter, inferOutputSchema, type OutputSchema } from './structured/index.ts';
import type { Answer, EvidenceFrame } from './types.ts';
import { ENGINE_VERSION } from './version.ts';
import {
  createVisionProfiles,
  estimateVision,
  type ProfileHealth,
  priceOf,
  type VerifyMode,
  type VisionEstimate,
  type VisionModels,
  visionProfileUnknown,
} from './vision/index.ts';
import {
  type ActionsRequest,
  type CaptionsRequest,
  createVisionAnswers,
  type FieldsRequest,
  type VisionRequest,
} from './vision-answers.ts';

/**
 * The analysis engine: a library for video, without databases and HTTP. It turns a prompt into a typed plan, a decoded
 * video into observations, and a plan and observations into events with evidence. The same plan and observations always
 * give the same answer.
 */
export interface Engine {
  /** Part of every document and of every cache key. */
  readonly version: string;
  /** Vectors of words and pictures, to search for frames. */
  readonly embedder: Embedder;
  /**
   * Reads a prompt by the lexicon. Never fails: the plan contains unknown words as such. `zones` are those that the
   * prompt may name: the plan contains their points.
   */
  plan(query: string, zones?: readonly Zone[]): Plan;
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
  preview(
    plan: Plan,
    videos: readonly PreviewedVideo[],
    options?: { verify?: VerifyMode; detector?: string | null },
  ): Promise<{ parts: PlanPart[]; vision: PreviewedVision }>;
  /** Validates a plan from a client. Throws a Problem `plan_invalid` (400) with the name of the field. */
  checkPlan(value: unknown): Plan;
  /**
   * Returns the observers of this node, each with the version of its artifacts or the reason why it is unavailable.
   * `detector` is the name of a model for objects; by default that of the service.
   */
  observers(options?: { detector?: string | null }): Promise<ObserverStatus<ObservationKind>[]>;
  /** Models that detect objects, in the order of the catalog. */
  detectors(): Promise<DetectorState[]>;
  /** Returns the name. Throws a Problem `detector_unknown` (400) if the catalog has no detector of this name. */
  checkDetector(name: string | null): string | null;
  /**
   * Tries a model's files in a media process. Returns what is wrong with them, or null if the engine can use them. The
   * files may come from a user.
   */
  tryModel(model: ModelEntry, files: readonly string[]): Promise<string | null>;
  /** The observers on demand that the plan needs. */
  selectOnDemand(plan: Plan): ObservationKind[];
  /** True if the answer depends on the detector: otherwise observations by any detector serve. */
  needsDetector(plan: Plan): boolean;
  /**
   * Decodes a video once and observes the given kinds. Returns one artifact (bytes to store) per kind.
   * `range` restricts observers that are `ranged` to a part. Throws a Problem if the video cannot be decoded.
   * Aborting kills the decoding process.
   */
  observe(
    path: string,
    kinds: readonly ObservationKind[],
    options?: ObserveOptions & ObserveInput & { range?: TimeRange; detector?: string | null },
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
  /** The vectors of frames in an artifact of `embeddings`. Throws `observation_damaged` (500). */
  readFrameVectors(artifact: Uint8Array): FrameVectors;
  /** The spoken sentences or the texts in frames, by an artifact of these kinds. Throws `observation_damaged` (500). */
  readPassages(artifact: Uint8Array, kind: PassageKind): Passage[];
  /** True if stored bytes are a complete artifact of this kind. Otherwise the video has to be observed again. */
  isArtifact(bytes: Uint8Array, kind: ObservationKind): boolean;
  /**
   * Finds what the plan requests in stored observations. Pure and fast: no video is decoded. Results that are derived
   * from a map of artifacts are cached as long as the map exists. Matches below `minConfidence` (default 0.5) are
   * candidates.
   */
  answer(
    plan: Plan,
    artifacts: Artifacts,
    minConfidence?: number,
    options?: {
      /** Reason why there are no objects, if the requested detector could not be used. */
      noDetector?: string | null;
    },
  ): Answer;
  /**
   * Queries the configured vision-language model for what no observer can detect and for answers in words, lets it
   * verify what observers found, and adds its results. Without a model, stored vectors of frames are compared with what
   * no observer can detect, which adds candidates. A failure of the model is a reason in `coverage`, never an error.
   */
  queryVisionModel(request: VisionRequest, options?: ObserveOptions): Promise<Answer>;
  /**
   * Captions the whole video: from observations, and in the words of the configured vision-language model where it can.
   * A failure of the model is a reason in `coverage`, never an error.
   */
  caption(request: CaptionsRequest, options?: ObserveOptions): Promise<Answer>;
  /**
   * Divides a video into the actions that the configured vision-language model names, with the outcome of each if the
   * workflow is `action_classification`. A failure of the model is a reason in `coverage`, never an error.
   */
  segmentActions(request: ActionsRequest, options?: ObserveOptions): Promise<Answer>;
  /** Validates a schema of fields. Throws a Problem `output_schema_invalid` (400) that lists all faults. */
  checkOutputSchema(value: unknown, param?: string): OutputSchema;
  /**
   * The fields that a prompt requests, such as "VERDICT: yes/no"; of other prompts those that the configured language
   * model finds. Null with a reason if there are none. Rejects only if the signal is aborted.
   */
  inferOutputSchema(
    query: string,
    signal: AbortSignal,
  ): Promise<{ schema: OutputSchema | null; reason: string | null }>;
  /** Ranks texts by how well they fit a request in plain words; null without a language model. */
  readonly textRanker: TextRanker | null;
  /**
   * Fills the fields of a schema for each event, or for the video: from measurements, and from the model where those do
   * not suffice. A field without a value has a reason.
   */
  fillFields(request: FieldsRequest, options?: ObserveOptions): Promise<Answer>;
  /** Profiles of vision models with the state of their endpoints, as this process knows it; empty without a model. */
  visionProfiles(): ProfileHealth[];
  /** Returns the name. Throws a Problem `vision_profile_unknown` (400) if there is no such profile. */
  checkVisionProfile(name: string | null): string | null;
  /**
   * Draws one frame of an event's evidence with its boxes as JPEG; the bytes are always the same. The time may be
   * rounded to microseconds, as in documents. Throws a Problem if nothing can be decoded there.
   */
  drawEvidence(path: string, frame: Pick<EvidenceFrame, 'timeS' | 'boxes'>, signal?: AbortSignal): Promise<Buffer>;
}

/** `reason`: why the detector cannot be used; null if it can. `isDefault`: queries use it that name no other. */
export type DetectorState = { name: string; title: string; isDefault: boolean; reason: string | null };
/** `profile`: name of the vision profile; the default one without a name. */
export type PreviewedVideo = { durationS: number; width?: number; height?: number; profile?: string | null };
/** `cost` is in the currency of the configured prices. */
export type PreviewedVision = VisionEstimate & { cost: number };

export type EngineDeps = {
  media: Media;
  /** Files of models, such as the detector's weights. */
  models: ModelFiles;
  /** Models to use, for tests. Default: all. */
  catalog?: readonly ModelEntry[];
  /** Name of the detector; by default the first one of the catalog whose weights are there. */
  detector?: string | null;
  /** Vision-language models, or null. */
  vision: VisionModels | null;
  /** Endpoint of a language model that reads prompts; none by default. */
  language?: { url: string; model: string; apiKey: string | null } | null;
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
  catalog = CATALOG,
  detector = null,
  vision,
  language = null,
  log,
}: EngineDeps): Engine & { readonly live: LiveEngine } {
  const planner = createPlanner();
  const detectors = catalog.filter(({ task }) => task === 'objects').map(({ name }) => name);
  const checkDetector = (name: string | null) => {
    if (name === null || detectors.includes(name)) return name;
    throw observeProblem.detector_unknown(
      `There is no detector "${name.slice(0, 100)}". Known are: ${detectors.join(', ')}.`,
    );
  };
  const files = createWeights({ models, catalog, detector: checkDetector(detector), log });
  const weights = createTestedWeights({ media, weights: files, log });
  const { observers, observe } = createObserve({ media, weights, observers: Object.values(OBSERVERS) });
  const reader = language === null ? null : createLanguageReader(language, planner);
  void reader?.probe();
  const schemaWriter = language === null ? null : createSchemaWriter(language);
  const looks = createVisionProfiles(vision);
  const scenes = new WeakMap<Artifacts, Scene>();
  const findClip = async () => {
    const prepared = await prepareClip({ weights });
    return 'unavailable' in prepared ? prepared : { files: prepared.settings.files, version: prepared.suffix };
  };
  const embedder = createEmbedder({ media, find: findClip });
  const answers = createVisionAnswers({ media, looks, embedder, planQuery: planner.planQuery, sceneOf });

  function sceneOf(artifacts: Artifacts): Scene {
    const scene = scenes.get(artifacts) ?? openScene(artifacts);
    scenes.set(artifacts, scene);
    return scene;
  }

  return {
    version: ENGINE_VERSION,
    embedder,
    plan: planner.planQuery,
    read: async (query, options) =>
      reader === null ? planner.planQuery(query, options?.zones) : reader.read(query, options),
    interpret: interpretPlan,
    async preview(plan, videos, { verify = 'auto', detector } = {}) {
      const estimates = videos.flatMap((video) => {
        const look = looks.get(video.profile);
        if (!look) return [];
        const { tokensPerQuestion } = looks;
        const frameShare = look.search.frameShare();
        const estimate = estimateVision(plan, video, { tokensPerQuestion, verify, frameShare });
        return { ...estimate, cost: priceOf(look.profile, estimate) };
      });
      const sum = (field: keyof PreviewedVision) => estimates.reduce((total, each) => total + each[field], 0);
      return {
        parts: previewPlan(plan, await observers({ detector }), looks.get(videos[0]?.profile)?.profile.model ?? null),
        vision: {
          ...{ calls: sum('calls'), inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') },
          cost: sum('cost'),
        },
      };
    },
    checkPlan: planner.checkPlan,
    observers,
    async detectors() {
      const used = await weights.find('objects');
      return Promise.all(
        catalog
          .filter(({ task }) => task === 'objects')
          .map(async ({ name, title }) => {
            const found = await weights.find('objects', name);
            const isDefault = 'name' in used && used.name === name;
            return { name, title, isDefault, reason: 'unavailable' in found ? found.unavailable : null };
          }),
      );
    },
    checkDetector,
    tryModel: (model, files) => tryWeights(media, model, files),
    observe,
    selectOnDemand,
    needsDetector,
    selectFirstPass,
    selectCloserLook: (plan, artifacts, minConfidence) => selectCloserLook(plan, sceneOf(artifacts), minConfidence),
    readFrameVectors: (artifact) => decodeObservation(OBSERVERS.embeddings, artifact).observation,
    readPassages,
    isArtifact,
    answer(plan, artifacts, minConfidence, { noDetector = null } = {}) {
      const scene = sceneOf(artifacts);
      return answerScene(plan, noDetector === null ? scene : { ...scene, noDetector }, minConfidence);
    },
    queryVisionModel: answers.queryVisionModel,
    caption: answers.caption,
    segmentActions: answers.segmentActions,
    checkOutputSchema,
    async inferOutputSchema(query, signal) {
      const stated = inferOutputSchema(query);
      return stated.schema || !schemaWriter ? stated : schemaWriter.write(query, signal);
    },
    textRanker: language === null ? null : createTextRanker(language),
    fillFields: answers.fillFields,
    visionProfiles: looks.health,
    checkVisionProfile(name) {
      if (name === null || looks.has(name)) return name;
      const names = looks.health().map((profile) => profile.name);
      const known =
        names.length === 0 ? 'None is configured (SIGHTLINE_VISION_URL).' : `Known are: ${names.join(', ')}.`;
      throw visionProfileUnknown(`There is no vision profile "${name.slice(0, 100)}". ${known}`);
    },
    drawEvidence: (path, { timeS, boxes }, signal) =>
      media.frameImage(path, {
        timeS: timeS + ROUNDING_S,
        withinS: SAME_FRAME_S,
        boxes,
        maxSide: EVIDENCE_SIDE,
        signal,
      }),
    live: createLiveEngine({ media, weights, looks }),
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
