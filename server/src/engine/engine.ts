import type { Log } from '#platform/log';
import type { Media } from '#platform/media/index';
import { answerScene } from './answer.ts';
import { datePlan, missedBy, placePlan, searchLibrary } from './calendar/index.ts';
import { readPassages } from './captions/passages.ts';
import { readPictureClock } from './captions/picture-clock.ts';
import { type LanguageEndpoint, priceOf } from './chat/index.ts';
import { interpretPlan } from './describe/index.ts';
import { createEmbedder } from './embeddings/index.ts';
import type { Engine, PreviewedVision } from './engine-types.ts';
import { createScene, dependsOnLength, type Scene } from './find/index.ts';
import { createLanguageReader, createTextRanker } from './language/index.ts';
import { createLiveEngine, type LiveEngine } from './live/index.ts';
import { answerMissed } from './missed-answer.ts';
import { CATALOG, MODEL_TASKS, type ModelEntry, type ModelFiles } from './models/index.ts';
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
  ownerOf,
  tryWeights,
} from './observe/index.ts';
import { listDetectors } from './observe/objects/index.ts';
import { observeProblem } from './observe/problems.ts';
import { needsDetector, selectCloserLook, selectDetector, selectFirstPass, selectOnDemand } from './passes/index.ts';
import { createPlanner, createReadings } from './plan/index.ts';
import { previewPlan } from './preview.ts';
import { checkOutputSchema, createSchemaWriter, inferOutputSchema } from './structured/index.ts';
import { ENGINE_VERSION } from './version.ts';
import { createVisionProfiles, estimateVision, type VisionModels, visionProfileUnknown } from './vision/index.ts';
import { createVisionAnswers } from './vision-answers.ts';

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
  language?: LanguageEndpoint | null;
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
  const detectors = listDetectors(catalog);
  const checkDetector = (name: string | null) => {
    if (name === null || detectors.some((each) => each.name === name)) return name;
    throw observeProblem.detector_unknown(
      `There is no detector "${name.slice(0, 100)}". Known are: ${detectors.map((each) => each.name).join(', ')}.`,
    );
  };
  const files = createWeights({ models, catalog, detector: checkDetector(detector), log });
  const weights = createTestedWeights({ media, weights: files, log });
  const { observers, observe } = createObserve({ media, weights, observers: Object.values(OBSERVERS) });
  const reader = language === null ? null : createLanguageReader(language, planner);
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
    probeReader: async (account) => reader?.probe(account),
    languageModel: () => (reader === null ? null : { model: language!.model, ...reader.health() }),
    interpret: (plan, requested) => interpretPlan(requested ? datePlan(plan, requested) : plan),
    placePlan(plan, clock, requested) {
      const placed = placePlan(plan, clock, requested);
      const reason = missedBy(placed);
      return { plan: placed, missed: reason && { reason, answer: answerMissed(placed) } };
    },
    searchLibrary,
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
          calls: sum('calls'),
          inputTokens: sum('inputTokens'),
          outputTokens: sum('outputTokens'),
          cost: sum('cost'),
        },
      };
    },
    checkPlan: planner.checkPlan,
    readings: createReadings(planner),
    observers,
    models: () =>
      Promise.all(
        MODEL_TASKS.map(async (task) => {
          const found = await files.find(task);
          const state = 'unavailable' in found ? found : { name: found.name, fallback: found.fallback };
          return { task, part: ownerOf(task), ...state };
        }),
      ),
    async detectors() {
      const used = await weights.find('objects');
      return Promise.all(
        detectors.map(async ({ name, title }) => {
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
    selectsDetector: detector === null,
    async selectDetector(plan, artifacts) {
      const name = detector === null ? selectDetector(plan, sceneOf(artifacts)) : null;
      return name !== null && 'name' in (await weights.find('objects', name)) ? name : null;
    },
    selectFirstPass,
    selectCloserLook: (plan, artifacts, minConfidence) => selectCloserLook(plan, sceneOf(artifacts), minConfidence),
    readFrameVectors: (artifact) => decodeObservation(OBSERVERS.embeddings, artifact).observation,
    readObjectViews: (artifact) => decodeObservation(OBSERVERS.objectEmbeddings, artifact).observation,
    readPassages,
    readPictureClock,
    readSatelliteStart(artifact) {
      const { startMs } = decodeObservation(OBSERVERS.telemetry, artifact).observation;
      return startMs === undefined ? null : new Date(startMs);
    },
    isArtifact,
    answer(plan, artifacts, minConfidence, { noDetector = null } = {}) {
      const scene = sceneOf(artifacts);
      return answerScene(plan, noDetector === null ? scene : { ...scene, noDetector }, minConfidence);
    },
    answerSoFar(plan, { artifacts, untilS }, minConfidence) {
      if (untilS !== null && dependsOnLength(plan)) return null;
      return answerScene(plan, sceneOf(artifacts), minConfidence).events;
    },
    queryVisionModel: answers.queryVisionModel,
    caption: answers.caption,
    segmentActions: answers.segmentActions,
    checkOutputSchema,
    async inferOutputSchema(query, signal, account) {
      const stated = inferOutputSchema(query);
      return stated.schema || !schemaWriter ? stated : schemaWriter.write(query, signal, account);
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
