import type { Media } from '#platform/media/index';
import { type ActionWorkflow, actionAnswer, NO_ACTION_MODEL, OUTCOME_SCHEMA, withOutcomes } from './action-segments.ts';
import { answerScene } from './answer.ts';
import { captionScene, withTexts } from './captions/index.ts';
import { annotate, causesRow, listDecisions } from './driving-causes.ts';
import { type Embedder, findSimilarFrames } from './embeddings/index.ts';
import type { Scene } from './find/index.ts';
import { addFrameCandidates } from './frame-candidates.ts';
import type { Artifacts } from './observe/index.ts';
import type { ObserveOptions } from './observe/types.ts';
import type { Plan } from './plan/index.ts';
import { reviseBy, selectReview } from './review.ts';
import { findDrivingActions } from './series/index.ts';
import { createAskPhrase, fillFields, type OutputSchema, type UnfilledFields } from './structured/index.ts';
import type { Answer, Coverage, VideoEvent, VisionModelUsage } from './types.ts';
import {
  addUsage,
  type CallLedger,
  type CallRequest,
  type CaptionMode,
  CLIP_STEP_S,
  mergeVisionResult,
  type VerifyMode,
  type VisionProfiles,
  type VisionSearch,
} from './vision/index.ts';

/** A video and its observations, for a vision-language model. */
type ModelRequest = {
  artifacts: Artifacts;
  /** Name of the profile of the model; default: that of the service. */
  profile?: string | null;
  /** Cache and account of its calls. Default: one in memory. */
  ledger?: CallLedger;
  /** Returns a local path of the video; called only if frames are shown to the model. */
  path: () => Promise<string>;
};

export type VisionRequest = ModelRequest & {
  plan: Plan;
  /** The answer of the observers. */
  answer: Answer;
  /** Events below it are candidates; default 0.5. */
  minConfidence?: number;
  /** Which events of the observers the model verifies; default `auto`. */
  verify?: VerifyMode;
};
export type FieldsRequest = Omit<VisionRequest, 'plan' | 'verify'> & { schema: OutputSchema };
export type ActionsRequest = ModelRequest & { workflow: ActionWorkflow; minConfidence: number };
export type CaptionsRequest = ModelRequest & { mode: CaptionMode };

export type VisionAnswersDeps = {
  media: Pick<Media, 'frameImage' | 'contactSheet' | 'pictureClip'>;
  looks: Pick<VisionProfiles, 'get'>;
  /** Vectors of prompts, which choose among frames that have vectors. */
  embedder: Pick<Embedder, 'text' | 'texts'>;
  planQuery: (query: string) => Plan;
  sceneOf: (artifacts: Artifacts) => Scene;
};

type KnownModel = { model: VisionSearch; call: CallRequest };

/** Added to times, which may have been rounded to before their frame. No two frames are as close as this. */
const ROUNDING_S = 1e-6;

/** Answers for which a vision-language model is queried, if there is one, beside the observers. */
export function createVisionAnswers({ media, looks, embedder, planQuery, sceneOf }: VisionAnswersDeps) {
  /** The model and the request of a call about a video; null without a model, or if its frames are empty. */
  function modelFor(
    { artifacts, ledger, path, profile }: ModelRequest,
    { onProgress, ...requester }: ObserveOptions,
  ): KnownModel | null {
    const { observations } = sceneOf(artifacts);
    // Frames of a video that only carries telemetry are empty.
    const look = looks.get(profile);
    if (!look || observations.telemetry?.blank) return null;
    const call: CallRequest = {
      observations,
      source: {
        frame: async (timeS, maxSide) =>
          media.frameImage(await path(), { timeS: timeS + ROUNDING_S, maxSide, ...requester }),
        part: async (timeS, crop, maxSide) =>
          media.frameImage(await path(), { timeS: timeS + ROUNDING_S, crop, maxSide, ...requester }),
        clip: (images) => media.pictureClip(images, { stepS: CLIP_STEP_S, ...requester }),
        sheet: async (times, columns, tile) => media.contactSheet(await path(), { times, columns, tile, ...requester }),
      },
      ...(requester.signal ? { signal: requester.signal } : {}),
      ...(onProgress ? { onProgress } : {}),
      ...(ledger ? { ledger } : {}),
    };
    return { model: look.search, call };
  }

  /** Adds why the vehicle acted as its telemetry shows. */
  async function explainDriving(answer: Answer, scene: Scene, { model, call }: KnownModel): Promise<Answer> {
    const measured = scene.observations.telemetry?.telemetry;
    if (!measured) return answer;
    const { durationS } = scene.observations.video;
    const decisions = listDecisions(findDrivingActions(measured), durationS);
    if (decisions.length === 0) {
      const row = causesRow(model.name, 0, { annotations: 0, untrusted: null, limits: [] });
      return { ...answer, causation: [], coverage: [...answer.coverage, row] };
    }
    const explained = await model.explainDecisions(decisions, { ...call, spentTokens: tokensOf(answer.vision) });
    const { causes, untrusted, limits, usage } = explained;
    const annotations = annotate(decisions, causes);
    const row = causesRow(model.name, decisions.length, { annotations: annotations.length, untrusted, limits });
    return {
      ...answer,
      ...(untrusted === null ? { causation: annotations } : {}),
      coverage: [...answer.coverage, row],
      vision: addUsage(answer.vision, usage),
    };
  }

  const answers = {
    async queryVisionModel(request: VisionRequest, options: ObserveOptions = {}): Promise<Answer> {
      const { plan, artifacts, answer, minConfidence, verify = 'auto' } = request;
      const scene = sceneOf(artifacts);
      const known = modelFor(request, options);
      if (!known) return addFrameCandidates(plan, answer, scene.observations, embedder, options.signal);
      const review = selectReview(plan, scene, verify, minConfidence);
      const { events } = answer;
      const { embeddings } = scene.observations;
      const similar = embeddings ? await findSimilarFrames(embedder, plan.query, embeddings, options.signal) : [];
      const least = minConfidence === undefined ? {} : { minConfidence };
      const result = await known.model.search({ ...known.call, ...least, plan, similar, events, review });
      if (result === null) return answer;
      const isReviewed = result.verdicts.size > 0;
      const revised = isReviewed ? answerScene(plan, scene, minConfidence, reviseBy(result.verdicts)) : answer;
      return mergeVisionResult(plan, revised, result);
    },

    async caption(request: CaptionsRequest, options: ObserveOptions = {}): Promise<Answer> {
      const scene = sceneOf(request.artifacts);
      const answer = captionScene(scene, (prompt) => answerScene(planQuery(prompt), scene));
      const known = modelFor(request, options);
      if (!known) return answer;
      const ranges = answer.events.map(({ startS, endS }) => ({ from: startS, to: endS }));
      const written = await known.model.caption({ ...known.call, mode: request.mode, ranges });
      const captioned = { ...withTexts(answer, written, known.model.name), vision: written.usage };
      return request.mode === 'driving' ? explainDriving(captioned, scene, known) : captioned;
    },

    async segmentActions(request: ActionsRequest, options: ObserveOptions = {}): Promise<Answer> {
      const known = modelFor(request, options);
      if (!known) return NO_ACTION_MODEL;
      const named = await known.model.segmentActions(known.call);
      const answer = actionAnswer(named, known.model.name, request.minConfidence);
      if (request.workflow === 'action_segmentation' || answer.events.length === 0) return answer;
      return withOutcomes(await answers.fillFields({ ...request, answer, schema: OUTCOME_SCHEMA }, options));
    },

    async fillFields(request: FieldsRequest, options: ObserveOptions = {}): Promise<Answer> {
      const scene = sceneOf(request.artifacts);
      const { events, vision } = request.answer;
      const { durationS } = scene.observations.video;
      const known = modelFor(request, options);
      let usage = vision;
      let row: Coverage | null = null;
      const read = async (open: readonly UnfilledFields[]) => {
        const { model, call } = known!;
        const requests = open.map(({ event, fields }) => ({ ...rangeOf(event, events, durationS), fields }));
        const result = await model.readFields(requests, { ...call, spentTokens: tokensOf(vision) });
        usage = addUsage(vision, result.usage);
        row = { text: 'fields', status: 'partly', by: [model.name], reason: READ_TWICE, findings: 0 };
        return result.results;
      };
      const filled = await fillFields(request.answer, request.schema, {
        durationS,
        ask: createAskPhrase(planQuery, (plan) => answerScene(plan, scene, request.minConfidence)),
        read: known ? read : null,
      });
      return {
        ...filled,
        coverage: row === null ? filled.coverage : [...filled.coverage, row],
        ...(usage ? { vision: usage } : {}),
      };
    },
  };
  return answers;
}

const tokensOf = (usage: VisionModelUsage | undefined) => (usage ? usage.inputTokens + usage.outputTokens : 0);

const READ_TWICE =
  'fields that are not measured were read from at most 12 frames of each event or of the video, twice, and both readings agree';

/** The range of an event, a second at least: single frames have no neighbors that show what happens. */
function rangeOf(event: number | null, events: readonly VideoEvent[], durationS: number) {
  const found = event === null ? null : events[event]!;
  if (!found) return { from: 0, to: durationS, subject: null };
  const missing = Math.max(0, 1 - (found.endS - found.startS)) / 2;
  const from = Math.max(0, found.startS - missing);
  return { from, to: Math.min(durationS, found.endS + missing), subject: found.label };
}
