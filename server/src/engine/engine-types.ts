import type { FootageClock, LibrarySearch, Requested } from './calendar/index.ts';
import type { Passage, PassageKind } from './captions/passages.ts';
import type { PictureClock } from './captions/picture-clock.ts';
import type { ModelAccount } from './chat/index.ts';
import type { Embedder, FrameVectors } from './embeddings/index.ts';
import type { ReaderHealth, ReadOptions, TextRanker } from './language/index.ts';
import type { ModelEntry, ModelTask } from './models/index.ts';
import type { Artifacts, ObserveVideoOptions, PartialArtifacts } from './observe/index.ts';
import type { ObjectEmbeddings, ObservationKind } from './observe/observations.ts';
import type { ObserveOptions, ObserverStatus } from './observe/types.ts';
import type { CloserLook, Pass } from './passes/index.ts';
import type { Plan, Readings, Zone } from './plan/index.ts';
import type { PlanPart } from './preview.ts';
import type { OutputSchema } from './structured/index.ts';
import type { Answer, EvidenceFrame, VideoEvent } from './types.ts';
import type { ProfileHealth, VerifyMode, VisionEstimate } from './vision/index.ts';
import type { ActionsRequest, CaptionsRequest, FieldsRequest, VisionRequest } from './vision-answers.ts';

/**
 * The analysis engine: a library for video, without databases and HTTP. It turns a prompt into a typed plan, a decoded
 * video into observations, and a plan and observations into events with evidence. The same plan and observations always
 * give the same answer.
 */
export interface Engine {
  /** Part of every document and of every cache key. */
  readonly version: string;
  /** Vectors of words and images, to search for frames. */
  readonly embedder: Embedder;
  /**
   * Reads a prompt by the lexicon. Never fails: the plan contains unknown words as such. `zones` are those that the
   * prompt may name: the plan contains their points.
   */
  plan(query: string, zones?: readonly Zone[]): Plan;
  /**
   * Reads a prompt like `plan`, with the help of the configured language model where the rules do not understand it.
   * A failure of the model costs nothing but its reading. Its calls are charged to the account of the options. Rejects
   * only if the signal is aborted.
   */
  read(query: string, options?: ReadOptions): Promise<Plan>;
  /** Checks the language model with prompts whose readings are known, before anyone asks; never rejects. */
  probeReader(account: ModelAccount): Promise<void>;
  /** The language model that reads prompts, as this process knows it; null without one. */
  languageModel(): (ReaderHealth & { model: string }) | null;
  /**
   * Restates a plan in one sentence: what was understood, and what was not. `requested`: the moment and zone of its
   * times of the calendar.
   */
  interpret(plan: Plan, requested?: Requested): string;
  /**
   * Finds the times of the calendar that a plan names in a video, by its recording clock. `missed`: no part of it is
   * what the plan asks for, with the answer; nothing has to be decoded. A plan without such times stays as it is.
   */
  placePlan(
    plan: Plan,
    clock: FootageClock,
    requested: Requested,
  ): { plan: Plan; missed: { reason: 'outside' | 'no_clock'; answer: Answer } | null };
  /**
   * Finds which recordings of a library a plan is about, before its videos are known: a span of time that contains
   * them, and whether the first or last event of all of them is the answer.
   */
  searchLibrary(plan: Plan, requested: Requested): LibrarySearch;
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
  /** Operations on plans that are stored with the words they were read from. */
  readonly readings: Readings;
  /**
   * Returns the observers of this node, each with the version of its artifacts or the reason why it is unavailable.
   * `detector` is the name of a model for objects; by default that of the service.
   */
  observers(options?: { detector?: string | null }): Promise<ObserverStatus<ObservationKind>[]>;
  /** The models of the parts that need one, by their files alone: `observers` also tries whether they work. */
  models(): Promise<ModelState[]>;
  /** The detectors: models that detect objects, in the order of the catalog, and at which sizes of frames. */
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
  /** False if the service names its detector, so that none is selected. */
  readonly selectsDetector: boolean;
  /**
   * The detector that also sees a larger copy of each frame, if these observations by that of the service show that the
   * requested objects are small. Null if that is not expected to find more, or if the service names its detector.
   */
  selectDetector(plan: Plan, artifacts: Artifacts): Promise<string | null>;
  /**
   * Decodes a video once and observes the given kinds. Returns one artifact (bytes to store) per kind.
   * `range` restricts observers that are `ranged` to a part. Throws a Problem if the video cannot be decoded.
   * Aborting kills the decoding process. With `rangesOf`, the pass is stored range by range, and resumed.
   */
  observe(
    path: string,
    kinds: readonly ObservationKind[],
    options?: ObserveVideoOptions<ObservationKind>,
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
  /** The views of tracked objects in an artifact of `object_embeddings`. Throws `observation_damaged` (500). */
  readObjectViews(artifact: Uint8Array): ObjectEmbeddings;
  /** The spoken sentences or the texts in frames, by an artifact of these kinds. Throws `observation_damaged` (500). */
  readPassages(artifact: Uint8Array, kind: PassageKind): Passage[];
  /**
   * Reads the clock that a camera draws into its picture from the texts of frames: local time of the first frame. Null
   * unless several of them show a date and a time that advance as the video does.
   */
  readPictureClock(texts: readonly Passage[]): PictureClock | null;
  /** UTC of the first frame by the satellites, by an artifact of `telemetry`; null if the video does not say it. */
  readSatelliteStart(artifact: Uint8Array): Date | null;
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
   * Finds what the plan requests in the first `untilS` seconds of a video (null: all of it), while the rest is not
   * observed yet. Null if what it asks for depends on the length of the video.
   */
  answerSoFar(plan: Plan, partial: PartialArtifacts, minConfidence?: number): readonly VideoEvent[] | null;
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
    account?: ModelAccount,
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

/**
 * The model of a task, or why it has none. `part`: the part of the engine that needs it, as messages name it.
 * `fallback`: why a better model is not used, and how to get it; null if this is the one to use.
 */
export type ModelState = { task: ModelTask; part: string } & (
  | { name: string; fallback: string | null }
  | { unavailable: string }
);

/** `reason`: why the detector cannot be used; null if it can. `isDefault`: queries use it that name no other. */
export type DetectorState = { name: string; title: string; isDefault: boolean; reason: string | null };
/** `profile`: name of the vision profile; the default one without a name. */
export type PreviewedVideo = { durationS: number; width?: number; height?: number; profile?: string | null };
/** `cost` is in the currency of the configured prices. */
export type PreviewedVision = VisionEstimate & { cost: number };
